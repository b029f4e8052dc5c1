package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgxpool"
)

// TestRestart takes the server away under load and gives it back: in between every
// answer is an error, and afterwards the next call of every kind is right at once.
// The pool never tests a connection before it hands it out, so that only the
// adapter can notice that one is dead.
func TestRestart(t *testing.T) {
	srv := pgtest.Start(t)
	execute(t, connect(t, srv.DSN("postgres", "postgres")), sqlkit.Schema)
	pool := handedOver(t, srv.DSN("postgres", "postgres"), 8)
	a := New(pool, bridgesql.Options{Query: "allow"})
	defer a.Close()
	kinds := questions(t, a)
	crash := func(t *testing.T) {
		// The server ends all sessions when one of its processes is killed.
		victim, other := connect(t, srv.DSN("postgres", "postgres")), connect(t, srv.DSN("postgres", "postgres"))
		if err := syscall.Kill(int(victim.PgConn().PID()), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool { _, err := other.Exec(t.Context(), "SELECT 1"); return err != nil })
	}
	for _, fault := range []struct {
		name  string
		down  func(t *testing.T)
		up    func(t *testing.T)
		fails int64 // at least, before it is up
	}{
		{"immediate stop", func(t *testing.T) { srv.Stop(t, "immediate") }, func(t *testing.T) { srv.Launch(t) }, 8},
		{"fast stop", func(t *testing.T) { srv.Stop(t, "fast") }, func(t *testing.T) { srv.Launch(t) }, 8},
		// It comes up by itself, perhaps before anybody asks.
		{"killed process", crash, func(t *testing.T) { await(t, func() bool { return reachable(t, srv) }) }, 0},
	} {
		t.Run("under load/"+fault.name, func(t *testing.T) {
			load := begin(t, kinds)
			await(t, func() bool { return load.right.Load() >= 100 })
			fault.down(t)
			await(t, func() bool { return load.failed.Load() >= fault.fails })
			fault.up(t)
			for _, k := range kinds {
				k.mustBeRight(t)
			}
		})
		t.Run("at rest/"+fault.name, func(t *testing.T) {
			idle(t, pool)
			fault.down(t)
			fault.up(t)
			for _, k := range kinds {
				k.mustBeRight(t)
			}
		})
	}
}

// idle fills the pool with connections that rest.
func idle(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for range pool.Config().MaxConns {
		c, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Release()
	}
}

