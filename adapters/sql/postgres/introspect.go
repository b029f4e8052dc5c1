package postgres

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"

	"github.com/jackc/pgx/v5/pgconn"
)

// introspectSQL holds one statement per class of object, each behind a line
// "-- NAME"; {schemas} stands for the choice of schemas over the alias n.
//
//go:embed introspect.sql
var introspectSQL string

func statement(name string) string {
	_, rest, _ := strings.Cut("\n"+introspectSQL, "\n-- "+name+"\n")
	text, _, _ := strings.Cut(rest, "\n-- ")
	return text
}

// inSchemas is a step for a statement of introspect.sql. None is every schema
// that is not the system's.
func inSchemas(name string, schemas []string, rows func(*pgconn.ResultReader) error) (step, error) {
	text := statement(name)
	s := step{text: text, rows: rows}
	if !strings.Contains(text, "{schemas}") {
		return s, nil
	}
	condition := `n.nspname NOT IN ('pg_catalog','information_schema') AND n.nspname NOT LIKE 'pg\_toast%' AND n.nspname NOT LIKE 'pg\_temp\_%'`
	if len(schemas) > 0 {
		list, err := json.Marshal(schemas)
		if err != nil {
			return s, fmt.Errorf("write schema names: %w", err)
		}
		condition = `n.nspname IN (SELECT json_array_elements_text($1))`
		s.values, s.types = [][]byte{list}, []uint32{jsonOID}
	}
	s.text = strings.ReplaceAll(text, "{schemas}", "("+condition+")")
	return s, nil
}

// Introspect reads the catalogs in one round trip. Only what the role may select
// is in it.
func (e *engine) Introspect(ctx context.Context, schemas []string) (*bridgesql.Database, error) {
	in := newIntrospection()
	steps := []step{e.settings(false)}
	for _, part := range []struct {
		name string
		take func(json.RawMessage) error
	}{
		{"server", in.server}, {"tables", in.table}, {"enums", in.enum}, {"columns", in.column}, {"keys", in.index}, {"references", in.reference},
	} {
		s, err := inSchemas(part.name, schemas, func(r *pgconn.ResultReader) error {
			for r.NextRow() {
				if err := part.take(r.Values()[0]); err != nil {
					return fmt.Errorf("read %s: %w", part.name, err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	if err := e.onPool(ctx, steps...); err != nil {
		return nil, err
	}
	return in.database(), nil
}

// Fingerprint hashes the versions of the catalogs' own rows.
func (e *engine) Fingerprint(ctx context.Context) (mark string, err error) {
	s, err := inSchemas("fingerprint", e.options.Schemas, func(r *pgconn.ResultReader) error {
		for r.NextRow() {
			mark = string(r.Values()[0])
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	err = e.onPool(ctx, e.settings(false), s)
	return mark, err
}

// introspection gathers the rows of the catalogs.
type introspection struct {
	d      *bridgesql.Database
	tables map[int64]*bridgesql.Table
	enums  map[uint32][]string
	loose  bool // the server does not say in which encoding its text is
}

func newIntrospection() *introspection {
	return &introspection{
		d:      &bridgesql.Database{Product: "PostgreSQL", DefaultSchema: "public"},
		tables: map[int64]*bridgesql.Table{},
		enums:  map[uint32][]string{},
	}
}

func (in *introspection) server(raw json.RawMessage) error {
	var row struct{ Version, Name, Encoding, Comment string }
	err := json.Unmarshal(raw, &row)
	in.d.Version, in.d.Name, in.d.Comment, in.loose = row.Version, row.Name, row.Comment, row.Encoding == "SQL_ASCII"
	return err
}

var kinds = map[string]bridgesql.Kind{
	"r": bridgesql.BaseTable, "p": bridgesql.Partitioned, "f": bridgesql.Foreign, "v": bridgesql.View, "m": bridgesql.MaterializedView,
}

func (in *introspection) table(raw json.RawMessage) error {
	var row struct {
		OID                         int64
		Schema, Name, Kind, Comment string
		Rows                        int64
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return err
	}
	t := &bridgesql.Table{Schema: row.Schema, Name: row.Name, Kind: kinds[row.Kind], Comment: row.Comment, Rows: row.Rows}
	if t.Kind == bridgesql.View {
		t.Rows = -1
	}
	in.tables[row.OID] = t
	return nil
}

func (in *introspection) enum(raw json.RawMessage) error {
	var row struct {
		Type   uint32
		Values []string
	}
	err := json.Unmarshal(raw, &row)
	in.enums[row.Type] = row.Values
	return err
}

func (in *introspection) column(raw json.RawMessage) error {
	var row struct {
		Table                       int64
		Name, Type, Category, Space string
		Default, Comment            string
		Code, Base, Element         uint32
		Length                      int
		NotNull, Generated          bool
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return err
	}
	t := in.tables[row.Table]
	if t == nil {
		return nil
	}
	c := &bridgesql.Column{
		Name: row.Name, Type: row.Type, Nullable: !row.NotNull, Default: row.Default, Generated: row.Generated, Comment: row.Comment,
		Code: row.Code, Class: classOf(row.Base), Elem: elementOf(row.Base), Loose: in.loose, Enum: in.enums[row.Base],
	}
	switch {
	case c.Enum != nil:
		c.Class = bridgesql.Text
	case c.Class == bridgesql.Other && row.Length == -1 && row.Element != 0:
		c.Class, c.Elem = bridgesql.Array, &bridgesql.Column{Code: row.Element, Class: classOf(row.Element), Enum: in.enums[row.Element]}
	}
	if row.Category == "b" && row.Space != "pg_catalog" && c.Class == bridgesql.Other {
		c.Space = row.Space
	}
	t.Columns = append(t.Columns, c)
	return nil
}

func (in *introspection) index(raw json.RawMessage) error {
	var row struct {
		Table                  int64
		Name                   string
		Unique, Primary, Plain bool
		Columns                []string
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return err
	}
	t := in.tables[row.Table]
	if t == nil {
		return nil
	}
	t.Indexes = append(t.Indexes, bridgesql.Index{Name: row.Name, Unique: row.Unique, Columns: row.Columns})
	if row.Unique && row.Plain && t.Key == nil {
		t.Key = keyOf(t, row.Columns)
	}
	return nil
}

// keyOf returns the columns, or nil if one may be null or is not to be seen.
func keyOf(t *bridgesql.Table, names []string) []*bridgesql.Column {
	var key []*bridgesql.Column
	for _, name := range names {
		c := t.Column(name)
		if c == nil || c.Nullable {
			return nil
		}
		key = append(key, c)
	}
	return key
}

func (in *introspection) reference(raw json.RawMessage) error {
	var row struct {
		Table            int64
		Name, Schema, To string
		Columns, Theirs  []string
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return err
	}
	if t := in.tables[row.Table]; t != nil {
		t.Refs = append(t.Refs, &bridgesql.Reference{Name: row.Name, Columns: row.Columns, Schema: row.Schema, Table: row.To, ForeignColumns: row.Theirs})
	}
	return nil
}

func (in *introspection) database() *bridgesql.Database {
	for _, t := range in.tables {
		in.d.Tables = append(in.d.Tables, t)
	}
	sort.Slice(in.d.Tables, func(i, j int) bool { return in.d.Tables[i].ID() < in.d.Tables[j].ID() })
	return in.d
}
