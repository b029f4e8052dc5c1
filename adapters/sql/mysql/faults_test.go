package mysql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// endless is a statement whose first row would come after hours.
const endless = `SELECT COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b`

// people makes the table that the faults happen to, with five rows.
var people = []string{
	"SET GLOBAL innodb_flush_log_at_trx_commit = 1", // so that they outlive a kill
	"CREATE TABLE people(id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO people SELECT seq, CONCAT('p', seq) FROM seq_1_to_5",
	"CREATE USER plain", "GRANT SELECT ON shop.* TO plain", "CREATE USER guarded IDENTIFIED BY 'p@ss:/w#1%'", "GRANT SELECT ON shop.* TO guarded",
}

// five asks for all rows of people within a deadline, and holds the answer against
// what is there: anything but five rows is an error.
func five(ctx context.Context, a *bridgesql.Adapter, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	r, err := a.Call(ctx, mapping.Call{Key: "shop.people/find", Budget: 60_000, MaxBytes: 16 << 20})
	if err == nil && strings.Count(string(r.JSON), `"name"`) != 5 {
		return fmt.Errorf("not five rows: %s", r.JSON)
	}
	return err
}

// TestRestart kills the server under load and starts it again. While it is away
// every call fails in words; the first call afterwards is answered.
func TestRestart(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, people)
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{})
	defer a.Close()
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var answered, failed atomic.Int64
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for ctx.Err() == nil {
				switch err := five(t.Context(), a, time.Minute); {
				case err == nil:
					answered.Add(1)
				case mapping.CodeOf(err) == mapping.Unavailable:
					failed.Add(1)
				default:
					t.Errorf("with the server away: %v", err)
					return
				}
			}
		})
	}
	slow := make(chan error, 1)
	witness := prepare(t, srv, nil)
	go func() {
		_, err := a.Call(t.Context(), mapping.Call{Key: "query", Args: []mapping.Arg{{Name: "sql", Value: []byte(`"` + endless + `"`)}}, Budget: 60_000, MaxBytes: 16 << 20})
		slow <- err
	}()
	sqlkit.Await(t, func() bool { return see(t, witness, counting) == "1" })
	sqlkit.Await(t, func() bool { return answered.Load() > 100 })
	srv.Kill()
	if err := <-slow; mapping.CodeOf(err) != mapping.Unavailable {
		t.Errorf("the statement that was running: %v", err)
	}
	sqlkit.Await(t, func() bool { return failed.Load() > 100 })
	srv.Launch(t)
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Errorf("the first call after the restart: %v", err)
	}
	before := answered.Load()
	sqlkit.Await(t, func() bool { return answered.Load() > before+100 })
	cancel()
	callers.Wait()
}

// counting tells how many endless statements the server works at.
const counting = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT COUNT(*) FROM seq_%'"

// TestHang stops the server's process: it takes connections and answers nothing.
// Calls end at their deadline all the same, also in the middle of rows.
func TestHang(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, people)
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{})
	defer a.Close()
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Fatal(err)
	}
	srv.Pause(t)
	for range ownConns + 1 { // over those that are open, and on one that cannot be opened
		if err := five(t.Context(), a, 100*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a server that hangs: %v", err)
		}
	}
	srv.Resume(t)
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Errorf("the first call afterwards: %v", err)
	}
	e := &engine{dsn: srv.DSN("plain", "shop")}
	defer e.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := &counted{then: func() { srv.Pause(t); cancel() }}
	err := e.Foreign(ctx, bridgesql.Statement{Text: "SELECT a.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b", MaxRows: 1 << 40}, got)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("in the middle of rows: %v after %d rows", err, got.n)
	}
	srv.Resume(t)
}

// counted is a Sink that counts rows, and does something once at the hundredth.
type counted struct {
	n    int
	then func()
}

func (c *counted) Columns([]*bridgesql.Column) error { return nil }

func (c *counted) Row([]json.RawMessage) error {
	if c.n++; c.n == 100 {
		c.then()
	}
	return nil
}

