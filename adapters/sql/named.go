package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// addNamed adds a tool for each of the operator's queries. One that cannot be
// prepared is left out, with the reason.
func (a *Adapter) addNamed(ctx context.Context, s *state) {
	for _, name := range slices.Sorted(maps.Keys(a.options.Queries)) {
		n, err := a.prepare(ctx, name, a.options.Queries[name])
		if err != nil {
			s.catalog.Lost = append(s.catalog.Lost, mapping.Decision{Key: "queries/" + name, What: mapping.Dropped, Why: err.Error(), Where: "queries." + name})
			continue
		}
		s.add(n.operation(a.options), func(ctx context.Context, c mapping.Call) (*mapping.Result, error) { return a.runNamed(ctx, n, c) })
	}
}

// A named is a query of the operator's, prepared once.
type named struct {
	name string
	NamedQuery
	text    string
	order   []string // the parameter at each placeholder
	types   []*Column
	columns []*Column // nil where the engine does not tell before it runs
	objects bool      // the column names are known and do not repeat
}

func (a *Adapter) prepare(ctx context.Context, name string, q NamedQuery) (*named, error) {
	n := &named{name: name, NamedQuery: q}
	n.text, n.order = placeholders(q.SQL, a.engine)
	for param := range q.Params {
		if !slices.Contains(n.order, param) {
			return nil, fmt.Errorf("the parameter %s is described, but the SQL has no :%s", param, param)
		}
	}
	var err error
	if n.types, n.columns, err = a.engine.Describe(ctx, n.text); err != nil {
		return nil, fmt.Errorf("it cannot be prepared: %w", err)
	}
	if len(n.types) != len(n.order) {
		n.types = nil
	}
	names := map[string]bool{}
	for _, c := range n.columns {
		names[c.Name] = true
	}
	n.objects = len(n.columns) > 0 && len(names) == len(n.columns)
	return n, nil
}

func (n *named) operation(o Options) mapping.Operation {
	op := mapping.Operation{
		Key: "queries/" + n.name, Name: n.name, Verb: "query", Where: "queries." + n.name,
		Summary: n.Description, Output: queryOutput,
		Params: []mapping.Param{{Name: "limit", Text: fmt.Sprintf("How many rows at most; %d if left out.", min(pageRows, o.MaxRows)), Schema: must(map[string]any{"type": "integer", "minimum": 1, "maximum": o.MaxRows})}},
	}
	if n.objects {
		op.Output = findOutput(&Table{Columns: n.columns})
	}
	for i, name := range n.order {
		if slices.Index(n.order, name) != i {
			continue
		}
		p := n.Params[name]
		param := mapping.Param{Name: name, Text: p.Description, Required: !p.Optional, Schema: p.Schema}
		if param.Schema == nil {
			param.Schema = json.RawMessage(`{"type":["string","number","boolean"]}`)
			if n.types != nil {
				param.Schema = n.types[i].input()
			}
		}
		op.Params = append(op.Params, param)
	}
	return op
}

func (a *Adapter) runNamed(ctx context.Context, n *named, c mapping.Call) (*mapping.Result, error) {
	sent := map[string]json.RawMessage{}
	for _, arg := range c.Args {
		sent[arg.Name] = arg.Value
	}
	s := Statement{Text: n.text, Types: n.types}
	for _, name := range n.order {
		s.Args = append(s.Args, sent[name])
	}
	var want struct {
		Limit int `json:"limit"`
	}
	if v, ok := sent["limit"]; ok && json.Unmarshal(v, &want.Limit) != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "limit is not a whole number"}
	}
	limit := a.limit(want.Limit)
	s.MaxRows = limit + 1
	got := &rows{names: n.objects, columns: n.columns, max: limit, budget: c.Budget - reserve, cell: cellBytes}
	if err := a.engine.Foreign(ctx, s, got); err != nil {
		return nil, err
	}
	if !n.objects {
		return table(got)
	}
	text := append([]byte(`{"rows":[`), got.out.Bytes()...)
	return &mapping.Result{JSON: append(text, "]}"...), Truncated: got.more, Note: got.note("raise limit")}, nil
}

// placeholders replaces each :name outside quotes and comments by the dialect's
// placeholder, and returns the names in their order.
func placeholders(text string, d Dialect) (string, []string) {
	var out strings.Builder
	var order []string
	for i := 0; i < len(text); {
		skip := quotedLength(text[i:])
		switch {
		case skip > 0:
			out.WriteString(text[i : i+skip])
			i += skip
		case strings.HasPrefix(text[i:], "::"):
			out.WriteString("::")
			i += 2
		case text[i] == ':' && i+1 < len(text) && nameByte(text[i+1]):
			end := i + 1
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			order = append(order, text[i+1:end])
			out.WriteString(d.Placeholder(len(order), nil))
			i = end
		default:
			out.WriteByte(text[i])
			i++
		}
	}
	return out.String(), order
}

// quotedLength is the length of the quoted text or the comment that begins here,
// 0 if none does.
func quotedLength(text string) int {
	for _, q := range []struct{ open, end string }{{"'", "'"}, {`"`, `"`}, {"`", "`"}, {"--", "\n"}, {"/*", "*/"}, {"$$", "$$"}} {
		if rest, ok := strings.CutPrefix(text, q.open); ok {
			if n := strings.Index(rest, q.end); n >= 0 {
				return len(q.open) + n + len(q.end)
			}
			return len(text)
		}
	}
	return 0
}

func nameByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