func reachable(t *testing.T, srv *pgtest.Server) bool {
	pool, err := pgxpool.New(t.Context(), srv.DSN("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	return pool.Ping(t.Context()) == nil
}

// handedOver is a pool that never pings.
func handedOver(t *testing.T, dsn string, size int32) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = size
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// A question has one right answer, which it gave when nothing was wrong.
type question struct {
	name string
	ask  func(ctx context.Context) (*mapping.Result, error)
	want string
}

// questions are one of every kind, each of which a server that is away must not
// answer.
func questions(t *testing.T, a *bridgesql.Adapter) []*question {
	t.Helper()
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	var kinds []*question
	for key, args := range map[string]map[string]any{
		"public.customers/get":  {"id": 1},
		"public.customers/find": {"where": []any{map[string]any{"column": "id", "op": "lte", "value": 2}}},
		"count":                 {"table": "public.items", "group_by": []string{"customer"}},
		"query":                 {"sql": "SELECT code FROM items ORDER BY code"},
	} {
		c := sqlkit.Call(t, key, args)
		kinds = append(kinds, &question{name: key, ask: func(ctx context.Context) (*mapping.Result, error) { return a.Call(ctx, c) }})
	}
	row := mapping.Read{Path: "{schema}/{table}/{key1}", Vars: map[string]string{"schema": "public", "table": "customers", "key1": "2"}, Budget: 60_000, MaxBytes: 1 << 20}
	kinds = append(kinds, &question{name: "row resource", ask: func(ctx context.Context) (*mapping.Result, error) { return a.Read(ctx, row) }})
	for _, k := range kinds {
		r, err := k.ask(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		k.want = string(r.JSON)
	}
	return kinds
}

// try asks once; it returns nil for the right answer and the error for none.
func (k *question) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := k.ask(ctx)
	if err == nil && string(r.JSON) != k.want {
		return fmt.Errorf("answered %s, want %s", r.JSON, k.want)
	}
	return err
}

func (k *question) mustBeRight(t *testing.T) {
	t.Helper()
	if err := k.try(t.Context()); err != nil {
		t.Errorf("%s: %v", k.name, err)
	}
}

// A load asks without pause. Every answer is right or Unavailable.
type load struct {
	right, failed atomic.Int64
	stop          context.CancelFunc
	callers       sync.WaitGroup
}

func begin(t *testing.T, kinds []*question) *load {
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	l := &load{stop: stop}
	t.Cleanup(func() { l.end(t) })
	for i := range 12 {
		k := kinds[i%len(kinds)]
		l.callers.Go(func() {
			for ctx.Err() == nil {
				err := k.try(context.WithoutCancel(ctx))
				switch {
				case err == nil:
					l.right.Add(1)
				case mapping.CodeOf(err) == mapping.Unavailable:
					l.failed.Add(1)
				default:
					t.Errorf("%s: %v (%v), want an answer or Unavailable", k.name, err, errors.Unwrap(err))
					return
				}
			}
		})
	}
	return l
}

func (l *load) end(t *testing.T) {
	t.Helper()
	l.stop()
	l.callers.Wait()
	t.Logf("%d right, %d unavailable", l.right.Load(), l.failed.Load())
}

// TestFrozen stops the processes that serve the adapter, which answer nothing then
// and close nothing: a call ends with its deadline, and others find another way.
func TestFrozen(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema)
	a := Open(srv.DSN("postgres", "postgres")+"&application_name=frozen", bridgesql.Options{Query: "off"})
	defer a.Close()
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	var pid int
	if err := witness.QueryRow(t.Context(), "SELECT pid FROM pg_stat_activity WHERE application_name = 'frozen'").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	c := sqlkit.Call(t, "public.customers/get", map[string]any{"id": 1})
	if r, err := a.Call(ctx, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that does not answer gave %v, %v; want the deadline", r, err)
	}
	if _, err := a.Call(t.Context(), c); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestExhausted holds every connection that the adapter may use.
func TestExhausted(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema+"; CREATE ROLE few LOGIN CONNECTION LIMIT 1; GRANT SELECT ON ALL TABLES IN SCHEMA public TO few")
	get := sqlkit.Call(t, "public.customers/get", map[string]any{"id": 1})
	shortly := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}

	t.Run("a pool of one that was handed over", func(t *testing.T) {
		pool := handedOver(t, srv.DSN("postgres", "postgres"), 1)
		held, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a := New(pool, bridgesql.Options{Query: "allow"})
		defer a.Close()
		_, err = a.Catalog(shortly())
		saysCode(t, "the first catalog", err, mapping.Unavailable, "all connections to the database are busy") // temporary
		held.Release()
		if _, err := a.Catalog(t.Context()); err != nil {
			t.Fatal(err)
		}
		if held, err = pool.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = a.Call(shortly(), get)
		saysCode(t, "get", err, mapping.Exhausted, "all connections to the database are busy")
		held.Release()
		if _, err := a.Call(t.Context(), get); err != nil {
			t.Errorf("with the connection free again: %v", err)
		}
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT 1"}); err != nil {
			t.Errorf("query over a pool of one: %v", err)
		}
	})

	t.Run("connections for ad-hoc SQL", func(t *testing.T) {
		a := Open(srv.DSN("postgres", "postgres")+"&application_name=attacker", bridgesql.Options{Query: "allow", Timeout: time.Minute})
		defer a.Close()
		if _, err := a.Catalog(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range foreignConns {
			all.Go(func() {
				_, _ = a.Call(ctx, sqlkit.Call(t, "query", map[string]any{"sql": "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"}))
			})
		}
		await(t, func() bool { return see(t, witness, stillRunning) == fmt.Sprint(foreignConns) })
		_, err := a.Call(shortly(), sqlkit.Call(t, "query", map[string]any{"sql": "SELECT 1"}))
		saysCode(t, "query", err, mapping.Exhausted, "all connections to the database are busy")
		if _, err := a.Call(t.Context(), get); err != nil {
			t.Errorf("get beside slow ad-hoc SQL: %v", err)
		}
		cancel()
		all.Wait()
	})

	t.Run("the server's connections", func(t *testing.T) {
		a := Open(srv.DSN("few", "postgres"), bridgesql.Options{Query: "off"})
		defer a.Close()
		only := connect(t, srv.DSN("few", "postgres"))
		_, err := a.Catalog(t.Context())
		saysCode(t, "the first catalog", err, mapping.Unavailable, "the database has no connection free")
		if err := only.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool { _, err = a.Catalog(t.Context()); return err == nil })
	})
}

// saysCode checks the code and the words of an error.
func saysCode(t *testing.T, what string, err error, code mapping.Code, words string) {
	t.Helper()
	if mapping.CodeOf(err) != code || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: %s, %v; want %s, %q", what, mapping.CodeOf(err), err, code, words)
	}
}

