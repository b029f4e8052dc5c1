package postgres

import (
	"bytes"
	"encoding/json"
	"runtime"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"

	"github.com/google/go-cmp/cmp"
)

// TestEncoder holds what is written against the server's own JSON of the rows.
func TestEncoder(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	e := &engine{dsn: srv.DSN("postgres", "postgres")}
	defer e.Close()
	for _, text := range []string{
		`SELECT i AS id, 'row ' || i AS name, i % 2 = 0 AS even, NULL AS none, '{"a": [1, "x"]}'::jsonb AS doc, ARRAY[i, NULL] AS list, E'"\\ \n ü' AS "odd ""name""" FROM generate_series(1, 1000) i`,
		"SELECT 1 AS one", "SELECT 1 AS one WHERE false",
	} {
		var out bytes.Buffer
		encoder := bridgesql.NewEncoder(&out)
		if err := e.Query(t.Context(), bridgesql.Statement{Text: text, MaxRows: 2000}, encoder); err != nil {
			t.Fatal(err)
		}
		if err := encoder.Close(); err != nil {
			t.Fatal(err)
		}
		var own json.RawMessage
		if err := witness.QueryRow(t.Context(), "SELECT coalesce(json_agg(r), '[]') FROM ("+text+") r").Scan(&own); err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v in %s", err, out.Bytes())
		}
		if err := json.Unmarshal(own, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

const large = `SELECT i AS id, 'name ' || i AS name, repeat(md5(i::text), 13) AS text, now() AS at FROM generate_series(1, 100000) i`

// TestEncoderHolds writes 100,000 rows of 48 MB and more, holding little of them.
func TestEncoderHolds(t *testing.T) {
	srv := pgtest.Start(t)
	w := writeLarge(t, srv)
	if w.rows != 100_000 || w.bytes < 48_000_000 || w.peak > 64_000_000 {
		t.Errorf("%d rows, %d bytes, at most %d bytes held; want 100000 rows, 48 MB and more, 64 MB at most", w.rows, w.bytes, w.peak)
	}
}

// BenchmarkEncoder writes them and prints the largest heap seen, garbage included.
func BenchmarkEncoder(b *testing.B) {
	srv := pgtest.Start(b)
	var w gauge
	for b.Loop() {
		w = writeLarge(b, srv)
	}
	b.SetBytes(w.bytes)
	b.ReportMetric(float64(w.bytes)/1e6, "MB-written")
	b.ReportMetric(float64(w.peak)/1e6, "MB-peak-heap")
}

func writeLarge(t testing.TB, srv *pgtest.Server) gauge {
	t.Helper()
	e := &engine{dsn: srv.DSN("postgres", "postgres")}
	defer e.Close()
	var w gauge
	encoder := bridgesql.NewEncoder(&w)
	if err := e.Query(t.Context(), bridgesql.Statement{Text: large, MaxRows: 200_000}, encoder); err != nil {
		t.Fatal(err)
	}
	return w
}

// A gauge is a writer that looks at the heap at every megabyte.
type gauge struct {
	rows, bytes, next int64
	peak              uint64
}

func (g *gauge) Write(p []byte) (int, error) {
	g.rows++
	if g.bytes += int64(len(p)); g.bytes >= g.next {
		g.next += 1 << 20
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		g.peak = max(g.peak, m.HeapAlloc)
	}
	return len(p), nil
}