// TestExhausted takes every connection of the pools and asks for one more.
func TestExhausted(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, people)
	given, err := sql.Open("mysql", srv.DSN("plain", "shop"))
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	given.SetMaxOpenConns(1)
	own := &engine{dsn: srv.DSN("plain", "shop")}
	for name, c := range map[string]struct {
		a    *bridgesql.Adapter
		pool func() *sql.DB
		most int
	}{
		"own":         {bridgesql.New(own, bridgesql.Options{}), func() *sql.DB { return own.pool }, ownConns},
		"handed over": {New(given, bridgesql.Options{}), func() *sql.DB { return given }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			defer c.a.Close()
			if err := five(t.Context(), c.a, time.Minute); err != nil {
				t.Fatal(err)
			}
			var held []*sql.Conn
			for range c.most {
				conn, err := c.pool().Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				held = append(held, conn)
			}
			err := five(t.Context(), c.a, 100*time.Millisecond)
			if mapping.CodeOf(err) != mapping.Exhausted || !strings.Contains(err.Error(), "all connections to the database are busy") {
				t.Errorf("with all connections taken: %v", err)
			}
			for _, conn := range held {
				if err := conn.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := five(t.Context(), c.a, time.Minute); err != nil {
				t.Errorf("with all connections free again: %v", err)
			}
		})
	}
}

// TestDownAtStart asks for a catalog before the server is up. The failure is one
// that is tried again, and the same adapter works once it is.
func TestDownAtStart(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, people)
	srv.Kill()
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{})
	defer a.Close()
	if _, err := a.Catalog(t.Context()); mapping.CodeOf(err) != mapping.Unavailable {
		t.Errorf("with the server down: %v", err)
	}
	srv.Launch(t)
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Errorf("once it is up: %v", err)
	}
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Error(err)
	}
}

// TestRefused reaches the server in ways that it refuses. Only what may pass by
// itself is tried again (core does so by the code), and no sentence names the
// user, the password or the address.
func TestRefused(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepare(t, srv, append(people, "CREATE USER tls REQUIRE SSL", "CREATE USER stranger", "SET GLOBAL max_connections = 10"))
	at := fmt.Sprintf("127.0.0.1:%d", srv.Port)
	for _, c := range []struct {
		dsn, words string
		want       mapping.Code
	}{
		{"guarded:wrong@tcp(" + at + ")/shop", "refuses the credentials", mapping.Unauthenticated},
		{"nobody@tcp(" + at + ")/shop", "refuses the credentials", mapping.Unauthenticated},
		{"root@tcp(" + at + ")/nowhere", "there is no such database", mapping.NotFound},
		{"plain@tcp(" + at + ")/nowhere", "does not allow it", mapping.Denied},
		{"stranger@tcp(" + at + ")/shop", "does not allow it", mapping.Denied},
		{"tls@tcp(" + at + ")/shop", "refuses the credentials", mapping.Unauthenticated},
		{"plain@tcp(" + at + ")/shop?tls=true", "does not offer TLS", mapping.Unsupported},
		{"plain@tcp(" + at + ")/shop?tls=nonsense", "cannot be read", mapping.Invalid},
		{"mysql://plain@" + at + "/shop?tls=nonsense", "cannot be read", mapping.Invalid},
		{"plain", "cannot be read", mapping.Invalid},
	} {
		a := Open(c.dsn, bridgesql.Options{})
		_, err := a.Catalog(t.Context())
		refusedAs(t, c.dsn, err, c.want, c.words, at)
		a.Close()
	}
	var held []*sql.DB
	for full := false; !full; {
		db, err := sql.Open("mysql", srv.DSN("plain", "shop"))
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, db)
		full = db.PingContext(t.Context()) != nil
	}
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{})
	defer a.Close()
	_, err := a.Catalog(t.Context())
	refusedAs(t, "a full server", err, mapping.Unavailable, "as many connections as it may", at)
	for _, db := range held {
		db.Close()
	}
	sqlkit.Await(t, func() bool { return see(t, witness, "SELECT COUNT(*) < 5 FROM information_schema.PROCESSLIST") == "1" })
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Errorf("once there is room: %v", err)
	}
}