// TestHugeCell reads a value that is larger than a message may be: it costs its
// own call, and the host's pool takes such values as before.
func TestHugeCell(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TABLE huge (id int PRIMARY KEY, v text); INSERT INTO huge VALUES (1, repeat('x', 20000000)), (2, 'small')")
	pool := handedOver(t, srv.DSN("postgres", "postgres"), 1)
	for name, a := range map[string]*bridgesql.Adapter{"opened": Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow"}), "handed over": New(pool, bridgesql.Options{Query: "allow"})} {
		t.Run(name, func(t *testing.T) {
			defer a.Close()
			if _, err := a.Catalog(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, err := sqlkit.Ask(t, a, "public.huge/get", map[string]any{"id": 1})
			saysCode(t, "get", err, mapping.Exhausted, "one row is larger than the 16 MiB that are allowed")
			_, err = sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT v FROM huge"})
			saysCode(t, "query", err, mapping.Exhausted, "one row is larger than the 16 MiB that are allowed")
			if _, err := sqlkit.Ask(t, a, "public.huge/get", map[string]any{"id": 2}); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
	var v string
	if err := pool.QueryRow(t.Context(), "SELECT v FROM huge WHERE id = 1").Scan(&v); err != nil {
		t.Fatalf("the host's own query: %v", err)
	}
	if len(v) != 20_000_000 {
		t.Errorf("the host's own query: %d bytes", len(v))
	}
}

// TestDownAtStart opens an adapter before its server.
func TestDownAtStart(t *testing.T) {
	srv := pgtest.Start(t)
	execute(t, connect(t, srv.DSN("postgres", "postgres")), sqlkit.Schema)
	srv.Stop(t, "immediate")
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{})
	defer a.Close()
	_, err := a.Catalog(t.Context())
	saysCode(t, "the catalog of a server that is down", err, mapping.Unavailable, "cannot be reached")
	_, err = a.Call(t.Context(), sqlkit.Call(t, "count", map[string]any{"table": "public.items"}))
	saysCode(t, "a call", err, mapping.Unavailable, "cannot be reached")
	srv.Launch(t)
	r, err := sqlkit.Ask(t, a, "count", map[string]any{"table": "public.items"})
	if err != nil || string(r.JSON) != `{"groups":[{"values":{},"count":3}]}` {
		t.Errorf("the first call of a server that came up: %v, %v", r, err)
	}
}

// TestCredentials logs in with a password that a URL cannot hold as it is.
func TestCredentials(t *testing.T) {
	const password = "p@ss:/w#1%"
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, sqlkit.Schema+"; CREATE ROLE locked LOGIN PASSWORD '"+password+"'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked")
	rules := "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
	if err := os.WriteFile(filepath.Join(srv.Dir, "data", "pg_hba.conf"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	execute(t, witness, "SELECT pg_reload_conf()")
	dsn := func(userinfo, database string) string {
		return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", userinfo, srv.Port, database)
	}
	await(t, func() bool { // until the rules hold
		pool, err := pgxpool.New(t.Context(), dsn("locked:wrong", "postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		return pool.Ping(t.Context()) != nil
	})
	for _, c := range []struct {
		name, dsn string
		code      mapping.Code
		words     string
	}{
		{"encoded", dsn("locked:"+url.QueryEscape(password), "postgres"), "", ""},
		{"encoded, with an @ in a setting", dsn("locked:"+url.QueryEscape(password), "postgres") + "&application_name=a@b/c", "", ""},
		{"words", fmt.Sprintf("host=127.0.0.1 port=%d user=locked password='%s' dbname=postgres sslmode=disable", srv.Port, password), "", ""},
		{"raw", dsn("locked:"+password, "postgres"), mapping.Invalid, "the connection string cannot be read. postgres://USER:PASSWORD@HOST:PORT/DATABASE, with @ : / ? # % in the password written %40 %3A %2F %3F %23 %25"},
		{"raw with #", dsn("locked:p@ss#w", "postgres"), mapping.Invalid, "%23"},
		{"raw with /", dsn("locked:1/w@ss", "postgres"), mapping.Invalid, "%2F"},
		{"raw with ?", dsn("locked:1?w@ss", "postgres"), mapping.Invalid, "%3F"},
		{"raw with %", dsn("locked:p%ss", "postgres"), mapping.Invalid, "%25"},
		{"wrong password", dsn("locked:not-"+url.QueryEscape(password), "postgres"), mapping.Unauthenticated, "the database refuses the credentials. do not retry"},
		{"no such role", dsn("nobody:"+url.QueryEscape(password), "postgres"), mapping.Unauthenticated, "the database refuses the credentials"},
		{"no such database", dsn("locked:"+url.QueryEscape(password), "nowhere"), mapping.NotFound, "there is no such database. do not retry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Open(c.dsn, bridgesql.Options{})
			defer a.Close()
			_, err := a.Catalog(t.Context())
			if c.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			saysCode(t, "the catalog", err, c.code, c.words)
			_, checked := a.Check(t.Context())
			saysCode(t, "the check", checked, c.code, c.words)
			// A log holds the causes too.
			for e := err; e != nil; e = errors.Unwrap(e) {
				for _, part := range []string{password, url.QueryEscape(password), "ss:/w", "p@ss", "w@ss", "p%ss"} {
					if strings.Contains(e.Error(), part) {
						t.Errorf("the error shows a part of the password: %v", e)
					}
				}
			}
		})
	}
}
