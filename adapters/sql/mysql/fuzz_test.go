package mysql

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
)

// FuzzGate takes away every layer but the gate: what it lets through runs as root,
// outside a read-only transaction, by the protocol that takes many statements at
// once. All the same a second connection must not see anything changed, locked or
// kept. Text that the server refuses counts too, for a part of it may have run.
func FuzzGate(f *testing.F) {
	srv := mytest.Start(f)
	witness := prepareVictims(f, srv)
	prepare(f, srv, readsFixture)
	for _, text := range append(append([]string{}, attacks...), reads...) {
		f.Add(text)
	}
	db, err := sql.Open("mysql", srv.DSN("root", "shop")+"?multiStatements=true&sql_mode='STRICT_ALL_TABLES'&max_statement_time=0.05&lock_wait_timeout=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	gate := newGate(see(f, witness, "SELECT VERSION()"), nil)
	const session = "SELECT CONCAT_WS(' ', @@sql_mode, @@autocommit, @@tx_read_only, @@max_statement_time)"
	all := func(t testing.TB) string { return seeAll(t, witness) + files(t, srv) }
	before, fresh := all(f), ""
	if err := db.QueryRowContext(f.Context(), session).Scan(&fresh); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if gate.check(text, -1) != nil {
			return
		}
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		exec(t, conn, "START TRANSACTION")
		said := runAll(t, conn, text)
		for _, table := range []string{"victim", "c"} {
			if got, want := unlocked(t, witness, table, " FOR UPDATE SKIP LOCKED"), unlocked(t, witness, table, ""); got != want {
				t.Errorf("%q left %d of %d rows of %s unlocked", text, got, want, table)
			}
		}
		exec(t, conn, "COMMIT")
		if after := all(t); after != before {
			t.Errorf("%q left\n%s\nwas\n%s\n(the server said %v)", text, after, before, said)
		}
		if now := see(t, conn, session); now != fresh {
			t.Errorf("%q changed its session to %s, was %s", text, now, fresh)
		}
	})
}

// files lists what the server keeps, and what it may write a result to.
func files(t testing.TB, srv *mytest.Server) string {
	t.Helper()
	list := ""
	for _, folder := range []string{"data", "data/shop"} {
		entries, err := os.ReadDir(filepath.Join(srv.Dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list += "\n" + e.Name()
		}
	}
	return list
}

// unlocked counts the rows of a table that can be had.
func unlocked(t *testing.T, c *sql.Conn, table, how string) (n int) {
	t.Helper()
	found, err := c.QueryContext(t.Context(), "SELECT id FROM shop."+table+how)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		n++
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// runAll runs a text to the end of its last result.
func runAll(t *testing.T, conn *sql.Conn, text string) error {
	t.Helper()
	found, err := conn.QueryContext(t.Context(), text)
	if err != nil {
		return err
	}
	defer found.Close()
	for more := true; more; more = found.NextResultSet() {
		for found.Next() {
		}
	}
	return found.Err()
}

func exec(t *testing.T, conn *sql.Conn, text string) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
