package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestSlowQueries has forty callers ask for what takes the server forever, and
// looks rows up meanwhile: none of the forty is answered, all lookups are.
func TestSlowQueries(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema)
	pool := handedOver(t, srv.DSN("postgres", "postgres"), 2)
	opened := Open(srv.DSN("postgres", "postgres")+"&application_name=attacker", bridgesql.Options{Query: "allow", Timeout: time.Minute})
	given := New(pool, bridgesql.Options{Query: "allow", Timeout: time.Minute})
	for name, a := range map[string]*bridgesql.Adapter{"opened": opened, "over a pool of two": given} {
		t.Run(name, func(t *testing.T) {
			defer a.Close()
			kinds := questions(t, a)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			const slow = 40
			var answers, busy atomic.Int64
			var all sync.WaitGroup
			for range slow {
				all.Go(func() {
					_, err := a.Call(ctx, sqlkit.Call(t, "query", map[string]any{"sql": "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"}))
					if err == nil {
						answers.Add(1)
					}
					if ctx.Err() == nil {
						busy.Add(1)
					}
				})
			}
			running := "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH%'"
			await(t, func() bool { return see(t, witness, running) == fmt.Sprint(foreignConns) })
			lookups := 0
			for range 200 {
				for _, k := range kinds {
					if k.name == "query" {
						continue
					}
					if err := k.try(t.Context()); err != nil {
						t.Fatalf("%s: %v", k.name, err)
					}
					lookups++
				}
			}
			if n := see(t, witness, running); n != fmt.Sprint(foreignConns) || answers.Load()+busy.Load() != 0 {
				t.Errorf("%s slow statements ran beside the lookups, %d were answered and %d gave up; want %d, none and none", n, answers.Load(), busy.Load(), foreignConns)
			}
			cancel()
			all.Wait()
			if answers.Load() != 0 || lookups != 800 {
				t.Errorf("%d slow statements answered and %d lookups, want 0 and 800", answers.Load(), lookups)
			}
			for _, k := range kinds {
				k.mustBeRight(t) // ad-hoc SQL has its connections back
			}
		})
	}
}

// TestTooSlow has a statement that takes longer than it may, and one that waits
// for a lock.
func TestTooSlow(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema)
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow", Timeout: 200 * time.Millisecond})
	defer a.Close()
	_, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"})
	saysCode(t, "a slow statement", err, mapping.Timeout, "the statement took longer than is allowed and was stopped")
	patient := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{})
	defer patient.Close()
	if _, err := patient.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	execute(t, witness, "BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE")
	_, err = sqlkit.Ask(t, patient, "public.customers/get", map[string]any{"id": 1})
	saysCode(t, "a locked table", err, mapping.Unavailable, "locked by somebody else")
	execute(t, witness, "ROLLBACK")
	if _, err := sqlkit.Ask(t, patient, "public.customers/get", map[string]any{"id": 1}); err != nil {
		t.Errorf("unlocked: %v", err)
	}
}
