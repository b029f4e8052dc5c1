package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// TestFingerprint changes the schema in every way that a catalog shows, and rows
// and other sessions' tables in ways that it does not.
func TestFingerprint(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	other := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TYPE mood AS ENUM ('ok'); CREATE TABLE t (id int PRIMARY KEY, m mood); CREATE ROLE reader LOGIN; CREATE VIEW v AS SELECT id FROM t; CREATE SCHEMA aside")
	e := &engine{dsn: srv.DSN("postgres", "postgres")}
	defer e.Close()
	one := &engine{dsn: srv.DSN("postgres", "postgres"), options: bridgesql.Options{Schemas: []string{"public"}}}
	defer one.Close()
	mark := func(e *engine) string {
		m, err := e.Fingerprint(t.Context())
		if err != nil || m == "" {
			t.Fatalf("%q, %v", m, err)
		}
		return m
	}
	for _, c := range []struct {
		text    string
		changes bool
	}{
		{"CREATE TABLE u (id int)", true}, {"ALTER TABLE u ADD COLUMN name text", true}, {"ALTER TABLE u RENAME COLUMN name TO title", true},
		{"ALTER TABLE u ALTER COLUMN title TYPE varchar(9)", true}, {"ALTER TABLE u ALTER COLUMN title SET NOT NULL", true}, {"ALTER TABLE u DROP COLUMN title", true},
		{"ALTER TABLE u ADD PRIMARY KEY (id)", true}, {"ALTER TABLE u ADD FOREIGN KEY (id) REFERENCES t", true}, {"CREATE INDEX ON t (m)", true},
		{"COMMENT ON TABLE t IS 'things'", true}, {"COMMENT ON COLUMN t.id IS 'the key'", true}, {"ALTER TYPE mood ADD VALUE 'bad'", true},
		{"CREATE OR REPLACE VIEW v AS SELECT id, m FROM t", true}, {"ALTER TABLE u RENAME TO w", true}, {"DROP TABLE w", true}, {"CREATE SCHEMA s; CREATE TABLE s.x (id int)", true},
		{"GRANT SELECT ON t TO reader", true}, {"GRANT SELECT (id) ON v TO reader", true},
		{"INSERT INTO t VALUES (1, 'ok'); UPDATE t SET m = 'bad'; DELETE FROM t", false}, {"ANALYZE t", false}, {"VACUUM t", false},
	} {
		before := mark(e)
		execute(t, witness, c.text)
		if changed := mark(e) != before; changed != c.changes {
			t.Errorf("%s: the fingerprint changed: %t, want %t", c.text, changed, c.changes)
		}
	}
	before := mark(e)
	execute(t, other, "CREATE TEMP TABLE mine (id int PRIMARY KEY CHECK (id > 0)); COMMENT ON TABLE mine IS 'mine'")
	if mark(e) != before {
		t.Error("another session's temporary table changed the fingerprint")
	}
	before = mark(one)
	execute(t, witness, "CREATE TABLE aside.t (id int PRIMARY KEY); COMMENT ON TABLE aside.t IS 'aside'; COMMENT ON SCHEMA aside IS 'aside'")
	if mark(one) != before {
		t.Error("a schema that is not shown changed the fingerprint")
	}
}

