package lookup

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	callers = 16
	rows    = 100_000
	round   = time.Second
)

// A lookup reads the row with this key.
type lookup func(ctx context.Context, id int64) error

// BenchmarkLookup compares rows looked up by primary key through the adapter and
// directly with pgx, both in one pipelined read-only transaction on the same pool.
// They take turns of a second, because the machine is busier now than then; one
// operation is one turn of each.
func BenchmarkLookup(b *testing.B) {
	srv := pgtest.Start(b)
	pool := fill(b, srv.DSN("postgres", "postgres"))
	through, err := adapter(b.Context(), pool)
	if err != nil {
		b.Fatal(err)
	}
	ways := []lookup{through, direct(pool)}
	for _, way := range ways {
		turn(b, way) // warms up
	}
	var done [2]int64
	var took [2]time.Duration
	for b.Loop() {
		for i, way := range ways {
			begin := time.Now()
			done[i] += turn(b, way)
			took[i] += time.Since(begin)
		}
	}
	bridge, pgx := float64(done[0])/took[0].Seconds(), float64(done[1])/took[1].Seconds()
	b.ReportMetric(bridge, "adapter/s")
	b.ReportMetric(pgx, "pgx/s")
	b.ReportMetric(100*bridge/pgx, "%ofpgx")
}

func fill(b *testing.B, dsn string) *pgxpool.Pool {
	b.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		b.Fatal(err)
	}
	config.MaxConns = callers
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	for _, text := range []string{
		`CREATE TABLE item (id bigint PRIMARY KEY, name text NOT NULL, price numeric(10,2) NOT NULL, stock int, added timestamptz NOT NULL, note text)`,
		fmt.Sprintf(`INSERT INTO item SELECT i, 'item '||i, i/7.0, i%%100, '2026-01-01Z'::timestamptz + i*interval '1 minute', repeat('x', 200) FROM generate_series(1, %d) i`, rows),
		`ANALYZE item`,
	} {
		if _, err := pool.Exec(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
	return pool
}

// turn looks rows up from all callers for one round, and returns how many.
func turn(b *testing.B, way lookup) int64 {
	b.Helper()
	var n atomic.Int64
	var all sync.WaitGroup
	end := time.Now().Add(round)
	for range callers {
		all.Go(func() {
			for time.Now().Before(end) {
				const step = 7919 // prime to rows, so every row has its turn
				if err := way(b.Context(), n.Add(1)*step%rows+1); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return n.Load()
}

// adapter looks up with the tool of the table.
func adapter(ctx context.Context, pool *pgxpool.Pool) (lookup, error) {
	a := postgres.New(pool, bridgesql.Options{Tables: "each"})
	catalog, err := a.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range catalog.Operations {
		if !strings.HasSuffix(o.Key, "/get") {
			continue
		}
		return func(ctx context.Context, id int64) error {
			r, err := a.Call(ctx, mapping.Call{
				Key: o.Key, Args: []mapping.Arg{{In: o.Params[0].In, Name: o.Params[0].Name, Value: json.RawMessage(strconv.FormatInt(id, 10))}},
				Budget: 60_000, MaxBytes: 16 << 20,
				Progress: func(float64, float64, string) {}, Log: func(string, string) {},
			})
			if err == nil && len(r.JSON) < 200 {
				err = fmt.Errorf("the adapter answered %s", r.JSON)
			}
			return err
		}, nil
	}
	return nil, fmt.Errorf("the catalog has no tool that gets a row")
}

// The statements of a direct lookup; settings are those of the adapter.
const (
	settings = `SELECT set_config('statement_timeout',$1,true), set_config('lock_timeout','2000',true), set_config('idle_in_transaction_session_timeout','60000',true),` +
		` set_config('DateStyle','ISO, YMD',true), set_config('IntervalStyle','iso_8601',true), set_config('bytea_output','hex',true), set_config('extra_float_digits','1',true), set_config('standard_conforming_strings','on',true), set_config('search_path','pg_catalog',true)`
	oneRow = `SELECT id, name, price, stock, added, note FROM public.item WHERE id = $1`
)

// direct looks up as a program would that knows the table, and keeps the bytes of
// the row only.
func direct(pool *pgxpool.Pool) lookup {
	return func(ctx context.Context, id int64) error {
		conn, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		batch := &pgconn.Batch{}
		batch.ExecParams("BEGIN READ ONLY", nil, nil, nil, nil)
		batch.ExecParams(settings, [][]byte{[]byte("10000")}, nil, nil, nil)
		batch.ExecParams(oneRow, [][]byte{[]byte(strconv.FormatInt(id, 10))}, nil, nil, nil)
		batch.ExecParams("ROLLBACK", nil, nil, nil, nil)
		results, err := conn.Conn().PgConn().ExecBatch(ctx, batch).ReadAll()
		if err == nil && len(results[2].Rows) != 1 {
			err = fmt.Errorf("pgx found %d rows", len(results[2].Rows))
		}
		return err
	}
}
