package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const slow = `"SELECT count(*) FROM generate_series(1, 1000000000000)"`

func kitServer(t *testing.T) (*pgtest.Server, func(context.Context) (string, error)) {
	t.Helper()
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema)
	execute(t, witness, "CREATE ROLE reader LOGIN PASSWORD 'secret-of-the-reader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
	pool, err := pgxpool.New(t.Context(), srv.DSN("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return srv, func(ctx context.Context) (state string, err error) {
		err = pool.QueryRow(ctx, `SELECT concat((SELECT string_agg(c::text, ',' ORDER BY id) FROM customers c), (SELECT string_agg(l::text, ',' ORDER BY customer, code) FROM items l), (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'))`).Scan(&state)
		return state, err
	}
}

func TestKit(t *testing.T) {
	srv, state := kitServer(t)
	dsn := strings.Replace(srv.DSN("reader", "postgres"), "reader@", "reader:secret-of-the-reader@", 1)
	h := sqlkit.Harness("public", slow, func(context.Context) (*adaptertest.Subject, error) {
		return &adaptertest.Subject{Adapter: Open(dsn, bridgesql.Options{}), State: state}, nil
	})
	h.Secrets = []string{"secret-of-the-reader"}
	h.Addresses = []string{fmt.Sprintf("127.0.0.1:%d", srv.Port)}
	adaptertest.Run(t, h)
}

// TestKitOnAPool hands over a pool in the mode in which pgx sends text that may
// hold several statements.
func TestKitOnAPool(t *testing.T) {
	srv, state := kitServer(t)
	runOnAPool(t, srv.DSN("reader", "postgres"), state)
}

// TestKitBehindPgBouncer has PgBouncer share two connections of the server out to
// all of the adapter's, a transaction at a time: nothing may rely on a session.
func TestKitBehindPgBouncer(t *testing.T) {
	srv, state := kitServer(t)
	bouncer := srv.Bounce(t, 2, "reader")
	t.Run("opened", func(t *testing.T) {
		adaptertest.Run(t, sqlkit.Harness("public", slow, func(context.Context) (*adaptertest.Subject, error) {
			return &adaptertest.Subject{Adapter: Open(bouncer.DSN("reader", "postgres"), bridgesql.Options{}), State: state}, nil
		}))
	})
	t.Run("handed over", func(t *testing.T) { runOnAPool(t, bouncer.DSN("reader", "postgres"), state) })
}

func runOnAPool(t *testing.T, dsn string, state func(context.Context) (string, error)) {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	config.MaxConns = 8
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	adaptertest.Run(t, sqlkit.Harness("public", slow, func(context.Context) (*adaptertest.Subject, error) {
		return &adaptertest.Subject{Adapter: New(pool, bridgesql.Options{}), State: state}, nil
	}))
	if _, err := pool.Exec(t.Context(), "SELECT 1"); err != nil {
		t.Errorf("the pool that was handed over does not work afterwards: %v", err)
	}
}
