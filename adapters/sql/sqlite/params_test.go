package sqlite

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// placed are statements with placeholders of every kind, and with what only looks
// like one.
var placed = []string{
	"SELECT 1", "SELECT ?", "SELECT ?,?", "SELECT ?2", "SELECT ?1, ?, ?1", "SELECT ?3, ?", "SELECT '?', \"?\", `?`, [?] FROM (SELECT 1 AS \"?\")", "SELECT '?''?', ?", "SELECT 1 -- ?\n, ?", "SELECT /* ? */ ?",
	"SELECT x'00', ?", "SELECT 1e5+?", "SELECT 1 AS a$b, ?", "SELECT 1 AS ü$ü", "SELECT 0x1F, ?1", "SELECT ?||?", "SELECT(?)", "SELECT ?+?5", "SELECT 1 AS a?", "SELECT 1?", "SELECT ? 1",
}

// TestPlaceholders holds the count of each statement against SQLite: it must take
// so many values, and miss one if there is one fewer.
func TestPlaceholders(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range placed {
		holdCount(t, db, text)
	}
	for _, text := range []string{"SELECT :a", "SELECT @a", "SELECT $a", "SELECT $a::b", "SELECT 1, :ü"} {
		if _, names := placeholders(text); len(names) == 0 {
			t.Errorf("%q has a name, and we see none", text)
		}
	}
}

func holdCount(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	n, names := placeholders(text)
	if len(names) > 0 {
		return
	}
	with := func(values int) string {
		found, err := db.QueryContext(t.Context(), text, make([]any, values)...)
		if err != nil {
			return err.Error()
		}
		defer found.Close()
		if err := found.Err(); err != nil {
			return err.Error()
		}
		return ""
	}
	const missing = "missing "
	got := with(n)
	if strings.HasPrefix(got, missing) || got == "" && n > 0 && !strings.HasPrefix(with(n-1), missing) {
		t.Errorf("%q has %d placeholders by our count; SQLite differs", text, n)
	}
}

// TestNumbers finds rows by numbers at the ends of what SQLite holds, and refuses
// those beyond.
func TestNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "numbers.db")
	create(t, file, `CREATE TABLE t(i INTEGER, r REAL, any); INSERT INTO t VALUES (9223372036854775807, 9e999, 5), (-9223372036854775808, -9e999, '5'), (0, 0, 'NaN');
		CREATE VIEW sums AS SELECT any, count(*) AS n FROM t GROUP BY any`)
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	for _, c := range []struct {
		table, column string
		value         any
		rows          int // -1 for refused
	}{
		{"t", "i", "9223372036854775807", 1}, {"t", "i", "-9223372036854775808", 1}, {"t", "i", "9223372036854775808", -1}, {"t", "i", "1e400", -1},
		{"t", "r", "Infinity", 1}, {"t", "r", "-Infinity", 1}, {"t", "r", 0, 1}, {"t", "r", "nan", 0}, {"t", "r", "0x1p-2", 0}, {"t", "r", "1e999", -1},
		{"t", "any", 5, 1}, {"t", "any", "5", 1}, {"t", "any", "NaN", 1}, {"sums", "n", 1, 3}, {"sums", "any", 5, 1},
	} {
		r, err := sqlkit.Ask(t, a, "main."+c.table+"/find", map[string]any{"where": []any{map[string]any{"column": c.column, "op": "eq", "value": c.value}}})
		if c.rows < 0 {
			if mapping.CodeOf(err) != mapping.Invalid {
				t.Errorf("%s = %v: %v, want it refused", c.column, c.value, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s = %v: %v", c.column, c.value, err)
		} else if n := strings.Count(string(r.JSON), `"any":`); n != c.rows {
			t.Errorf("%s = %v found %s, want %d rows", c.column, c.value, r.JSON, c.rows)
		}
	}
}

// TestSlow stops a statement without an end, with a caller who would wait on.
func TestSlow(t *testing.T) {
	if got := timeout(bridgesql.Options{}); got != 10*time.Second {
		t.Errorf("the timeout is %v by default, and Options say 10 s", got)
	}
	file := filepath.Join(t.TempDir(), "slow.db")
	create(t, file, `CREATE VIEW forever AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n FROM r`)
	a := Open(file, bridgesql.Options{Timeout: 50 * time.Millisecond})
	defer a.Close()
	for _, key := range []string{"query", "main.forever/find"} {
		args := map[string]any{}
		if key == "query" {
			args["sql"] = "SELECT n FROM forever"
		}
		_, err := sqlkit.Ask(t, a, key, args)
		if mapping.CodeOf(err) != mapping.Timeout || !strings.Contains(err.Error(), "was stopped") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// TestExhausted takes every connection and asks for one more.
func TestExhausted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "full.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY)`)
	e := &engine{path: file, timeout: 100 * time.Millisecond}
	a := bridgesql.New(e, bridgesql.Options{})
	defer a.Close()
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range e.rows.Stats().MaxOpenConnections {
		conn, err := e.rows.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if _, err := sqlkit.Ask(t, a, "main.t/find", nil); mapping.CodeOf(err) != mapping.Exhausted {
		t.Errorf("with all connections taken: %v", err)
	}
}

// TestUnhindered answers lookups while slow SQL of a model's own waits for its turn.
func TestUnhindered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "busy.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1,'a')`)
	e := &engine{path: file, timeout: time.Minute}
	a := bridgesql.New(e, bridgesql.Options{})
	defer a.Close()
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	sqlkit.Unhindered(t, a, `"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"`, mapping.Call{Key: "main.t/get", Args: []mapping.Arg{{Name: "id", Value: []byte("1")}}},
		func() bool { return e.foreign.Stats().InUse == foreignConns })
}

// TestScript looks for files while the database of a script is open, and whether
// two of them are apart.
func TestScript(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, name := range []string{"ann", "bob"} {
		a := Script(`CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1,'`+name+`')`, bridgesql.Options{Query: "allow"})
		defer a.Close()
		r, err := sqlkit.Ask(t, a, "main.t/get", map[string]any{"id": 1})
		if err != nil || !strings.Contains(string(r.JSON), name) {
			t.Errorf("got %v, %v", r, err)
		}
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "DELETE FROM t"}); mapping.CodeOf(err) != mapping.Denied {
			t.Errorf("a write: %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("there are files in the temporary folder: %v, %v", left, err)
		}
	}
	a := Script("nonsense", bridgesql.Options{})
	if _, err := a.Catalog(context.Background()); err == nil {
		t.Error("a script that is no SQL made a database")
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