// TestComplete holds proposals against what the server finds by the same prefix.
func TestComplete(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, `CREATE SCHEMA shop; CREATE SCHEMA "Short"; CREATE TABLE shop.orders (id int PRIMARY KEY); CREATE TABLE shop.other (id int); CREATE TABLE "Short".x (id int)`)
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{})
	defer a.Close()
	keys := []struct{ typ, values, prefix string }{
		{"text", "SELECT 'name ' || i FROM generate_series(1, 300) i", "name 2"}, {"text", "VALUES ('50%'), ('501'), ('a_b'), ('axb')", "50%"}, {"text", "VALUES ('50%'), ('a_b'), ('axb')", "a_"}, {"text", "VALUES ('x'), ('')", ""},
		{"int", "SELECT generate_series(1, 2000)", "12"}, {"bigint", "VALUES (9223372036854775807), (922), (93), (-9)", "92"}, {"bigint", "VALUES (9), (-9), (-91)", "-9"}, {"numeric", "VALUES (1.50), (1.5001), (15)", "1.5"},
		{"uuid", "VALUES ('018f0000-0000-7000-8000-000000000001'::uuid), ('018f1000-0000-7000-8000-000000000001')", "018f1"}, {"date", "VALUES ('2020-02-29'::date), ('2020-03-01'), ('2021-02-28')", "2020-0"},
		{"timestamp", "VALUES ('2020-02-29 12:00'::timestamp), ('2020-02-29 13:00')", "2020-02-29 13"}, {"boolean", "VALUES (true), (false)", "t"}, {"mood", "VALUES ('glad'::mood), ('gloomy'::mood), ('sad'::mood)", "gl"}, {"inet", "VALUES ('10.0.0.1'::inet), ('10.1.0.0/16')", "10.1"},
	}
	execute(t, witness, "CREATE TYPE mood AS ENUM ('sad', 'gloomy', 'glad')")
	for i, k := range keys {
		execute(t, witness, fmt.Sprintf("CREATE TABLE k%d (k %s PRIMARY KEY); INSERT INTO k%d %s", i, k.typ, i, k.values))
	}
	execute(t, witness, "CREATE TABLE pair (a text, b int, PRIMARY KEY (a, b)); INSERT INTO pair VALUES ('x/y', 1), ('x/y', 10), ('x/y', 2), ('z', 11)")
	execute(t, witness, `CREATE TABLE bin (k bytea PRIMARY KEY); INSERT INTO bin VALUES ('\x00ff')`)
	complete := func(argument, prefix string, known ...string) mapping.Completions {
		c := mapping.Completion{Resource: "{schema}/{table}/{key1}", Argument: argument, Prefix: prefix, Known: map[string]string{}}
		for i := 0; i < len(known); i += 2 {
			c.Known[known[i]] = known[i+1]
		}
		got, err := a.Complete(t.Context(), c)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		return got
	}
	for _, c := range []struct {
		got  mapping.Completions
		want string
	}{
		{complete("schema", ""), "Short public shop"}, {complete("schema", "sh"), "shop"}, {complete("schema", "q"), ""},
		{complete("table", "o", "schema", "shop"), "orders other"}, {complete("table", "shop.or"), "shop.orders"}, {complete("table", "", "schema", "nowhere"), ""},
		{complete("key1", "", "schema", "public", "table", "nowhere"), ""}, {complete("key2", "1", "schema", "public", "table", "k0"), ""}, {complete("key1", "", "schema", "shop", "table", "other"), ""},
		{complete("key1", "x", "schema", "public", "table", "pair"), "x/y"}, {complete("key2", "1", "schema", "public", "table", "pair", "key1", "x/y"), "1 10"}, {complete("key2", "", "schema", "public", "table", "pair", "key1", "none"), ""},
		{complete("key1", "", "schema", "public", "table", "bin"), "AP8="}, {complete("nothing", ""), ""},
	} {
		if got := strings.Join(c.got.Values, " "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	for i, k := range keys {
		table := fmt.Sprintf("k%d", i)
		rows, err := witness.Query(t.Context(), "SELECT k::text AS v FROM "+table+" t WHERE starts_with(k::text, $1) ORDER BY t.k", k.prefix)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(want) == 0 {
			t.Fatalf("%s: %v, %v", k.typ, want, err)
		}
		got := complete("key1", k.prefix, "schema", "public", "table", table)
		more := len(want) > 100
		if want[0] == "" {
			want[0] = "\x00"
		}
		if diff := cmp.Diff(want[:min(100, len(want))], slices.Clone(got.Values)); diff != "" || got.More != more {
			t.Errorf("%s by %q: more %t, want %t; %s", k.typ, k.prefix, got.More, more, diff)
		}
	}
}
