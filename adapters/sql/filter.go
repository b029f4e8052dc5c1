package sql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A condition is one entry of the argument "where". All entries must hold.
type condition struct {
	Column string          `json:"column"`
	Op     string          `json:"op"`
	Value  json.RawMessage `json:"value"`
}

// The operators, in the order in which they are offered. Comparisons follow SQL:
// a null is neither equal to nor different from anything.
var operators = []string{"eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "contains", "starts_with", "is_null", "is_not_null"}

var comparisons = map[string]string{"eq": "=", "ne": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}

// maxList bounds the values of one "in".
const maxList = 1000

// A builder collects the text of one statement and its bound values. Nothing a
// model wrote becomes text: identifiers come from the schema, values are bound.
type builder struct {
	dialect Dialect
	text    strings.Builder
	args    []json.RawMessage
	types   []*Column
}

// bind adds a value and returns its placeholder.
func (b *builder) bind(v json.RawMessage, of *Column) string {
	b.args = append(b.args, v)
	b.types = append(b.types, of)
	return b.dialect.Placeholder(len(b.args), of)
}

// table writes the table's quoted name.
func (b *builder) table(t *Table) string {
	if t.Schema == "" {
		return b.dialect.Quote(t.Name)
	}
	return b.dialect.Quote(t.Schema) + "." + b.dialect.Quote(t.Name)
}

// operand writes a column for a comparison, or says why it has none.
func (b *builder) operand(c *Column) (string, error) {
	text := b.dialect.Operand(b.dialect.Quote(c.Name), c)
	if text == "" {
		return "", fmt.Errorf("column %q of type %s cannot be compared or sorted", c.Name, c.Type)
	}
	return text, nil
}

// where writes the WHERE clause for all conditions, or reports every one that
// does not fit the table.
func (b *builder) where(t *Table, conditions []condition) error {
	var wrong problems
	var parts []string
	for i, c := range conditions {
		part, err := b.condition(t, c)
		if err != nil {
			wrong.add("where[%d]: %w", i, err)
			continue
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		b.text.WriteString(" WHERE " + strings.Join(parts, " AND "))
	}
	return wrong.err("")
}

func (b *builder) condition(t *Table, c condition) (string, error) {
	column := t.Column(c.Column)
	if column == nil {
		return "", unknownColumn(t, c.Column)
	}
	operand, err := b.operand(column)
	if err != nil && c.Op != "is_null" && c.Op != "is_not_null" {
		return "", err
	}
	null := isNull(c.Value)
	switch c.Op {
	case "is_null":
		return b.dialect.Quote(column.Name) + " IS NULL", nil
	case "is_not_null":
		return b.dialect.Quote(column.Name) + " IS NOT NULL", nil
	case "in", "not_in":
		return b.list(operand, column, c)
	case "contains", "starts_with":
		return b.match(operand, column, c)
	}
	sign, ok := comparisons[c.Op]
	switch {
	case !ok:
		return "", fmt.Errorf("op %q is not one of %s", c.Op, strings.Join(operators, ", "))
	case null && c.Op == "eq":
		return b.dialect.Quote(column.Name) + " IS NULL", nil
	case null && c.Op == "ne":
		return b.dialect.Quote(column.Name) + " IS NOT NULL", nil
	case null:
		return "", fmt.Errorf("op %q needs a value", c.Op)
	}
	value, err := column.accept(c.Value)
	if err != nil {
		return "", err
	}
	return b.compare(operand, sign, value, column), nil
}

// compare writes an operand, a comparison sign and a bound value.
func (b *builder) compare(operand, sign string, value json.RawMessage, of *Column) string {
	return operand + " " + b.dialect.Operator(sign, of) + " " + b.bind(value, of)
}

func (b *builder) list(operand string, column *Column, c condition) (string, error) {
	var values []json.RawMessage
	if json.Unmarshal(c.Value, &values) != nil || values == nil {
		return "", fmt.Errorf("op %q needs a value that is an array", c.Op)
	}
	if len(values) > maxList {
		return "", fmt.Errorf("op %q takes at most %d values, not %d", c.Op, maxList, len(values))
	}
	if len(values) == 0 { // IN () is no SQL; nothing is in an empty list
		return map[string]string{"in": "1 = 0", "not_in": "1 = 1"}[c.Op], nil
	}
	sign, joint := "=", " OR "
	if c.Op == "not_in" {
		sign, joint = "<>", " AND "
	}
	parts := make([]string, len(values))
	for i, v := range values {
		if isNull(v) {
			return "", fmt.Errorf("op %q cannot hold null; use is_null", c.Op)
		}
		value, err := column.accept(v)
		if err != nil {
			return "", err
		}
		parts[i] = b.compare(operand, sign, value, column)
	}
	return "(" + strings.Join(parts, joint) + ")", nil
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func (b *builder) match(operand string, column *Column, c condition) (string, error) {
	var text string
	if column.Class != Text {
		return "", fmt.Errorf("op %q works on text; %s is %s", c.Op, column.Name, column.Type)
	}
	if json.Unmarshal(c.Value, &text) != nil || isNull(c.Value) {
		return "", fmt.Errorf("op %q needs a value that is a string", c.Op)
	}
	pattern := likeEscaper.Replace(text) + "%"
	if c.Op == "contains" {
		pattern = "%" + pattern
	}
	value, err := json.Marshal(pattern)
	if err != nil {
		return "", err
	}
	return b.dialect.Like(operand, b.bind(value, &Column{Class: Text, Type: "text"})), nil
}

func isNull(v json.RawMessage) bool {
	v = bytes.TrimSpace(v)
	return len(v) == 0 || string(v) == "null"
}

// problems gathers all that is wrong with a call, so that a model hears of
// everything at once.
type problems []string

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Errorf(format, args...).Error())
}

// err returns the problems as one error for the model, nil if there are none.
func (p problems) err(next string) error {
	if len(p) == 0 {
		return nil
	}
	return &mapping.Error{Code: mapping.Invalid, Problem: strings.Join(p, "; "), Next: next}
}
