package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sort"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// The statements of introspection: one per class of object. {schemas} stands for
// the choice of schemas.
const (
	tablesSQL  = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, COALESCE(TABLE_COMMENT,''), COALESCE(TABLE_ROWS,-1) FROM information_schema.TABLES WHERE TABLE_SCHEMA {schemas}`
	columnsSQL = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COALESCE(COLUMN_DEFAULT,''), EXTRA, COLUMN_COMMENT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA {schemas} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`
	indexesSQL = `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, COALESCE(COLUMN_NAME,''), COALESCE(SUB_PART,0) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA {schemas} ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX`
	refsSQL    = `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA {schemas} AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`
	jsonSQL    = `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA {schemas} AND CHECK_CLAUSE LIKE 'json\_valid(%'`
	markSQL    = `SELECT CONCAT_WS('/', COUNT(*), BIT_XOR(CRC32(CONCAT_WS('|', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_TYPE, IS_NULLABLE, COLUMN_KEY, EXTRA, COLUMN_COMMENT)))) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA {schemas}`
)

// inSchemas writes the choice of schemas: those named, else the connection's
// database, else all that are not the system's.
func inSchemas(text string, schemas []string, current string) (string, []any) {
	if len(schemas) == 0 && current != "" {
		schemas = []string{current}
	}
	if len(schemas) == 0 {
		return strings.ReplaceAll(text, "{schemas}", "NOT IN ('mysql','sys','information_schema','performance_schema')"), nil
	}
	args := make([]any, len(schemas))
	for i, s := range schemas {
		args[i] = s
	}
	return strings.ReplaceAll(text, "{schemas}", "IN (?"+strings.Repeat(",?", len(schemas)-1)+")"), args
}

// each runs a statement of ours and scans its rows.
func (e *engine) each(ctx context.Context, text string, args []any, scan func(*sql.Rows) error) error {
	if err := e.connect(ctx); err != nil {
		return err
	}
	return e.session(ctx, e.pool, func(ctx context.Context, conn session) error {
		found, err := conn.QueryContext(ctx, text, args...)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			if err := scan(found); err != nil {
				return fmt.Errorf("read catalog: %w", err)
			}
		}
		return found.Err()
	})
}

func (e *engine) current(ctx context.Context) (version, database string, err error) {
	err = e.each(ctx, `SELECT VERSION(), COALESCE(DATABASE(),'')`, nil, func(r *sql.Rows) error { return r.Scan(&version, &database) })
	return version, database, err
}

// Introspect reads information_schema.
func (e *engine) Introspect(ctx context.Context, schemas []string) (*bridgesql.Database, error) {
	version, current, err := e.current(ctx)
	if err != nil {
		return nil, err
	}
	d := &bridgesql.Database{Product: "MySQL", Version: version, Name: current, DefaultSchema: current}
	if e.mariadb {
		d.Product = "MariaDB"
	}
	// For tables and for references the server opens every table, which takes most
	// of the time in a large schema, so they are asked for at once.
	refs, refsRead := []reference{}, make(chan error, 1)
	refsCtx, cancel := context.WithCancel(ctx)
	go func() {
		text, args := inSchemas(refsSQL, schemas, current)
		refsRead <- e.each(refsCtx, text, args, func(r *sql.Rows) error {
			var ref reference
			err := r.Scan(&ref.schema, &ref.table, &ref.name, &ref.column, &ref.toSchema, &ref.to, &ref.theirs)
			refs = append(refs, ref)
			return err
		})
	}()
	in := introspection{}
	err = in.read(ctx, e, func(text string) (string, []any) { return inSchemas(text, schemas, current) })
	if err != nil {
		cancel()
	}
	err = cmp.Or(err, <-refsRead)
	cancel()
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		in.refer(ref)
	}
	for _, t := range in {
		in.choose(t)
		d.Tables = append(d.Tables, t.Table)
	}
	sort.Slice(d.Tables, func(i, j int) bool { return d.Tables[i].ID() < d.Tables[j].ID() })
	return d, nil
}

// Fingerprint hashes the columns of all tables.
func (e *engine) Fingerprint(ctx context.Context) (mark string, err error) {
	_, current, err := e.current(ctx)
	if err != nil {
		return "", err
	}
	text, args := inSchemas(markSQL, e.options.Schemas, current)
	err = e.each(ctx, text, args, func(r *sql.Rows) error { return r.Scan(&mark) })
	return mark, err
}

// A reference is one column of a foreign key.
type reference struct{ schema, table, name, column, toSchema, to, theirs string }

// introspection gathers the tables by schema and name.
type introspection map[[2]string]*candidate

// A candidate is a table whose key is still to be chosen.
type candidate struct {
	*bridgesql.Table
	prefixed map[string]bool // indexes over a prefix of a column, which identify nothing
}

// read asks for tables, and then for what they have.
func (in introspection) read(ctx context.Context, e *engine, chosen func(string) (string, []any)) error {
	for _, s := range []struct {
		text string
		scan func(*sql.Rows) error
	}{{tablesSQL, in.table}, {columnsSQL, in.column}, {indexesSQL, in.index}} {
		text, args := chosen(s.text)
		if err := e.each(ctx, text, args, s.scan); err != nil {
			return err
		}
	}
	if !e.mariadb || !in.hasLongText() {
		return nil
	}
	text, args := chosen(jsonSQL)
	return e.each(ctx, text, args, in.json)
}

