package sql

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A sortKey is one entry of the argument "order_by".
type sortKey struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending"`
}

// A term is one column of an ORDER BY. Nulls come last in either direction, in
// every engine.
type term struct {
	column     *Column
	operand    string
	descending bool
}

// terms resolves order_by and appends the table's key, so that the order is
// total and a page can go on after its last row. total is false where the table
// has no key: then only an offset can go on.
func (b *builder) terms(t *Table, keys []sortKey) (terms []term, total bool, err error) {
	var wrong problems
	seen := map[string]bool{}
	add := func(c *Column, descending bool) {
		operand, err := b.operand(c)
		if err != nil {
			wrong.add("order_by: %w", err)
			return
		}
		if !seen[c.Name] {
			seen[c.Name] = true
			terms = append(terms, term{c, operand, descending})
		}
	}
	for i, k := range keys {
		column := t.Column(k.Column)
		if column == nil {
			wrong.add("order_by[%d]: %w", i, unknownColumn(t, k.Column))
			continue
		}
		add(column, k.Descending)
	}
	for _, c := range t.Key {
		add(c, len(keys) > 0 && keys[len(keys)-1].Descending)
	}
	return terms, len(t.Key) > 0, wrong.err("")
}

// orderBy writes the clause; nothing for no terms.
func (b *builder) orderBy(terms []term) {
	for i, t := range terms {
		if i == 0 {
			b.text.WriteString(" ORDER BY ")
		} else {
			b.text.WriteString(", ")
		}
		if t.column.Nullable {
			fmt.Fprintf(&b.text, "(%s IS NULL), ", b.dialect.Quote(t.column.Name))
		}
		b.text.WriteString(t.operand)
		if t.descending {
			b.text.WriteString(" DESC")
		}
	}
}

// after writes the condition that a row comes after the one with these values:
// for each prefix of the terms, the prefix is equal and the next one is beyond.
func (b *builder) after(terms []term, values []json.RawMessage) string {
	var alternatives []string
	for n := range terms {
		if isNull(values[n]) {
			continue // nulls are last
		}
		// Placeholders may be positional: the values are bound as the text has them.
		var parts []string
		for i := range n {
			parts = append(parts, b.same(terms[i], values[i]))
		}
		parts = append(parts, b.beyond(terms[n], values[n]))
		alternatives = append(alternatives, "("+strings.Join(parts, " AND ")+")")
	}
	if len(alternatives) == 0 {
		return "1 = 0"
	}
	return "(" + strings.Join(alternatives, " OR ") + ")"
}

func (b *builder) same(t term, v json.RawMessage) string {
	if isNull(v) {
		return b.dialect.Quote(t.column.Name) + " IS NULL"
	}
	return b.compare(t.operand, "=", v, t.column)
}

func (b *builder) beyond(t term, v json.RawMessage) string {
	sign := ">"
	if t.descending {
		sign = "<"
	}
	text := b.compare(t.operand, sign, v, t.column)
	if t.column.Nullable {
		return "(" + text + " OR " + b.dialect.Quote(t.column.Name) + " IS NULL)"
	}
	return text
}
