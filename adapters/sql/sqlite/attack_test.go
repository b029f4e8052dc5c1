package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// attacks must leave the file and its folder as they were. {dir} is the folder.
var attacks = []string{
	"DELETE FROM victim", "INSERT INTO victim VALUES (9, 'x')", "UPDATE victim SET v = 'x'", "REPLACE INTO victim VALUES (1, 'x')", "DELETE FROM victim RETURNING *",
	"SELECT 1; DELETE FROM victim", "SELECT ';'; DELETE FROM victim", "SELECT 1 -- ;\n; DELETE FROM victim", "SELECT [;]; DELETE FROM victim", "SELECT `;`; DELETE FROM victim", "SELECT 1 /* ; */; DELETE FROM victim",
	"WITH a AS (SELECT 1) DELETE FROM victim", "WITH a AS (SELECT 1) INSERT INTO victim SELECT 9, 'x'", "EXPLAIN DELETE FROM victim", "EXPLAIN QUERY PLAN DELETE FROM victim",
	"CREATE TABLE t(x)", "CREATE TEMP TABLE t(x)", "CREATE TEMP VIEW t AS SELECT 1", "CREATE TABLE t AS SELECT * FROM victim", "DROP TABLE victim", "ALTER TABLE victim RENAME TO x", "ALTER TABLE victim ADD COLUMN x", "CREATE INDEX i ON victim(v)", "CREATE TRIGGER tr AFTER INSERT ON victim BEGIN SELECT 1; END", "CREATE VIRTUAL TABLE t USING fts5(x)", "CREATE VIRTUAL TABLE t USING csv(filename='/etc/passwd')",
	"ATTACH '{dir}/loot' AS loot", "ATTACH ':memory:' AS m", "DETACH main", "VACUUM", "VACUUM INTO '{dir}/loot'", "REINDEX", "ANALYZE",
	"PRAGMA query_only(0)", "PRAGMA query_only(0); DELETE FROM victim", "PRAGMA journal_mode=DELETE", "PRAGMA writable_schema=1", "PRAGMA user_version=9", "PRAGMA temp_store_directory='{dir}'", "SELECT * FROM pragma_query_only(0)", "SELECT * FROM pragma_user_version(9)", "PRAGMA wal_checkpoint", "PRAGMA trusted_schema=1",
	"BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "SAVEPOINT s", "END",
	"SELECT load_extension('{dir}/x')", "SELECT writefile('{dir}/loot', 'x')", "SELECT readfile('/etc/passwd')", "SELECT fts3_tokenizer('x', x'00')", "SELECT edit('x')",
	"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r", "SELECT count(*) FROM victim a, victim b, victim c, victim d, victim e, victim f, victim g, victim h, victim i, victim j, victim k, victim l", "SELECT length(zeroblob(900000000))", "SELECT hex(randomblob(100000000))",
	"SELECT instr(zeroblob(10000000), zeroblob(5000000) || x'01')", "SELECT trim(zeroblob(10000000), zeroblob(1000000))", "SELECT replace(hex(zeroblob(5000000)), hex(zeroblob(2000000)) || '1', '')", "SELECT json_patch('{' || replace(hex(zeroblob(1500000)), '00', '\"a\":1,') || '\"b\":1}', '{}')", "SELECT replace(hex(zeroblob(5000000)), '00', '1,') LIKE '%1%1%1%2'", "SELECT 'a' LIKE replace(hex(zeroblob(20000)), '00', '%a')",
	"SELECT printf('%.*c', 1000000000, 'x')", "SELECT * FROM pragma_function_list", "SELECT * FROM pragma_optimize", "SELECT rtreecheck('victim')", "SELECT sqlite_log(1, 'x')", "SELECT * FROM sqlite_dbpage", "INSERT INTO victim(victim) VALUES ('rebuild')", "WITH RECURSIVE r(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || s FROM r) SELECT n FROM r",
	"", ";", "--", "/*", "'", "\"", "SELECT", "SELECT 'a", "EXPLAIN", "(((", "SELECT 1 \x00; DELETE FROM victim",
}

func TestAttacks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "shop.db")
	create(t, file, `CREATE TABLE victim(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO victim VALUES (1,'a'),(2,'b'),(3,'c')`)
	a := Open(file, bridgesql.Options{Query: "allow", Timeout: 300 * time.Millisecond})
	defer a.Close()
	sqlkit.Load(t, a)
	before := folder(t, dir)
	for _, text := range attacks {
		_, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": strings.ReplaceAll(text, "{dir}", dir)})
		var worded *mapping.Error
		if err != nil && !errors.As(err, &worded) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: the error is not in words: %v", text, err)
		}
		if after := folder(t, dir); after != before {
			t.Fatalf("%q changed the folder:\n%s\nwas:\n%s", text, after, before)
		}
		if _, err := sqlkit.Ask(t, a, "main.victim/find", nil); err != nil {
			t.Fatalf("%q: the next call fails: %v", text, err)
		}
	}
}