func (in introspection) hasLongText() bool {
	for _, t := range in {
		if slices.ContainsFunc(t.Columns, func(c *bridgesql.Column) bool { return c.Type == "longtext" }) {
			return true
		}
	}
	return false
}

// json tells the columns that MariaDB was asked to make as json. It keeps them as
// text with a check.
func (in introspection) json(r *sql.Rows) error {
	var schema, table, clause string
	if err := r.Scan(&schema, &table, &clause); err != nil {
		return err
	}
	t := in[[2]string{schema, table}]
	if t == nil {
		return nil
	}
	for _, c := range t.Columns {
		if clause == "json_valid("+(dialect{}).Quote(c.Name)+")" {
			c.Class, c.Type = bridgesql.JSON, "json"
		}
	}
	return nil
}

func (in introspection) table(r *sql.Rows) error {
	t := &bridgesql.Table{}
	var kind string
	if err := r.Scan(&t.Schema, &t.Name, &kind, &t.Comment, &t.Rows); err != nil {
		return err
	}
	switch kind {
	case "BASE TABLE", "SYSTEM VERSIONED":
		t.Kind = bridgesql.BaseTable
	case "VIEW", "SYSTEM VIEW":
		t.Kind, t.Rows, t.Comment = bridgesql.View, -1, ""
	default:
		return nil // sequences and temporary tables
	}
	in[[2]string{t.Schema, t.Name}] = &candidate{t, map[string]bool{}}
	return nil
}

func (in introspection) column(r *sql.Rows) error {
	var schema, table, nullable, extra string
	c := &bridgesql.Column{}
	if err := r.Scan(&schema, &table, &c.Name, &c.Type, &nullable, &c.Default, &extra, &c.Comment); err != nil {
		return err
	}
	t := in[[2]string{schema, table}]
	if t == nil {
		return nil
	}
	c.Class, c.Nullable = classOf(strings.ToLower(c.Type)), nullable == "YES"
	c.Generated = strings.Contains(extra, "GENERATED") || strings.Contains(extra, "auto_increment") || strings.Contains(extra, "VIRTUAL") || strings.Contains(extra, "PERSISTENT")
	if body, ok := strings.CutPrefix(c.Type, "enum("); ok {
		c.Enum = enumValues(strings.TrimSuffix(body, ")"))
	}
	t.Columns = append(t.Columns, c)
	return nil
}

// enumValues reads 'a','it”s': quotes are doubled.
func enumValues(text string) []string {
	var values []string
	for text != "" {
		text = text[1:]
		end := 0
		for end < len(text) && (text[end] != '\'' || end+1 < len(text) && text[end+1] == '\'') {
			if text[end] == '\'' {
				end++
			}
			end++
		}
		values = append(values, strings.ReplaceAll(text[:end], "''", "'"))
		text = strings.TrimPrefix(text[min(end+1, len(text)):], ",")
	}
	return values
}

func (in introspection) index(r *sql.Rows) error {
	var schema, table, name, column string
	var notUnique, prefix int
	if err := r.Scan(&schema, &table, &name, &notUnique, &column, &prefix); err != nil {
		return err
	}
	t := in[[2]string{schema, table}]
	if t == nil {
		return nil
	}
	if column == "" {
		column = "(expression)"
	}
	if prefix > 0 {
		t.prefixed[name] = true
	}
	if n := len(t.Indexes); n > 0 && t.Indexes[n-1].Name == name {
		t.Indexes[n-1].Columns = append(t.Indexes[n-1].Columns, column)
		return nil
	}
	t.Indexes = append(t.Indexes, bridgesql.Index{Name: name, Unique: notUnique == 0, Columns: []string{column}})
	return nil
}

// choose takes the first unique index, the primary key before others, whose
// columns are whole and not null.
func (in introspection) choose(t *candidate) {
	for _, x := range t.Indexes {
		var key []*bridgesql.Column
		for _, name := range x.Columns {
			if c := t.Column(name); c != nil && !c.Nullable {
				key = append(key, c)
			}
		}
		if x.Unique && !t.prefixed[x.Name] && len(key) == len(x.Columns) {
			t.Key = key
			return
		}
	}
}

func (in introspection) refer(ref reference) {
	t := in[[2]string{ref.schema, ref.table}]
	if t == nil {
		return
	}
	i := slices.IndexFunc(t.Refs, func(r *bridgesql.Reference) bool { return r.Name == ref.name })
	if i < 0 {
		i = len(t.Refs)
		t.Refs = append(t.Refs, &bridgesql.Reference{Name: ref.name, Schema: ref.toSchema, Table: ref.to})
	}
	t.Refs[i].Columns = append(t.Refs[i].Columns, ref.column)
	t.Refs[i].ForeignColumns = append(t.Refs[i].ForeignColumns, ref.theirs)
}
