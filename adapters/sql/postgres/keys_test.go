package postgres

import (
	"fmt"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// TestKeys reads a row of every type of key back by its URI.
func TestKeys(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TYPE mood AS ENUM ('o k', 'b/d')")
	keys := []struct{ typ, value string }{
		{"boolean", "false"}, {"bigint", "-9223372036854775808"}, {"numeric", "'1.50'"}, {"numeric", "'NaN'"}, {"double precision", "'0.1'"}, {"double precision", "'-Infinity'"}, {"real", "0.1"},
		{"text", "'a/b?c#d %41+;=&'"}, {"text", "'..'"}, {"text", "''"}, {"text", "' '"}, {"text", "'/'"}, {"text", "'%2F'"}, {"text", "'?'"}, {"text", "E'\\u00e9\\u0301'"}, {"bytea", "''"}, {"text", "'.'"}, {"text", "'ü 🐘'"}, {"text", "E'line\\nfeed'"}, {"text", "'true'"}, {"text", "'\"quoted\"'"}, {"text", "'{}'"}, {"varchar(9)", "'x '"},
		{"bytea", `'\x00ff'`}, {"uuid", "'018f0000-0000-7000-8000-000000000001'"}, {"date", "'infinity'"}, {"date", "'0044-03-15 BC'"}, {"timestamptz", "'2020-01-01 00:00:00.000001+05:30'"}, {"timestamp", "'2020-01-01 12:00'"}, {"time", "'24:00'"}, {"interval", "'1 year 2 days'"},
		{"jsonb", `'{"a": [1, "x/y"]}'`}, {"jsonb", `'"a string"'`}, {"int[]", "'{1,NULL,3}'"}, {"text[]", `'{"a/b","c,d"}'`}, {"mood", "'b/d'"}, {"inet", "'10.0.0.0/8'"}, {"int4range", "'[1,5)'"}, {"bit(3)", "'101'"}, {"macaddr", "'08:00:2b:01:02:03'"}, {"oid", "4294967295"},
	}
	var tables [][2]string
	for i, k := range keys {
		execute(t, witness, fmt.Sprintf("CREATE TABLE t%d (k %s PRIMARY KEY, v text); INSERT INTO t%d VALUES (%s, 'v')", i, k.typ, i, k.value))
		tables = append(tables, [2]string{"public", fmt.Sprintf("t%d", i)})
	}
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{})
	defer a.Close()
	n := len(keys)
	if got, want := sqlkit.Walk(t, a, tables), fmt.Sprintf("%d tables and views, %d with a key, %d rows read back", n, n, n); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
