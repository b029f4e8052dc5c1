package mysql

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/mytest"

	"github.com/go-sql-driver/mysql"
)

// leftOut are the functions that a model may not call, and an operator of the same list.
var leftOut = strings.Fields(`benchmark sleep get_lock is_free_lock is_used_lock release_all_locks release_lock
	master_gtid_wait master_pos_wait wsrep_sync_wait_upto_gtid last_insert_id load_file binlog_gtid_pos des_decrypt des_encrypt is`)

// TestFunctions makes a stored function under every name that the server knows for
// anything, and under those that the gate does. However a name is written, what the
// gate lets through calls none of them, and every function of the server passes.
func TestFunctions(t *testing.T) {
	srv := mytest.Start(t)
	conn := prepare(t, srv, nil)
	gate := newGate(see(t, conn, "SELECT VERSION()"), nil)
	const own, topics = "SELECT LOWER(FUNCTION) FROM information_schema.SQL_FUNCTIONS", "SELECT LOWER(REPLACE(t.name, '\\\\', '')) FROM mysql.help_topic t JOIN mysql.help_category c USING (help_category_id)"
	names := all(t, conn, own+" UNION SELECT LOWER(WORD) FROM information_schema.KEYWORDS UNION "+topics)
	names = append(names, beforeBracket...)
	for name := range gate.own {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		exec(t, conn, "CREATE FUNCTION "+dialect{}.Quote(name)+"() RETURNS TEXT RETURN 'somebody''s'")
		for _, call := range []string{name + "()", name + " ()", name + "/**/()", dialect{}.Quote(name) + "()", "shop." + name + "()"} {
			passes := gate.check("SELECT "+call, 0) == nil
			if passes && theirs(t, conn, call) {
				t.Errorf("%s passes, and calls what is not the server's", call)
			}
		}
	}
	for _, name := range all(t, conn, own+" UNION "+topics+" WHERE c.name LIKE '%unction%' OR t.url LIKE '%/geo%'") {
		if _, known := gate.own[name]; !known && !slices.Contains(beforeBracket, name) && !slices.Contains(leftOut, name) && !theirs(t, conn, name+"()") {
			t.Errorf("%s is a function of the server, and the gate does not know it", name)
		}
	}
}

// all returns a column's values as far as they are plain names.
func all(t *testing.T, conn *sql.Conn, text string) (names []string) {
	t.Helper()
	found, err := conn.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == "" {
			names = append(names, name)
		}
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

// theirs reports whether an expression is a call of a stored function.
func theirs(t *testing.T, conn *sql.Conn, call string) bool {
	t.Helper()
	var said sql.NullString
	err := conn.QueryRowContext(t.Context(), "SELECT "+call).Scan(&said)
	var refused *mysql.MySQLError
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("%s: %v", call, err)
	}
	return said.String == "somebody's"
}