func refusedAs(t *testing.T, what string, err error, want mapping.Code, words, at string) {
	t.Helper()
	var worded *mapping.Error
	if !errors.As(err, &worded) || worded.Code != want || !strings.Contains(worded.Error(), words) {
		t.Errorf("%s: %v, want %s with %q", what, err, want, words)
		return
	}
	for _, private := range []string{"plain", "guarded", "nobody", "stranger", "wrong", at, "127.0.0.1", "localhost"} {
		if strings.Contains(worded.Error(), private) {
			t.Errorf("%s: the sentence names %q: %v", what, private, worded)
		}
	}
}

// TestPasswords reaches the server with a password of all the characters that
// mean something in a URL or in the driver's DSN.
func TestPasswords(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, people)
	const password = "p@ss:/w#1%"
	at := fmt.Sprintf("127.0.0.1:%d", srv.Port)
	link := url.URL{Scheme: "mysql", User: url.UserPassword("guarded", password), Host: at, Path: "/shop"}
	for _, dsn := range []string{
		link.String(), "mariadb" + strings.TrimPrefix(link.String(), "mysql"), "mysql://guarded:p%40ss%3A%2Fw%231%25@" + at + "/shop",
		"guarded:" + password + "@tcp(" + at + ")/shop",
	} {
		a := Open(dsn, bridgesql.Options{})
		if err := five(t.Context(), a, time.Minute); err != nil {
			t.Errorf("%s: %v", dsn, err)
		}
		a.Close()
	}
}

// TestCancel gives up on slow statements, of a model's own and generated, and looks
// from a second connection whether the server has stopped them.
func TestCancel(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepare(t, srv, append(people, "CREATE VIEW forever AS "+endless))
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{Timeout: time.Minute})
	defer a.Close()
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		call mapping.Call
		most int
	}{
		{mapping.Call{Key: "query", Args: []mapping.Arg{{Name: "sql", Value: []byte(`"` + endless + `"`)}}}, foreignConns},
		{mapping.Call{Key: "shop.forever/find"}, ownConns},
	} {
		c.call.Budget, c.call.MaxBytes = 60_000, 16<<20
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error, c.most)
		for range c.most {
			go func() {
				_, err := a.Call(ctx, c.call)
				answers <- err
			}()
		}
		sqlkit.Await(t, func() bool { return see(t, witness, stillRunning) == fmt.Sprint(c.most) })
		cancel()
		for range c.most {
			if err := <-answers; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a cancelled statement answers %v", c.call.Key, err)
			}
		}
		sqlkit.Await(t, func() bool { return see(t, witness, stillRunning) == "0" })
	}
}

// TestUnhindered answers lookups while slow SQL of a model's own waits for its turn.
func TestUnhindered(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepare(t, srv, people)
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{Timeout: time.Minute})
	defer a.Close()
	if err := five(t.Context(), a, time.Minute); err != nil {
		t.Fatal(err)
	}
	sqlkit.Unhindered(t, a, `"`+endless+`"`, mapping.Call{Key: "shop.people/get", Args: []mapping.Arg{{Name: "id", Value: []byte("1")}}},
		func() bool { return see(t, witness, counting) == fmt.Sprint(foreignConns) })
}

// TestEnough asks for a few rows of a statement that would stream for hours.
func TestEnough(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepare(t, srv, people)
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{Timeout: time.Hour})
	defer a.Close()
	r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT a.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b", "limit": 3})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Truncated || !strings.Contains(string(r.JSON), `[[1],[2],[3]]`) && !strings.Contains(string(r.JSON), `[[1],[1],[1]]`) {
		t.Errorf("got %s", r.JSON)
	}
	sqlkit.Await(t, func() bool { return see(t, witness, stillRunning) == "0" })
}
