package sql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A description is a table as describe_table and its resource show it.
type description struct {
	tableLine
	Key          []string        `json:"key,omitempty"`
	Columns      []columnLine    `json:"columns"`
	References   []referenceLine `json:"references,omitempty"`
	ReferencedBy []referenceLine `json:"referenced_by,omitempty"`
	Indexes      []indexLine     `json:"indexes,omitempty"`
}

type columnLine struct {
	Name      string   `json:"name"`
	Type      string   `json:"type"`
	Nullable  bool     `json:"nullable,omitempty"`
	Default   string   `json:"default,omitempty"`
	Generated bool     `json:"generated,omitempty"`
	Values    []string `json:"values,omitempty"`
	Comment   string   `json:"comment,omitempty"`
}

type referenceLine struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Theirs  []string `json:"their_columns"`
}

type indexLine struct {
	Name    string   `json:"name"`
	Unique  bool     `json:"unique,omitempty"`
	Columns []string `json:"columns"`
}

// describe shows what of the table fits, first the columns whose name holds part.
func describe(d *Database, t *Table, part string, budget int64) (*mapping.Result, error) {
	all := description{Columns: []columnLine{}}
	for _, c := range t.Columns {
		if strings.Contains(strings.ToLower(c.Name), strings.ToLower(part)) {
			all.Columns = append(all.Columns, columnLine{c.Name, c.Type, c.Nullable, c.Default, c.Generated, c.Enum, c.Comment})
		}
	}
	for _, r := range t.Refs {
		all.References = append(all.References, referenceLine{r.Schema + "." + r.Table, r.Columns, r.ForeignColumns})
	}
	for _, other := range d.Tables {
		for _, r := range other.Refs {
			if r.Schema == t.Schema && r.Table == t.Name {
				all.ReferencedBy = append(all.ReferencedBy, referenceLine{other.ID(), r.ForeignColumns, r.Columns})
			}
		}
	}
	for _, i := range t.Indexes {
		all.Indexes = append(all.Indexes, indexLine(i))
	}
	out := description{tableLine: t.line(), Key: keyNames(t)}
	left := budget - reserve
	out.Columns, out.References = fitting(all.Columns, &left), fitting(all.References, &left)
	out.Indexes, out.ReferencedBy = fitting(all.Indexes, &left), fitting(all.ReferencedBy, &left)
	text, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", t.ID(), err)
	}
	r := &mapping.Result{JSON: text, Truncated: left < 0}
	if r.Truncated {
		r.Note = fmt.Sprintf("truncated: %d of %d columns and %d of %d references to it; [[describe_table]] takes a part of a column's name", len(out.Columns), len(all.Columns), len(out.ReferencedBy), len(all.ReferencedBy))
	}
	return r, nil
}

// fitting returns as many lines as the bytes that are left hold, and takes them
// off. Behind lines that did not fit nothing does.
func fitting[T any](lines []T, left *int64) []T {
	for i, line := range lines {
		text, err := json.Marshal(line)
		if *left -= int64(len(text)) + 1; err != nil || *left < 0 {
			return lines[:i]
		}
	}
	return lines
}

// described names the table with what its comment says.
func (t *Table) described() string {
	if t.Comment == "" {
		return t.ID()
	}
	first, _, _ := strings.Cut(t.Comment, "\n")
	return t.ID() + " (" + strings.TrimRight(first, ". ") + ")"
}

// text tells a tool's description what a model needs to write conditions: key,
// references, and the values of enums.
func (t *Table) text() string {
	var parts []string
	if t.Key != nil {
		parts = append(parts, "Key: "+strings.Join(keyNames(t), ", ")+".")
	} else {
		parts = append(parts, "It has no key.")
	}
	for _, r := range t.Refs {
		parts = append(parts, fmt.Sprintf("%s refers to %s.%s (%s).", strings.Join(r.Columns, ", "), r.Schema, r.Table, strings.Join(r.ForeignColumns, ", ")))
	}
	for _, c := range t.Columns {
		if len(c.Enum) > 0 {
			parts = append(parts, fmt.Sprintf("%s is one of %s.", c.Name, strings.Join(c.Enum, ", ")))
		}
	}
	return strings.Join(parts, " ")
}

// countOperation counts the rows of any table.
func (a *Adapter) countOperation(d *Database) mapping.Operation {
	table := map[string]any{"type": "string"}
	if len(d.Tables) <= maxEnum {
		names := make([]string, len(d.Tables))
		for i, t := range d.Tables {
			names[i] = t.ID()
		}
		table["enum"] = names
	}
	return mapping.Operation{
		Key: "count", Name: "count_rows", Noun: "row", Verb: "count",
		Summary: "Number of rows of a table, in all or by the values of some columns.",
		Use:     "Use when you need how many rows there are, or how they spread over the values of columns.",
		Avoid:   "Do not use for the rows themselves; find them instead.",
		Params: []mapping.Param{
			{Name: "table", Text: "The table or view.", Required: true, Schema: must(table)},
			{Name: "where", Text: whereText, Schema: whereSchema(nil)},
			{Name: "group_by", Text: "Columns whose values make the groups; leave it out for one number.", Schema: array(json.RawMessage(`{"type":"string"}`))},
			{Name: "limit", Text: "How many groups at most, largest first.", Schema: must(map[string]any{"type": "integer", "minimum": 1, "maximum": a.options.MaxRows})},
		},
		Output: countOutput,
	}
}
