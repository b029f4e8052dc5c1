package sql

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxCompletions is how many values a client gets at most.
const maxCompletions = 100

// Complete proposes schemas and tables from the catalog and key values from the
// database, by prefix.
func (a *Adapter) Complete(ctx context.Context, c mapping.Completion) (mapping.Completions, error) {
	s, err := a.loaded(ctx)
	if err != nil {
		return mapping.Completions{}, err
	}
	d := s.database
	var names []string
	switch {
	case c.Argument == "schema":
		for _, t := range d.Tables {
			names = append(names, t.Schema)
		}
	case c.Argument == "table":
		for _, t := range d.Tables {
			if schema, known := c.Known["schema"]; !known {
				names = append(names, t.ID())
			} else if t.Schema == schema {
				names = append(names, t.Name)
			}
		}
	case strings.HasPrefix(c.Argument, "key"):
		return a.completeKey(ctx, d, c)
	}
	return prefixed(names, c.Prefix), nil
}

func prefixed(names []string, prefix string) mapping.Completions {
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, prefix) })
	slices.Sort(names)
	names = slices.Compact(names)
	total := len(names)
	return mapping.Completions{Values: names[:min(total, maxCompletions)], Total: total, More: total > maxCompletions}
}

// completeKey asks the database for values of the n-th key column, given those
// before it.
func (a *Adapter) completeKey(ctx context.Context, d *Database, c mapping.Completion) (mapping.Completions, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(c.Argument, "key"))
	t := d.table(c.Known["schema"], c.Known["table"])
	if err != nil || t == nil || n < 1 || n > len(t.Key) {
		return mapping.Completions{}, nil
	}
	b := &builder{dialect: a.engine}
	column := t.Key[n-1]
	conditions, err := b.completing(t, n, c)
	if err != nil {
		return mapping.Completions{}, nil //nolint:nilerr // values that fit nothing complete nothing
	}
	quoted := b.dialect.Quote(column.Name)
	b.text.WriteString("SELECT DISTINCT " + b.dialect.Project(quoted, column) + " FROM " + b.table(t) + conditions + " ORDER BY 1 LIMIT 101")
	var got valueList
	if err := a.engine.Query(ctx, Statement{Text: b.text.String(), Args: b.args, Types: b.types, MaxRows: maxCompletions + 1}, &got); err != nil {
		return mapping.Completions{}, err
	}
	more := len(got) > maxCompletions
	return mapping.Completions{Values: got[:min(len(got), maxCompletions)], More: more}, nil
}

// completing writes the conditions on the key columns before the n-th, and on its
// prefix.
func (b *builder) completing(t *Table, n int, c mapping.Completion) (string, error) {
	var parts []string
	for i, before := range t.Key[:n-1] {
		value, known := c.Known["key"+strconv.Itoa(i+1)]
		if !known {
			continue
		}
		part, err := b.condition(t, condition{Column: before.Name, Op: "eq", Value: before.fromText(value)})
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	if column := t.Key[n-1]; c.Prefix != "" {
		operand, err := b.operand(column)
		if err != nil {
			return "", err
		}
		pattern := AppendText(nil, []byte(likeEscaper.Replace(c.Prefix)+"%"))
		parts = append(parts, b.dialect.Like(operand, b.bind(pattern, &Column{Class: Text, Type: "text"})))
	}
	if len(parts) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(parts, " AND "), nil
}

// segment is a value of a result as a URI has it, before it is escaped: what
// fromText reads.
func segment(v json.RawMessage) string {
	s := string(v)
	var b struct{ Base64 *string }
	if json.Unmarshal(v, &s) != nil && json.Unmarshal(v, &b) == nil && b.Base64 != nil {
		s = *b.Base64
	}
	if s == "" {
		return emptySegment
	}
	return s
}

// valueList is a Sink of one column's values as text.
type valueList []string

func (v *valueList) Columns([]*Column) error { return nil }

func (v *valueList) Row(values []json.RawMessage) error {
	*v = append(*v, segment(values[0]))
	return nil
}
