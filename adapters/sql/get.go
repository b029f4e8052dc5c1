package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// get returns the row with this key, as {"row": {…}}.
func (a *Adapter) get(ctx context.Context, t *Table, key map[string]json.RawMessage, budget int64) (*mapping.Result, error) {
	got, err := a.row(ctx, t, key, budget)
	if err != nil {
		return nil, err
	}
	text := append([]byte(`{"row":`), got.out.Bytes()...)
	return &mapping.Result{JSON: append(text, '}'), Truncated: len(got.cut) > 0, Note: got.note("")}, nil
}

// row reads the one row with this key into a sink.
func (a *Adapter) row(ctx context.Context, t *Table, key map[string]json.RawMessage, budget int64) (*rows, error) {
	b := &builder{dialect: a.engine}
	parts, err := b.key(t, key)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, c := range t.Columns {
		list = append(list, b.dialect.Project(b.dialect.Quote(c.Name), c))
	}
	text := "SELECT " + strings.Join(list, ", ") + " FROM " + b.table(t) + " WHERE " + strings.Join(parts, " AND ")
	// One row may use the whole answer; each long cell gets its share.
	got := &rows{names: true, columns: t.Columns, max: 1, budget: budget, cell: max(cellBytes, int(budget-reserve)/max(1, len(t.Columns)))}
	if err := a.engine.Query(ctx, Statement{Text: text, Args: b.args, Types: b.types, Columns: t.Columns, MaxRows: 1}, got); err != nil {
		return nil, err
	}
	if got.n == 0 {
		return nil, &mapping.Error{
			Code:    mapping.NotFound,
			Problem: fmt.Sprintf("%s has no row with %s", t.ID(), spellKey(t, key)),
			Next:    "look for the row by other columns with [[" + a.findKey(t) + "]]",
		}
	}
	return got, nil
}

// key writes one equation per key column, or reports every one that is missing,
// unknown or of the wrong type.
func (b *builder) key(t *Table, key map[string]json.RawMessage) ([]string, error) {
	var wrong problems
	var parts []string
	for _, c := range t.Key {
		v, ok := key[c.Name]
		if !ok || isNull(v) {
			wrong.add("the key column %s is missing", c.Name)
			continue
		}
		value, err := c.accept(v)
		if err != nil {
			wrong.add("%w", err)
			continue
		}
		operand, err := b.operand(c)
		if err != nil {
			wrong.add("%w", err)
			continue
		}
		parts = append(parts, b.compare(operand, "=", value, c))
	}
	for name := range key {
		if !slices.Contains(keyNames(t), name) {
			wrong.add("%s is no key column; the key is %s", name, strings.Join(keyNames(t), ", "))
		}
	}
	return parts, wrong.err("")
}

func keyNames(t *Table) []string {
	names := make([]string, len(t.Key))
	for i, c := range t.Key {
		names[i] = c.Name
	}
	return names
}

func spellKey(t *Table, key map[string]json.RawMessage) string {
	parts := make([]string, len(t.Key))
	for i, c := range t.Key {
		parts[i] = c.Name + " = " + shorten(key[c.Name])
	}
	return strings.Join(parts, ", ")
}
