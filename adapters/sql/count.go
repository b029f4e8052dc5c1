package sql

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A tally is what count_rows asks for.
type tally struct {
	Table   string      `json:"table"`
	Where   []condition `json:"where"`
	GroupBy []string    `json:"group_by"`
	Limit   int         `json:"limit"`
}

// count counts rows, in all or by the values of some columns: {"groups":
// [{"values": {…}, "count": n}, …]}, largest first. Without group_by there is one
// group without values.
func (a *Adapter) count(ctx context.Context, d *Database, c mapping.Call) (*mapping.Result, error) {
	var want tally
	if err := decode(c, &want); err != nil {
		return nil, err
	}
	t, err := a.named(d, want.Table)
	if err != nil {
		return nil, err
	}
	b := &builder{dialect: a.engine}
	columns, groups, err := b.groups(t, want.GroupBy)
	if err != nil {
		return nil, err
	}
	var list []string
	for i, column := range columns {
		list = append(list, b.dialect.Project(groups[i], column))
	}
	b.text.WriteString("SELECT " + strings.Join(append(list, "COUNT(*)"), ", ") + " FROM " + b.table(t))
	if err := b.where(t, want.Where); err != nil {
		return nil, err
	}
	limit := a.limit(want.Limit)
	if len(groups) > 0 {
		b.text.WriteString(" GROUP BY " + strings.Join(groups, ", ") + " ORDER BY COUNT(*) DESC, " + strings.Join(groups, ", "))
	}
	got := &tallies{rows{names: true, max: limit, budget: c.Budget - reserve, cell: cellBytes, columns: columns}}
	s := Statement{Text: b.text.String(), Args: b.args, Types: b.types, MaxRows: limit + 1}
	if err := a.engine.Query(ctx, s, got); err != nil {
		return nil, err
	}
	text := append([]byte(`{"groups":[`), got.out.Bytes()...)
	return &mapping.Result{JSON: append(text, "]}"...), Truncated: got.more, Note: got.note("narrow where, or group by fewer columns")}, nil
}

// tallies is a Sink whose rows end with a count.
type tallies struct{ rows }

func (t *tallies) Row(values []json.RawMessage) error {
	if t.n == t.max {
		t.more = true
		return ErrEnough
	}
	if t.n > 0 {
		t.out.WriteByte(',')
	}
	t.out.WriteString(`{"values":`)
	t.out.Write(t.object(t.out.AvailableBuffer(), t.columns, values[:len(values)-1]))
	t.out.WriteString(`,"count":`)
	t.out.Write(values[len(values)-1])
	t.out.WriteByte('}')
	t.n++
	return nil
}

// groups resolves group_by to columns and what to group by.
func (b *builder) groups(t *Table, names []string) (columns []*Column, groups []string, err error) {
	var wrong problems
	for i, name := range names {
		column := t.Column(name)
		if column == nil {
			wrong.add("group_by[%d]: %w", i, unknownColumn(t, name))
			continue
		}
		operand, err := b.operand(column)
		if err != nil {
			wrong.add("group_by[%d]: %w", i, err)
			continue
		}
		columns = append(columns, column)
		groups = append(groups, operand)
	}
	return columns, groups, wrong.err("")
}