// TestLong reads a value that SQL of a model's own may not hold.
func TestLong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB); INSERT INTO t VALUES (1, zeroblob(2000000))`)
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	if r, err := sqlkit.Ask(t, a, "main.t/get", map[string]any{"id": 1}); err != nil || !strings.Contains(string(r.JSON), `"bytes":2000000`) {
		t.Errorf("by its key: %.100v, %v", r, err)
	}
	if r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT id, length(v) FROM t"}); err != nil || !strings.Contains(string(r.JSON), `[[1,2000000]]`) {
		t.Errorf("its length: %v, %v", r, err)
	}
	for _, text := range []string{"SELECT v FROM t", "SELECT instr(zeroblob(2000000), zeroblob(1000000) || x'01')", "SELECT instr(v, x'01') FROM t"} {
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text}); mapping.CodeOf(err) != mapping.Exhausted {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, at TIMESTAMP); INSERT INTO t VALUES (1,'AbC','2024-01-05 12:05:00'),(2,'b;c',1700000000)`)
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	for _, c := range []struct{ sql, rows string }{
		{"SELECT v FROM t WHERE id = 1", `[["AbC"]]`},
		{"-- active\nSELECT 1", `[[1]]`},
		{"/* a; b */ SELECT 1;", `[[1]]`},
		{"SELECT 1 ; -- end", `[[1]]`},
		{"SELECT 'it''s; fine'", `[["it's; fine"]]`},
		{"WITH a AS (SELECT 1 AS x) SELECT x FROM a", `[[1]]`},
		{"VALUES (1,2),(3,4)", `[[1,2],[3,4]]`},
		{"SELECT 1 AS a, 2 AS a", `[[1,2]]`},
		{"SELECT v FROM t WHERE v LIKE '%;%'", `[["b;c"]]`},
		{"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 3) SELECT n FROM r", `[[1],[2],[3]]`},
		{"SELECT row_number() OVER (ORDER BY id DESC) FROM t", `[[1],[2]]`},
		{"SELECT 9223372036854775807, 9007199254740993, 9007199254740991", `[["9223372036854775807","9007199254740993",9007199254740991]]`},
		{"SELECT x'00ff'", `[[{"bytes":2,"base64":"AP8="}]]`},
		{"SELECT 1e300 * 1e300, -1e300 * 1e300", `[["Infinity","-Infinity"]]`},
		{"SELECT json('{\"a\":[1,2]}')", `[["{\"a\":[1,2]}"]]`},
		{"SELECT at, at FROM t ORDER BY id DESC; -- x", `[[1700000000,1700000000],["2024-01-05 12:05:00","2024-01-05 12:05:00"]]`},
		{"SELECT \"delete\" FROM (SELECT 1 AS \"delete\")", `[[1]]`},
	} {
		r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": c.sql})
		if err != nil {
			t.Errorf("%q is refused: %v", c.sql, err)
			continue
		}
		var got struct{ Rows json.RawMessage }
		if err := json.Unmarshal(r.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Rows) != c.rows {
			t.Errorf("%q gave %s, want %s", c.sql, got.Rows, c.rows)
		}
	}
}

// TestMistakes gives a model what it can act on.
func TestMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY)`)
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	for _, c := range []struct {
		sql    string
		params []any
		want   mapping.Code
	}{
		{"SELECT ?, ?", []any{1}, mapping.Invalid},
		{"SELECT :name", nil, mapping.Invalid},
		{"SELECT ?", []any{1, 2}, mapping.Invalid},
		{"SELECT 1", []any{1}, mapping.Invalid},
		{"SELECT ?", []any{json.RawMessage("1e400")}, mapping.Invalid},
		{"SELECT ?", []any{json.RawMessage("-1e400")}, mapping.Invalid},
		{"SELECT ?", []any{json.RawMessage("9223372036854775808")}, mapping.Invalid},
		{"SELECT ?", []any{json.RawMessage("-9223372036854775809")}, mapping.Invalid},
		{"SELECT ?", []any{[]int{1}}, mapping.Invalid},
		{"SELECT nothing FROM t", nil, mapping.Invalid},
		{"SELECT hex(zeroblob(100000000))", nil, mapping.Exhausted},
		{"DELETE FROM t", nil, mapping.Denied},
		{"BEGIN", nil, mapping.Denied},
		{"SAVEPOINT s", nil, mapping.Denied},
	} {
		_, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": c.sql, "params": c.params})
		if got := mapping.CodeOf(err); got != c.want {
			t.Errorf("%q is %s (%v), want %s", c.sql, got, err, c.want)
		}
	}
}

// create makes a database with the driver alone.
func create(t *testing.T, file, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// folder lists the files of a folder with their contents' hashes.
func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %x", e.Name(), sha256.Sum256(b)))
	}
	return strings.Join(lines, "\n")
}
