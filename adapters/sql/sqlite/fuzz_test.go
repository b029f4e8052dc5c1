package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// FuzzAuthorizer takes away every layer but the authorizer: the file is opened for
// writing, and a text may hold many statements. All the same nothing may change:
// not the folder, not the session, and no transaction may stay open.
func FuzzAuthorizer(f *testing.F) {
	for _, text := range append(append([]string{}, attacks...), placed...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		file := filepath.Join(dir, "shop.db")
		create(t, file, `CREATE TABLE victim(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO victim VALUES (1,'a'),(2,'b'),(3,'c')`)
		before := folder(t, dir)
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fresh := settings(t, conn)
		authorize(t, conn, allow)
		said := runAll(t, conn, strings.ReplaceAll(text, "{dir}", dir))
		authorize(t, conn, nil)
		if after := folder(t, dir); after != before {
			t.Errorf("%q left\n%s\nwas\n%s\n(SQLite said %v)", text, after, before, said)
		}
		if now := settings(t, conn); now != fresh {
			t.Errorf("%q changed its session to %s, was %s", text, now, fresh)
		}
		if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
			t.Errorf("%q leaves a transaction: %v", text, err)
		}
	})
}

func authorize(t *testing.T, conn *sql.Conn, policy sqlite.AuthorizerFn) {
	t.Helper()
	err := conn.Raw(func(c any) error { return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(policy) })
	if err != nil {
		t.Fatal(err)
	}
}

// settings are what a session could keep.
func settings(t *testing.T, conn *sql.Conn) (all string) {
	t.Helper()
	err := conn.QueryRowContext(t.Context(), `SELECT concat_ws(' ', total_changes(), (SELECT count(*) FROM sqlite_temp_schema), (SELECT group_concat(name) FROM pragma_database_list),
		(SELECT query_only FROM pragma_query_only), (SELECT trusted_schema FROM pragma_trusted_schema), (SELECT user_version FROM pragma_user_version), (SELECT writable_schema FROM pragma_writable_schema), (SELECT journal_mode FROM pragma_journal_mode))`).Scan(&all)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// runAll runs a text to the end of its last result, for a moment at most.
func runAll(t *testing.T, conn *sql.Conn, text string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, foreignLength); err != nil {
		t.Fatal(err)
	}
	found, err := conn.QueryContext(ctx, text)
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
