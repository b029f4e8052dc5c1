package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
)

// TestStatementsOfACatalog counts what goes over the wire: as much for a
// hundred tables as for three.
func TestStatementsOfACatalog(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	statements := func(tables int) int {
		execute(t, witness, fmt.Sprintf(`DO $$ BEGIN FOR i IN 1..%d LOOP
			EXECUTE format('CREATE TABLE IF NOT EXISTS t%%s (id int PRIMARY KEY, other int REFERENCES t%%s, name text UNIQUE)', i, i);
		END LOOP; END $$`, tables))
		config, err := pgxpool.ParseConfig(srv.DSN("postgres", "postgres"))
		if err != nil {
			t.Fatal(err)
		}
		var wire wire
		config.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
			c.PgConn().Frontend().Trace(&wire, pgproto3.TracerOptions{SuppressTimestamps: true})
			return nil
		}
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		a := New(pool, bridgesql.Options{Tables: "generic"})
		defer a.Close()
		c, err := a.Catalog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d tables", tables); !strings.Contains(c.About, want) {
			t.Errorf("the catalog is about %q, want %s", c.About, want)
		}
		return wire.count("ParseComplete\t")
	}
	few, many := statements(3), statements(100)
	if few != many || few == 0 {
		t.Errorf("%d statements for 3 tables and %d for 100", few, many)
	}
	t.Logf("%d statements", few)
}

// wire keeps what was sent and received.
type wire struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *wire) count(word string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Count(w.text.String(), word)
}

// TestWide describes, finds and reads rows of a table of 1,200 columns.
func TestWide(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	const columns = 1200
	execute(t, witness, fmt.Sprintf(`DO $$ BEGIN
		EXECUTE 'CREATE TABLE wide (' || (SELECT string_agg(format('c%%s int', i), ', ' ORDER BY i) FROM generate_series(1, %d) i) || ', PRIMARY KEY (c7))';
		FOR r IN 1..3 LOOP
			EXECUTE 'INSERT INTO wide VALUES (' || (SELECT string_agg((i * r)::text, ', ' ORDER BY i) FROM generate_series(1, %d) i) || ')';
		END LOOP; END $$`, columns, columns))
	var want []json.RawMessage // as the server writes the rows
	rows, err := witness.Query(t.Context(), "SELECT to_jsonb(w) FROM wide w ORDER BY c7")
	if err != nil {
		t.Fatal(err)
	}
	if want, err = pgx.CollectRows(rows, pgx.RowTo[json.RawMessage]); err != nil {
		t.Fatal(err)
	}
	for _, tables := range []string{"generic", "each"} {
		a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Tables: tables})
		defer a.Close()
		if got := sqlkit.Walk(t, a, [][2]string{{"public", "wide"}}); got != "1 tables and views, 1 with a key, 1 rows read back" {
			t.Error(got)
		}
		keys := map[string][2]string{"generic": {"find_rows", "get_row"}, "each": {"public.wide/find", "public.wide/get"}}[tables]
		find, get := map[string]any{"columns": []string{"c1200", "c3"}, "order_by": []any{map[string]any{"column": "c1199", "descending": true}}}, map[string]any{"c7": 14}
		if tables == "generic" {
			find["table"], get = "wide", map[string]any{"table": "wide", "key": get}
		}
		var found struct{ Rows []json.RawMessage }
		answer(t, a, keys[0], find, &found)
		if diff := cmp.Diff([]string{`{"c1200":3600,"c3":9}`, `{"c1200":2400,"c3":6}`, `{"c1200":1200,"c3":3}`}, texts(found.Rows)); diff != "" {
			t.Errorf("find: %s", diff)
		}
		var got struct{ Row json.RawMessage }
		answer(t, a, keys[1], get, &got)
		same(t, "get", got.Row, want[1])
		r, err := a.Read(t.Context(), mapping.Read{Path: "{schema}/{table}/{key1}", Vars: map[string]string{"schema": "public", "table": "wide", "key1": "21"}, Budget: 60_000, MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the row's resource", r.JSON, want[2])
	}
}

// TestWideDescription narrows a description that is larger than an answer.
func TestWideDescription(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, `CREATE TABLE none (); DO $$ BEGIN
		EXECUTE 'CREATE TABLE wide (id int PRIMARY KEY, ' || (SELECT string_agg(format('"Column Number %s" text', i), ', ' ORDER BY i) FROM generate_series(1, 1199) i) || ')';
		EXECUTE (SELECT string_agg(format('COMMENT ON COLUMN wide."Column Number %s" IS %L', i, repeat('x', 100)), '; ') FROM generate_series(1, 1199) i);
		END $$`)
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Tables: "generic"})
	defer a.Close()
	describe := func(args map[string]any) (*mapping.Result, []string) {
		c := sqlkit.Call(t, "describe_table", args)
		c.Budget = 60_000
		r, err := a.Call(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ Columns []struct{ Name string } }
		if err := json.Unmarshal(r.JSON, &d); err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, c := range d.Columns {
			names = append(names, c.Name)
		}
		return r, names
	}
	r, names := describe(map[string]any{"table": "wide"})
	if len(r.JSON) > 60_000 || !r.Truncated || !strings.Contains(r.Note, fmt.Sprintf("%d of 1200 columns", len(names))) || len(names) < 200 {
		t.Errorf("%d bytes with %d columns, truncated %t: %s", len(r.JSON), len(names), r.Truncated, r.Note)
	}
	r, names = describe(map[string]any{"table": "wide", "column": "number 119"})
	var want []string // 119, 1190 to 1199
	rows, err := witness.Query(t.Context(), "SELECT attname::text FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attname ILIKE '%number 119%' ORDER BY attnum")
	if err != nil {
		t.Fatal(err)
	}
	if want, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, names); diff != "" || r.Truncated {
		t.Errorf("truncated %t, columns %s", r.Truncated, diff)
	}
	if r, names := describe(map[string]any{"table": "none"}); len(names) != 0 || !strings.Contains(string(r.JSON), `"columns":[]`) {
		t.Errorf("a table without columns: %s", r.JSON)
	}
}

// answer runs one operation and reads its answer.
func answer(t *testing.T, a *bridgesql.Adapter, key string, args map[string]any, into any) {
	t.Helper()
	r, err := sqlkit.Ask(t, a, key, args)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	if err := json.Unmarshal(r.JSON, into); err != nil {
		t.Fatalf("%s gave %s: %v", key, r.JSON, err)
	}
}

func texts(raw []json.RawMessage) []string {
	var out []string
	for _, r := range raw {
		out = append(out, string(r))
	}
	return out
}

// same compares documents, whose numbers are small.
func same(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}
