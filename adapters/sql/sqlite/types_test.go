package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestColumnsKeepToTypes stores a value of every type in every column, as far as
// SQLite takes it. The schema of a column has a type exactly where all that it took
// is of one.
func TestColumnsKeepToTypes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "types.db")
	create(t, file, `
		CREATE TABLE alias(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL, d BLOB, e, f ANY);
		CREATE TABLE alias_low(id integer NOT NULL PRIMARY KEY AUTOINCREMENT, a BOOLEAN, b DATETIME, c NUMERIC);
		CREATE TABLE alias_constraint(id INTEGER, PRIMARY KEY (id DESC));
		CREATE TABLE no_alias(id INTEGER PRIMARY KEY DESC); CREATE TABLE no_alias_int(id INT PRIMARY KEY); CREATE TABLE no_alias_two(id INTEGER, a INTEGER, PRIMARY KEY (id, a));
		CREATE TABLE no_rowid(id INTEGER PRIMARY KEY) WITHOUT ROWID;
		CREATE TABLE strict(i INT, a INTEGER, b REAL, c TEXT, d BLOB, e ANY, f TEXT AS (e), g INTEGER AS (e) STORED) STRICT;
		CREATE TABLE strict_no_rowid(id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID;`)
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	a := Open(file, bridgesql.Options{Tables: "each"})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Operations {
		table, ok := strings.CutSuffix(o.Key, "/find")
		if !ok {
			continue
		}
		for column, schema := range properties(t, o) {
			took := storing(t, db, table, column)
			if exact := schema["type"] != nil; exact != (len(took) == 1) {
				t.Errorf("%s.%s took %v, and its schema is %v", table, column, took, schema)
			}
		}
	}
}

// properties are the schemas of the columns in the rows of a find.
func properties(t *testing.T, o mapping.Operation) map[string]map[string]any {
	t.Helper()
	var answer struct {
		Properties struct {
			Rows struct {
				Items struct{ Properties map[string]map[string]any }
			}
		}
	}
	if err := json.Unmarshal(o.Output, &answer); err != nil || answer.Properties.Rows.Items.Properties == nil {
		t.Fatalf("%s: %s (%v)", o.Key, o.Output, err)
	}
	return answer.Properties.Rows.Items.Properties
}

// storing returns the types of what a column holds after a value of every type was
// tried.
func storing(t *testing.T, db *sql.DB, table, column string) (types []string) {
	t.Helper()
	into := column
	if table == "main.strict" && (column == "f" || column == "g") {
		into = "e" // they are computed of it
	}
	for _, value := range []string{"7", "1.5", "'text'", "x'00ff'", "-9e999", "'8'"} {
		_, _ = db.ExecContext(t.Context(), fmt.Sprintf("INSERT INTO %s(%s) VALUES (%s)", table, into, value)) // what it refuses is not held
	}
	found, err := db.QueryContext(t.Context(), fmt.Sprintf("SELECT DISTINCT typeof(%s) FROM %s WHERE %s IS NOT NULL", column, table, column))
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var typ string
		if err := found.Scan(&typ); err != nil {
			t.Fatal(err)
		}
		types = append(types, typ)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return types
}

// TestBroken serves what is sound beside views and virtual tables that are not.
func TestBroken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "broken.db")
	create(t, file, `
		CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); CREATE TABLE gone(a);
		CREATE VIEW sound AS SELECT id FROM t; CREATE VIEW of_gone AS SELECT a FROM gone; CREATE VIEW of_view AS SELECT * FROM of_gone; CREATE VIEW unsafe AS SELECT load_extension('x'); CREATE VIEW unknown AS SELECT nowhere_known(1) AS x;
		DROP TABLE gone;
		PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'strange', 'strange', 0, 'CREATE VIRTUAL TABLE strange USING nowhere(x)')`)
	a := Open(file, bridgesql.Options{Tables: "each"})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lost []string
	for _, d := range c.Lost {
		if d.What == mapping.Dropped {
			lost = append(lost, d.Key)
		}
	}
	if got := strings.Join(lost, " "); got != "main.of_gone main.of_view main.unknown main.unsafe" {
		t.Errorf("lost %s", got)
	}
	for _, table := range []string{"t", "sound"} {
		if r, err := sqlkit.Ask(t, a, "main."+table+"/find", nil); err != nil || !strings.Contains(string(r.JSON), `{"id":1}`) {
			t.Errorf("%s: %v, %v", table, r, err)
		}
	}
}
