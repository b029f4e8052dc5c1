package postgres

import (
	"context"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestCancel gives up on slow statements and looks from a second connection
// whether the server has stopped them: within a second each, by its own clock.
func TestCancel(t *testing.T) {
	srv := pgtest.Start(t)
	t.Run("direct", func(t *testing.T) { cancelAll(t, srv, srv.DSN("postgres", "postgres")) })
	t.Run("behind PgBouncer", func(t *testing.T) {
		cancelAll(t, srv, srv.Bounce(t, foreignConns, "postgres").DSN("postgres", "postgres"))
	})
}

func cancelAll(t *testing.T, srv *pgtest.Server, dsn string) {
	t.Helper()
	witness := connect(t, srv.DSN("postgres", "postgres"))
	a := Open(dsn+"&application_name=attacker", bridgesql.Options{Query: "allow", Timeout: time.Minute})
	defer a.Close()
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan error, foreignConns)
	for range foreignConns {
		go func() {
			_, err := a.Call(ctx, mapping.Call{Key: "query", Args: []mapping.Arg{{Name: "sql", Value: []byte(`"SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"`)}}, Budget: 60_000, MaxBytes: 16 << 20})
			answers <- err
		}()
	}
	await(t, func() bool { return see(t, witness, stillRunning) == "4" })
	cancel()
	start := time.Now()
	for range foreignConns {
		if err := <-answers; err == nil {
			t.Error("a cancelled statement has an answer")
		}
	}
	await(t, func() bool { return see(t, witness, stillRunning) == "0" })
	t.Logf("stopped after %v", time.Since(start))
}

// await asks until the answer is yes. The test's own deadline is the limit.
func await(t *testing.T, yes func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for !yes() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it did not come to pass")
		}
	}
}
