package postgres

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestPlaces holds the place of an error against what the server says of the same
// text without anything around it.
func TestPlaces(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TABLE t(id int, ü text)")
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for _, text := range []string{
		"SELECT id, FROM t", "SELECT ü, 'é🐘' FRM t", "  \n/* ü */ SELECT nope FROM t", "SELECT 'a'::int", "SELECT 1 +", "SELECT * FROM nowhere", "SELECT nope(1)", "WITH a AS (SELECT 1)", "TABLE", "SELECT 1 LIMIT ü",
		"EXPLAIN SELECT id, nope FROM t", "/* ü */ EXPLAIN (ANALYZE, COSTS off) SELECT id FROM FROM t", "EXPLAIN ANALYZE VERBOSE SELECT nope()", "EXPLAIN (SELECT nope)",
	} {
		_, refused := witness.Prepare(t.Context(), "", text)
		var pg *pgconn.PgError
		if !errors.As(refused, &pg) {
			t.Fatalf("%s: the server says %v", text, refused)
		}
		want := fmt.Sprintf("%s (at character %d)", pg.Message, pg.Position)
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestMistakes gives a model what it can act on.
func TestMistakes(t *testing.T) {
	srv := pgtest.Start(t)
	execute(t, connect(t, srv.DSN("postgres", "postgres")), "CREATE TABLE t(id int)")
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for _, c := range []struct {
		text string
		args []any
		code mapping.Code
		want string
	}{
		{"UPDATE t SET id = 1", nil, mapping.Denied, "only reads are possible, and a statement that begins with UPDATE is none. one SELECT,"},
		{"explain delete from t", nil, mapping.Denied, "begins with DELETE is none"},
		{"SHOW work_mem", nil, mapping.Denied, "begins with SHOW is none"},
		{"SELECT txid_current()", nil, mapping.Denied, "the function txid_current is not allowed"},
		{"SELECT pg_current_xact_id()", nil, mapping.Denied, "the function pg_current_xact_id is not allowed"},
		{`"select" 1`, nil, mapping.Denied, "begins with SELECT is none"},
		{"WITH a AS (DELETE FROM t RETURNING 1) SELECT * FROM a", nil, mapping.Denied, "the statement does more than read. one SELECT,"},
		{"SELECT id FROM FROM t", nil, mapping.Invalid, "one SELECT, WITH, VALUES, TABLE, or EXPLAIN of one is allowed"},
		{"SELECT $1::int", nil, mapping.Invalid, "another number of placeholders than there are params"},
		{"SELECT 1", []any{1}, mapping.Invalid, "could not determine data type of parameter $1"},
		{"SELECT ?", []any{1}, mapping.Invalid, "(at character 9)"},
	} {
		_, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": c.text, "params": c.args})
		if mapping.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "CURSOR") {
			t.Errorf("%s: %v %v, want %s", c.text, mapping.CodeOf(err), err, c.want)
		}
	}
}
