package sql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The paths of resources. Rows have one template per number of key columns, so
// that every value stands in a segment of its own.
const (
	overviewPath = ""
	schemaPath   = "{schema}"
	tablePath    = "{schema}/{table}"
)

func rowPath(columns int) string {
	path := tablePath
	for i := range columns {
		path += fmt.Sprintf("/{key%d}", i+1)
	}
	return path
}

const jsonType = "application/json"

func resources(d *Database) []mapping.Resource {
	list := []mapping.Resource{
		{Path: overviewPath, Name: "overview", Text: "The schemas and tables of the database.", MIME: jsonType},
		{Path: schemaPath, Name: "schema", Text: "The tables and views of one schema.", MIME: jsonType},
		{Path: tablePath, Name: "table", Text: "The description of one table or view: columns, key, references, indexes.", MIME: jsonType},
	}
	var sizes []int
	for _, t := range d.Tables {
		if n := len(t.Key); n > 0 && !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	slices.Sort(sizes)
	for _, n := range sizes {
		text := "One row, by the value of its key column."
		if n > 1 {
			text = fmt.Sprintf("One row, by the values of its %d key columns in the key's order.", n)
		}
		list = append(list, mapping.Resource{Path: rowPath(n), Name: fmt.Sprintf("row_by_%d", n), Text: text, MIME: jsonType})
	}
	return list
}

// Read returns the overview, a schema, a table's description, or a row.
func (a *Adapter) Read(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
	r.Budget = min(r.Budget, r.MaxBytes)
	return within(r.MaxBytes)(a.read(ctx, r))
}

func (a *Adapter) read(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
	s, err := a.loaded(ctx)
	if err != nil {
		return nil, err
	}
	d := s.database
	switch r.Path {
	case overviewPath:
		return overview(d, r.Budget)
	case schemaPath:
		got, err := schemaTables(d, r.Vars["schema"], r.Budget)
		return got, d.hint(r, err)
	}
	t := d.table(r.Vars["schema"], r.Vars["table"])
	switch {
	case t == nil:
		return nil, d.hint(r, missing("table"))
	case r.Path == tablePath:
		return describe(d, t, "", r.Budget)
	case t.Key == nil || r.Path != rowPath(len(t.Key)):
		return nil, missing("row")
	}
	key := make(map[string]json.RawMessage, len(t.Key))
	for i, c := range t.Key {
		key[c.Name] = c.fromText(r.Vars[fmt.Sprintf("key%d", i+1)])
	}
	got, err := a.row(ctx, t, key, r.Budget)
	if mapping.CodeOf(err) == mapping.Invalid {
		return nil, missing("row") // a key that no row can have
	}
	if err != nil {
		return nil, err
	}
	return &mapping.Result{JSON: got.out.Bytes(), Truncated: len(got.cut) > 0, Note: got.note("")}, nil
}

func missing(what string) error {
	return &mapping.Error{Code: mapping.NotFound, Problem: "there is no such " + what}
}

// hint adds to an error about a path without a schema how to write it. nil stays nil.
func (d *Database) hint(r mapping.Read, err error) error {
	var e *mapping.Error
	tables := d.named[r.Vars["schema"]]
	if !errors.As(err, &e) || len(tables) == 0 {
		return err
	}
	segments := []string{tables[0].Schema, r.Vars["schema"]}
	for name, i := "table", 1; ; i++ {
		v, ok := r.Vars[name]
		if !ok {
			break
		}
		segments = append(segments, v)
		name = fmt.Sprintf("key%d", i)
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	e.Next = fmt.Sprintf("a URI names the schema before the table: this one ends in /%s", strings.Join(segments, "/"))
	return e
}

func overview(d *Database, budget int64) (*mapping.Result, error) {
	var schemas []string
	for _, t := range d.Tables {
		if !slices.Contains(schemas, t.Schema) {
			schemas = append(schemas, t.Schema)
		}
	}
	return summary(map[string]any{
		"product": strings.TrimSpace(d.Product + " " + d.Version), "database": d.Name, "comment": d.Comment, "schemas": schemas,
	}, d.Tables, budget)
}

func schemaTables(d *Database, schema string, budget int64) (*mapping.Result, error) {
	var tables []*Table
	for _, t := range d.Tables {
		if t.Schema == schema {
			tables = append(tables, t)
		}
	}
	if tables == nil {
		return nil, missing("schema")
	}
	return summary(map[string]any{"schema": schema}, tables, budget)
}

// summary adds as many table lines as fit.
func summary(object map[string]any, tables []*Table, budget int64) (*mapping.Result, error) {
	lines := []tableLine{}
	r := &mapping.Result{}
	size := int64(reserve)
	for _, t := range tables {
		line := t.line()
		size += int64(120 + len(line.Table) + len(line.Comment))
		if size > budget {
			r.Truncated = true
			r.Note = fmt.Sprintf("truncated: %d of %d tables; [[list_tables]] pages through all", len(lines), len(tables))
			break
		}
		lines = append(lines, line)
	}
	object["tables"], object["table_count"] = lines, len(tables)
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("write overview: %w", err)
	}
	r.JSON = text
	return r, nil
}
