package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A selection is what find asks for, as the model sent it.
type selection struct {
	Where   []condition `json:"where"`
	Columns []string    `json:"columns"`
	OrderBy []sortKey   `json:"order_by"`
	Limit   int         `json:"limit"`
	Cursor  string      `json:"cursor"`
}

// find returns rows of one table, a page at a time.
func (a *Adapter) find(ctx context.Context, t *Table, c mapping.Call) (*mapping.Result, error) {
	var want selection
	if err := decode(c, &want); err != nil {
		return nil, err
	}
	page, err := a.plan(t, want)
	if err != nil {
		return nil, err
	}
	got := &rows{names: true, columns: page.columns, hidden: len(page.terms), max: page.limit, budget: c.Budget - reserve, cell: cellBytes}
	if err := a.engine.Query(ctx, page.statement, got); err != nil {
		return nil, err
	}
	return page.result(got, c)
}

// A page is one statement of a find, with what its continuation needs.
type page struct {
	statement Statement
	of        string // fingerprint of the query
	terms     []term
	total     bool // the order is, so that a keyset can continue
	offset    int64
	limit     int
	columns   []*Column // those asked for; the terms' follow, for the cursor only
}

// plan compiles a selection to SQL with bound values only.
func (a *Adapter) plan(t *Table, want selection) (*page, error) {
	b := &builder{dialect: a.engine}
	terms, total, err := b.terms(t, want.OrderBy)
	if err != nil {
		return nil, err
	}
	p := &page{of: fingerprint(t.ID(), want.Where, want.OrderBy), terms: terms, total: total, limit: a.limit(want.Limit)}
	columns, err := a.columns(b, t, want.Columns, p)
	if err != nil {
		return nil, err
	}
	b.text.WriteString("SELECT " + columns + " FROM " + b.table(t))
	if err := b.where(t, want.Where); err != nil {
		return nil, err
	}
	if want.Cursor != "" {
		if err := p.resume(b, want); err != nil {
			return nil, err
		}
	}
	b.orderBy(terms)
	fmt.Fprintf(&b.text, " LIMIT %d", p.limit+1)
	if p.offset > 0 {
		fmt.Fprintf(&b.text, " OFFSET %d", p.offset)
	}
	p.statement = Statement{Text: b.text.String(), Args: b.args, Types: b.types, Columns: p.columns, MaxRows: p.limit + 1}
	return p, nil
}

func (a *Adapter) limit(asked int) int {
	if asked <= 0 {
		asked = pageRows
	}
	return min(asked, a.options.MaxRows)
}

// columns writes the select list: what was asked for, then the columns of the
// order that were not.
func (a *Adapter) columns(b *builder, t *Table, names []string, p *page) (string, error) {
	var wrong problems
	var list []string
	seen := map[string]bool{}
	add := func(c *Column) {
		seen[c.Name] = true
		p.columns = append(p.columns, c)
		list = append(list, b.dialect.Project(b.dialect.Quote(c.Name), c))
	}
	for i, name := range names {
		column := t.Column(name)
		switch {
		case column == nil:
			wrong.add("columns[%d]: %w", i, unknownColumn(t, name))
		case !seen[name]:
			add(column)
		}
	}
	if len(names) == 0 {
		for _, c := range t.Columns {
			add(c)
		}
	}
	for _, term := range p.terms {
		// Sort values stand at the end a second time, so that where they are does not
		// depend on what was asked for.
		list = append(list, b.dialect.Project(b.dialect.Quote(term.column.Name), term.column))
	}
	return strings.Join(list, ", "), wrong.err("")
}

// resume continues after a cursor.
func (p *page) resume(b *builder, want selection) error {
	columns := 0
	if p.total {
		columns = len(p.terms)
	}
	c, err := parseCursor(want.Cursor, p.of, columns)
	if err != nil {
		return &mapping.Error{Code: mapping.Invalid, Problem: err.Error(), Next: "leave cursor out to start from the first page"}
	}
	if !p.total {
		p.offset = c.Offset
		return nil
	}
	if len(want.Where) > 0 {
		b.text.WriteString(" AND ")
	} else {
		b.text.WriteString(" WHERE ")
	}
	b.text.WriteString(b.after(p.terms, c.After))
	return nil
}

// next is the cursor after the last row that was kept, "" if that was the last.
func (p *page) next(got *rows) string {
	if !got.more {
		return ""
	}
	if !p.total {
		return cursor{Of: p.of, Offset: p.offset + int64(got.n)}.String()
	}
	c := cursor{Of: p.of}
	for i, v := range got.last {
		c.After = append(c.After, p.terms[i].column.bound(v))
	}
	return c.String()
}

func (p *page) result(got *rows, c mapping.Call) (*mapping.Result, error) {
	next := p.next(got)
	text := append([]byte(`{"rows":[`), got.out.Bytes()...)
	text = append(text, ']')
	r := &mapping.Result{Truncated: got.more, Note: got.note("narrow where to see less")}
	if next != "" {
		value := json.RawMessage(`"` + next + `"`) // base64url needs no escaping
		text = append(append(text, `,"next_cursor":`...), value...)
		r.Next = &mapping.Next{Args: withArg(c.Args, "cursor", value)}
		if !p.total {
			r.Note += ". This table has no key, so pages are counted by offset: rows that change in between may be missed or seen twice"
		}
	}
	r.JSON = append(text, '}')
	return r, nil
}

// withArg returns the arguments with this one set.
func withArg(args []mapping.Arg, name string, value json.RawMessage) []mapping.Arg {
	var out []mapping.Arg
	for _, a := range args {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return append(out, mapping.Arg{Name: name, Value: value})
}
