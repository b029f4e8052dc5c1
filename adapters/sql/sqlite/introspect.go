package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The statements of introspection: one per class of object, over all tables but
// virtual ones, whose modules may not be there; and one for each view, which may
// name what is not there any more.
const (
	tablesSQL  = `SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main' AND type IN ('table','view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	columnsSQL = `SELECT m.name, c.name, c.type, c."notnull", coalesce(c.dflt_value,''), c.pk, c.hidden FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.rootpage > 0 AND c.hidden <> 1 ORDER BY m.name, c.cid`
	viewSQL    = `SELECT ?1, name, type, "notnull", coalesce(dflt_value,''), pk, hidden FROM pragma_table_xinfo(?1) ORDER BY cid`
	refsSQL    = `SELECT m.name, f.id, f."table", f."from", coalesce(f."to",'') FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.name, f.id, f.seq`
	indexesSQL = `SELECT m.name, i.name, i."unique", i.partial, i.origin = 'pk', coalesce(c.name,'') FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.name, i.seq, c.seqno`
)

// schema is the name of the one schema that a file has.
const schema = "main"

// Introspect reads sqlite_schema and the table-valued pragmas.
func (e *engine) Introspect(ctx context.Context, _ []string) (*bridgesql.Database, error) {
	if err := e.connect(); err != nil {
		return nil, err
	}
	d := &bridgesql.Database{Product: "SQLite", Name: filepath.Base(e.path), DefaultSchema: schema}
	if e.script != "" {
		d.Name = "in memory"
	}
	tables := map[string]*found{}
	steps := []struct {
		text string
		scan func(*sql.Rows) error
	}{
		{`SELECT sqlite_version()`, func(r *sql.Rows) error { return r.Scan(&d.Version) }},
		{tablesSQL, func(r *sql.Rows) error { return scanTable(r, tables) }},
		{columnsSQL, func(r *sql.Rows) error { return scanColumn(r, tables) }},
		{refsSQL, func(r *sql.Rows) error { return scanRef(r, tables) }},
		{indexesSQL, func(r *sql.Rows) error { return scanIndex(r, tables) }},
	}
	for _, s := range steps {
		if err := e.each(ctx, s.text, s.scan); err != nil {
			return nil, err
		}
	}
	for _, t := range tables {
		if t.Kind == bridgesql.View {
			err := e.each(ctx, viewSQL, func(r *sql.Rows) error { return scanColumn(r, tables) }, t.Name)
			if ctx.Err() != nil {
				return nil, err
			}
			if err != nil {
				d.Lost = append(d.Lost, mapping.Decision{Key: t.ID(), What: mapping.Dropped, Why: "it cannot be read: " + err.Error()})
				continue
			}
		}
		t.finish()
		d.Tables = append(d.Tables, t.Table)
	}
	slices.SortFunc(d.Lost, func(a, b mapping.Decision) int { return strings.Compare(a.Key, b.Key) })
	sort.Slice(d.Tables, func(i, j int) bool { return d.Tables[i].ID() < d.Tables[j].ID() })
	return d, nil
}

// Fingerprint is SQLite's own count of schema changes.
func (e *engine) Fingerprint(ctx context.Context) (string, error) {
	if err := e.connect(); err != nil {
		return "", err
	}
	var mark string
	err := e.each(ctx, `SELECT schema_version FROM pragma_schema_version`, func(r *sql.Rows) error { return r.Scan(&mark) })
	return mark, err
}

func (e *engine) each(ctx context.Context, text string, scan func(*sql.Rows) error, args ...any) error {
	found, err := e.catalogs.QueryContext(ctx, text, args...)
	if err != nil {
		return failure(ctx, err)
	}
	defer found.Close()
	for found.Next() {
		if err := scan(found); err != nil {
			return fmt.Errorf("read catalog: %w", err)
		}
	}
	if err := found.Err(); err != nil {
		return failure(ctx, err)
	}
	return nil
}

// found is a table with what decides whether its columns keep to their types.
type found struct {
	*bridgesql.Table
	strict bool
	// keyIndex tells that the primary key has an index of its own, and is not another
	// name of the rowid.
	keyIndex bool
}

func scanTable(r *sql.Rows, tables map[string]*found) error {
	t := &found{Table: &bridgesql.Table{Schema: schema, Rows: -1}}
	if err := r.Scan(&t.Name, &t.Kind, &t.strict); err != nil {
		return err
	}
	tables[t.Name] = t
	return nil
}

func scanColumn(r *sql.Rows, tables map[string]*found) error {
	var table string
	var notNull, key, hidden int
	c := &bridgesql.Column{Loose: true}
	if err := r.Scan(&table, &c.Name, &c.Type, &notNull, &c.Default, &key, &hidden); err != nil {
		return err
	}
	t := tables[table]
	if t == nil {
		return nil
	}
	if t.Kind == bridgesql.View && c.Type == "BLOB" {
		c.Type = "" // is what a view says of an expression of any type
	}
	c.Class, c.Nullable, c.Generated = class(c.Type), notNull == 0 && key == 0, hidden > 1
	t.Columns = append(t.Columns, c)
	if key > 0 {
		for len(t.Key) < key {
			t.Key = append(t.Key, nil)
		}
		t.Key[key-1] = c
	}
	return nil
}

func scanRef(r *sql.Rows, tables map[string]*found) error {
	var table, to, from, theirs string
	var id int
	if err := r.Scan(&table, &id, &to, &from, &theirs); err != nil {
		return err
	}
	t := tables[table]
	if t == nil {
		return nil
	}
	name := fmt.Sprintf("fk_%d", id)
	i := slices.IndexFunc(t.Refs, func(r *bridgesql.Reference) bool { return r.Name == name })
	if i < 0 {
		i = len(t.Refs)
		t.Refs = append(t.Refs, &bridgesql.Reference{Name: name, Schema: schema, Table: to})
	}
	ref := t.Refs[i]
	if other := tables[to]; theirs == "" && other != nil && len(other.Key) > len(ref.Columns) {
		theirs = other.Key[len(ref.Columns)].Name // REFERENCES t, without columns, means its key
	}
	ref.Columns = append(ref.Columns, from)
	ref.ForeignColumns = append(ref.ForeignColumns, theirs)
	return nil
}

func scanIndex(r *sql.Rows, tables map[string]*found) error {
	var table, name, column string
	var unique, partial, ofKey bool
	if err := r.Scan(&table, &name, &unique, &partial, &ofKey, &column); err != nil {
		return err
	}
	t := tables[table]
	if t == nil {
		return nil
	}
	t.keyIndex = t.keyIndex || ofKey
	if column == "" {
		column = "(expression)"
	}
	if n := len(t.Indexes); n > 0 && t.Indexes[n-1].Name == name {
		t.Indexes[n-1].Columns = append(t.Indexes[n-1].Columns, column)
		return nil
	}
	t.Indexes = append(t.Indexes, bridgesql.Index{Name: name, Unique: unique && !partial, Columns: []string{column}})
	return nil
}

// finish says which columns hold nothing but what they declare: those of a STRICT
// table, and an INTEGER PRIMARY KEY. A table without a primary key gets the key of a
// unique index over columns without nulls.
func (t *found) finish() {
	for _, c := range t.Columns {
		c.Loose = !t.strict || c.Type == "ANY"
		if t.strict && c.Type == "ANY" {
			c.Class = bridgesql.Other // elsewhere it is a number by affinity
		}
	}
	if len(t.Key) == 1 && strings.EqualFold(t.Key[0].Type, "INTEGER") && !t.keyIndex {
		t.Key[0].Loose = false
	}
	if t.Key != nil {
		return
	}
	for _, x := range t.Indexes {
		var key []*bridgesql.Column
		for _, name := range x.Columns {
			if c := t.Column(name); c != nil && !c.Nullable {
				key = append(key, c)
			}
		}
		if x.Unique && len(key) == len(x.Columns) {
			t.Key = key
			return
		}
	}
}

// class follows SQLite's rules for the affinity of a declared type
// (datatype3.html §3.1), and after them the words that people declare.
func class(declared string) bridgesql.Class {
	d := strings.ToUpper(declared)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(d, p) })
	}
	switch {
	case has("BOOL"):
		return bridgesql.Boolean
	case has("INT"):
		return bridgesql.BigInt
	case has("CHAR", "CLOB", "TEXT"):
		return bridgesql.Text
	case d == "":
		return bridgesql.Other // an expression of a view, or a column of anything
	case has("BLOB"):
		return bridgesql.Bytes
	case has("REAL", "FLOA", "DOUB"):
		return bridgesql.Float
	case has("DATE", "TIME"):
		return bridgesql.Timestamp
	}
	return bridgesql.Decimal
}
