package sql

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// addGeneric adds the one set of tools that take the name of a table.
func (a *Adapter) addGeneric(s *state) {
	d := s.database
	table := mapping.Param{Name: "table", Text: "The table or view, as SCHEMA.TABLE, or TABLE alone where only one schema has it.", Required: true, Schema: json.RawMessage(`{"type":"string"}`)}
	s.add(mapping.Operation{
		Key: "list_tables", Name: "list_tables", Noun: "table", Verb: "list",
		Summary: "Tables and views of the database with their kind, comment and estimated number of rows.",
		Use:     "Use when you need to know which tables there are, or to find a table by a part of its name.",
		Avoid:   "Do not use for the columns of a table you know; use [[describe_table]] instead.",
		Params: []mapping.Param{
			{Name: "name", Text: "Part of the table's name or comment, without regard to case.", Schema: json.RawMessage(`{"type":"string"}`)},
			{Name: "schema", Text: "Only tables of this schema.", Schema: json.RawMessage(`{"type":"string"}`)},
			cursorParam,
		},
		Output: listOutput,
	}, func(_ context.Context, c mapping.Call) (*mapping.Result, error) { return listTables(d, c) })
	s.add(mapping.Operation{
		Key: "describe_table", Name: "describe_table", Noun: "table", Verb: "get",
		Summary: "Columns, key, references and indexes of one table or view.",
		Use:     "Use when you need the columns and types of a table before finding rows or writing conditions.",
		Avoid:   "Do not use for rows; use [[find_rows]] instead.",
		Params: []mapping.Param{table, {
			Name: "column", Text: "Part of a column's name, without regard to case; leave it out for all columns.", Schema: json.RawMessage(`{"type":"string"}`),
		}},
		Output: describeOutput,
	}, a.onTable(d, func(_ context.Context, t *Table, c mapping.Call) (*mapping.Result, error) {
		var want struct{ Column string }
		if err := decode(c, &want); err != nil {
			return nil, err
		}
		return describe(d, t, want.Column, c.Budget)
	}))
	s.add(mapping.Operation{
		Key: "find_rows", Name: "find_rows", Noun: "row", Verb: "list",
		Summary: "Rows of one table, filtered, sorted and paged.",
		Use:     "Use when you need rows of a table that fit conditions, or a page of them.",
		Avoid:   "Do not use for one row whose key you know; use [[get_row]] instead, or for counting; use [[count]] instead.",
		Params:  append([]mapping.Param{table}, a.findParams(nil)...),
		Output:  findOutput(nil),
	}, a.onTable(d, a.find))
	s.add(mapping.Operation{
		Key: "get_row", Name: "get_row", Noun: "row", Verb: "get",
		Summary: "One row of a table by its key, with every column.",
		Use:     "Use when you know the key of a row and need all of it.",
		Avoid:   "Do not use for looking rows up by anything else; use [[find_rows]] instead.",
		Params: []mapping.Param{table, {
			Name: "key", Text: "The value of each key column, by column name. [[describe_table]] tells the key.", Required: true,
			Schema: json.RawMessage(`{"type":"object","additionalProperties":{"type":["string","number","boolean"]}}`),
		}},
		Output: object("row", json.RawMessage(`{"type":"object"}`)),
	}, a.onTable(d, a.getByKey))
}

// onTable resolves the argument "table" before the rest of an operation.
func (a *Adapter) onTable(d *Database, then func(context.Context, *Table, mapping.Call) (*mapping.Result, error)) run {
	return func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		var want struct {
			Table string `json:"table"`
		}
		if err := decode(c, &want); err != nil {
			return nil, err
		}
		t, err := a.named(d, want.Table)
		if err != nil {
			return nil, err
		}
		return then(ctx, t, c)
	}
}

func (a *Adapter) getByKey(ctx context.Context, t *Table, c mapping.Call) (*mapping.Result, error) {
	var want struct {
		Key map[string]json.RawMessage `json:"key"`
	}
	if err := decode(c, &want); err != nil {
		return nil, err
	}
	if t.Key == nil {
		return nil, &mapping.Error{Code: mapping.Unsupported, Problem: t.ID() + " has no key, so no single row can be named", Next: "use [[find_rows]] with conditions"}
	}
	return a.get(ctx, t, want.Key, c.Budget)
}

// tableLine is one entry of list_tables and of the overview.
type tableLine struct {
	Table   string `json:"table"`
	Kind    Kind   `json:"kind"`
	Comment string `json:"comment,omitempty"`
	Rows    *int64 `json:"estimated_rows,omitempty"`
	Key     string `json:"key,omitempty"`
}

func (t *Table) line() tableLine {
	l := tableLine{Table: t.ID(), Kind: t.Kind, Comment: t.Comment, Key: strings.Join(keyNames(t), ", ")}
	if t.Rows >= 0 {
		l.Rows = &t.Rows
	}
	return l
}

// listTables answers from memory, a page within the budget at a time; the cursor
// is the last table's name.
func listTables(d *Database, c mapping.Call) (*mapping.Result, error) {
	var want struct{ Name, Schema, Cursor string }
	if err := decode(c, &want); err != nil {
		return nil, err
	}
	part := strings.ToLower(want.Name)
	answer := struct {
		Tables     []tableLine `json:"tables"`
		NextCursor string      `json:"next_cursor,omitempty"`
	}{Tables: []tableLine{}}
	size := int64(0)
	r := &mapping.Result{}
	for _, t := range d.Tables {
		if t.ID() <= want.Cursor && want.Cursor != "" || want.Schema != "" && t.Schema != want.Schema ||
			!strings.Contains(strings.ToLower(t.Name+" "+t.Comment), part) {
			continue
		}
		line := t.line()
		size += int64(120 + len(line.Table) + len(line.Comment))
		if size > c.Budget-reserve && len(answer.Tables) > 0 {
			answer.NextCursor = answer.Tables[len(answer.Tables)-1].Table
			value, err := json.Marshal(answer.NextCursor)
			if err != nil {
				return nil, err
			}
			r.Truncated, r.Next = true, &mapping.Next{Args: withArg(c.Args, "cursor", value)}
			r.Note = "Give a part of the name to see less."
			break
		}
		answer.Tables = append(answer.Tables, line)
	}
	text, err := json.Marshal(answer)
	r.JSON = text
	return r, err
}
