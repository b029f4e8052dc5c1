package mysql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// fixture is what the attacks are after: rows in two storage engines, a sequence,
// routines that write, commit and lift the session's limits, and a user for each
// degree of privilege.
var fixture = []string{
	"CREATE DATABASE shop", "USE shop",
	"CREATE TABLE victim(id INT PRIMARY KEY, v VARCHAR(50)) ENGINE=InnoDB",
	"CREATE TABLE untransacted(id INT PRIMARY KEY) ENGINE=MyISAM",
	"INSERT INTO victim SELECT seq, CONCAT('row ', seq) FROM seq_1_to_10",
	"INSERT INTO untransacted SELECT seq FROM seq_1_to_10",
	"CREATE SEQUENCE numbers",
	"CREATE FUNCTION writes() RETURNS INT BEGIN DELETE FROM untransacted; DELETE FROM victim; RETURN 1; END",
	"CREATE FUNCTION unlocks() RETURNS INT BEGIN SET SESSION tx_read_only = 0; RETURN 1; END",
	"CREATE PROCEDURE commits() BEGIN COMMIT; SET SESSION tx_read_only = 0; DELETE FROM victim; END",
	"CREATE PROCEDURE drops() BEGIN DROP TABLE victim; END",
	"CREATE FUNCTION `max`() RETURNS INT BEGIN DELETE FROM untransacted; DELETE FROM victim; RETURN 1; END", "CREATE FUNCTION `1e`() RETURNS INT RETURN writes()", "CREATE FUNCTION `point`() RETURNS INT RETURN writes()", "CREATE FUNCTION `columns`() RETURNS INT RETURN writes()", "CREATE FUNCTION `of`() RETURNS INT RETURN writes()", "CREATE FUNCTION `against`() RETURNS INT RETURN writes()", "CREATE FUNCTION `lateral`() RETURNS INT RETURN writes()", "CREATE FUNCTION `json_table`() RETURNS INT RETURN writes()",
	"CREATE SQL SECURITY DEFINER VIEW tempting AS SELECT writes() AS x",
	"CREATE USER owner", "GRANT ALL ON shop.* TO owner",
	"CREATE USER reader", "GRANT SELECT, SHOW VIEW, EXECUTE ON shop.* TO reader",
}

// attacks must leave nothing behind, whoever runs them. {file} is a path that the
// server could write to.
var attacks = []string{
	// More than one statement, or one hidden in a comment.
	"SELECT 1; DELETE FROM victim", "SELECT 1;DELETE FROM victim;", "SELECT 1; COMMIT; DELETE FROM victim", "SELECT 1--1;DELETE FROM victim",
	"SELECT 1 # ;\n; DELETE FROM victim", "SELECT 'a\\'; DELETE FROM victim; -- '", "SELECT \"a\\\"; DELETE FROM victim; -- \"", "SELECT ';'; DELETE FROM victim",
	"/*!50000 DELETE FROM victim */", "/*! DELETE FROM victim */", "/*M! DELETE FROM victim */", "/*M!100000 DELETE FROM victim */", "SELECT 1 /*!50000 INTO OUTFILE '{file}' */",
	"SELECT 1 /*M!100000 INTO OUTFILE '{file}' */", "SELECT 1 /* /*!50000 INTO OUTFILE '{file}' */ */", "SELECT 1 /*! + writes() */", "SELECT /*+ SET_VAR(max_execution_time=0) */ 1", "SELECT /*+ MAX_EXECUTION_TIME(0) */ SLEEP(2)",
	// Statements that write.
	"DELETE FROM victim", "/* x */ DELETE FROM victim", "-- x\nDELETE FROM victim", "# x\nDELETE FROM victim", "INSERT INTO victim VALUES (99, 'x')", "REPLACE INTO victim VALUES (1, 'x')",
	"UPDATE victim SET v = 'x'", "TRUNCATE victim", "DELETE FROM victim RETURNING id", "DELETE FROM untransacted", "INSERT INTO untransacted VALUES (99)", "LOAD DATA INFILE '/etc/passwd' INTO TABLE victim", "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE victim",
	"WITH a AS (SELECT 1) DELETE FROM victim", "WITH a AS (SELECT 1) UPDATE victim SET v = 'x'", "WITH a AS (SELECT 1) INSERT INTO victim SELECT 99, 'x'",
	"DROP TABLE victim", "ALTER TABLE victim ADD COLUMN x INT", "CREATE TABLE stolen AS SELECT * FROM victim", "CREATE TEMPORARY TABLE t AS SELECT 1", "RENAME TABLE victim TO gone", "CREATE VIEW v AS SELECT 1", "OPTIMIZE TABLE victim", "ANALYZE TABLE victim", "REPAIR TABLE untransacted", "CHECK TABLE victim",
	"SELECT * FROM victim INTO OUTFILE '{file}'", "SELECT 'x' INTO DUMPFILE '{file}'", "SELECT 1 INTO @x", "SELECT id INTO @x FROM victim LIMIT 1", "SELECT @x := 1", "SELECT @x", "SELECT * FROM victim PROCEDURE ANALYSE()",
	// Statements that act.
	"CALL commits()", "CALL drops()", "BEGIN NOT ATOMIC COMMIT; DELETE FROM victim; END", "BEGIN NOT ATOMIC COMMIT; SET SESSION tx_read_only=0; DELETE FROM victim; END", "IF 1=1 THEN COMMIT; DELETE FROM victim; END IF",
	"LOOP DELETE FROM victim; END LOOP", "EXECUTE IMMEDIATE 'BEGIN NOT ATOMIC COMMIT; DELETE FROM victim; END'", "SET STATEMENT tx_read_only=0 FOR DROP TABLE victim", "SET STATEMENT max_statement_time=0 FOR SELECT SLEEP(2)", "SET SESSION tx_read_only = 0", "SET GLOBAL read_only = 1",
	"SET @x = 1", "PREPARE p FROM 'DELETE FROM victim'", "EXECUTE p", "HANDLER victim OPEN", "LOCK TABLES victim WRITE", "FLUSH TABLES WITH READ LOCK", "FLUSH PRIVILEGES", "BACKUP LOCK victim", "UNLOCK TABLES", "XA START 'x'",
	"START TRANSACTION READ WRITE", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "GRANT ALL ON *.* TO reader", "CREATE USER evil", "DROP USER reader", "SET PASSWORD = PASSWORD('x')", "KILL 1", "SHUTDOWN", "INSTALL SONAME 'x'", "PURGE BINARY LOGS TO 'x'", "RESET MASTER", "CHANGE MASTER TO MASTER_HOST = 'x'", "USE mysql", "DO SLEEP(2)", "SIGNAL SQLSTATE '45000'",
	"SHOW PROCESSLIST", "SHOW FULL PROCESSLIST", "SHOW GRANTS", "DESCRIBE victim", "HELP 'x'",
	// Rows that stay locked.
	"SELECT * FROM victim FOR UPDATE", "SELECT * FROM victim LOCK IN SHARE MODE", "SELECT * FROM victim FOR SHARE", "SELECT * FROM victim FOR UPDATE SKIP LOCKED", "(SELECT * FROM victim FOR UPDATE)",
	// EXPLAIN of what writes, and what explains by running.
	"EXPLAIN DELETE FROM victim", "EXPLAIN EXTENDED DELETE FROM victim", "EXPLAIN FORMAT=JSON UPDATE victim SET v = 'x'", "ANALYZE SELECT writes()", "ANALYZE FORMAT=JSON DELETE FROM victim", "EXPLAIN FOR CONNECTION 1", "EXPLAIN EXPLAIN SELECT 1",
	// Functions that write, lock, wait or reach out.
	"SELECT writes()", "SELECT shop.writes()", "SELECT `writes`()", "SELECT `shop`.`writes`()", "SELECT shop . writes ()", "SELECT writes /* x */ ()", "SELECT unlocks()", "SELECT * FROM victim WHERE writes() = 1",
	"SELECT NEXTVAL(numbers)", "SELECT NEXT VALUE FOR numbers", "SELECT PREVIOUS VALUE FOR numbers", "SELECT SETVAL(numbers, 99)", "SELECT LASTVAL(numbers)", "SELECT `nextval`(numbers)",
	"SELECT GET_LOCK('x', 0)", "SELECT `get_lock`('x', 0)", "SELECT get_lock ('x', 0)", "SELECT GET_LOCK/**/('x',0)", "SELECT RELEASE_ALL_LOCKS()", "SELECT IS_FREE_LOCK('x')", "SELECT SLEEP(2)", "SELECT sleep (2)", "SELECT `sleep`(2)", "SELECT * FROM victim WHERE SLEEP(1)", "SELECT BENCHMARK(1000000000, MD5('x'))",
	"SELECT LOAD_FILE('/etc/passwd')", "SELECT MASTER_POS_WAIT('x', 1, 1)", "SELECT MASTER_GTID_WAIT('0-1-100', 1)", "SELECT LAST_INSERT_ID(99)", "SELECT sys_exec('touch {file}')",
	// Functions that the gate takes for the server's own, or for no functions at all.
	"SELECT max (1)", "SELECT max/**/()", "SELECT `upper`('x')", "SELECT `max`()", "SELECT max\n()", "SELECT 1e()", "SELECT 1e ()", "SELECT point()", "SELECT columns()", "SELECT of()", "SELECT 'a' AS of()", "SELECT against()", "SELECT (1) AND against()", "SELECT lateral()", "SELECT 1, json_table()", "SELECT json_table('[]', '$' AS columns)", "SELECT any_value(1)", "SELECT uuid_v7()", "SELECT {fn writes()}", "SELECT {writes()}", "SELECT .writes()", "SELECT victim.writes()", "SELECT a.b.writes()", "SELECT CAST(writes() AS CHAR)", "WITH t (a) AS (SELECT writes()) SELECT * FROM t", "SELECT writes() AS (1)", "SELECT max(writes())", "SELECT 1 FROM (SELECT writes()) x (a)", "SELECT _utf8mb4 writes()", "SELECT BINARY writes()", "SELECT IF(writes(), 1, 2)", "SELECT INTERVAL writes() DAY + NOW()", "SELECT * FROM victim ORDER BY writes()",
	// Resources.
	"SELECT COUNT(*) FROM information_schema.COLUMNS a, information_schema.COLUMNS b, information_schema.COLUMNS c", "SELECT COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b", "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r", "SELECT REPEAT('x', 200000000)", "SELECT a.id FROM victim a, victim b, victim c, victim d, victim e, victim f, victim g, victim h",
	// Broken on purpose.
	"", ";", "--", "/*", "'", "\"", "`", "SELECT", "SELECT 'a", "EXPLAIN", "(((", "SELECT 1 \x00; DELETE FROM victim", "SELECT 1 /*",
}

// evidence is what a second connection sees of the server.
var evidence = []string{
	"SELECT CONCAT(COUNT(*), ' ', COALESCE(SUM(CRC32(CONCAT(id, v))), 0)) FROM shop.victim",
	"SELECT COUNT(*) FROM shop.untransacted",
	"SELECT CONCAT(next_not_cached_value) FROM shop.numbers",
	"SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT_WS('|', TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE)))) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'sys')",
	"SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT(User, Priv)))) FROM mysql.global_priv",
	"SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES",
	"SELECT COALESCE(IS_USED_LOCK('x'), 'free')",
	"SELECT CONCAT(@@GLOBAL.read_only, @@GLOBAL.tx_read_only)",
	"SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_rows_locked > 0",
	"SELECT COUNT(*) FROM information_schema.PLUGINS",
}

const stillRunning = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = 'shop' AND COMMAND <> 'Sleep' AND ID <> CONNECTION_ID()"

func TestAttacks(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepareVictims(t, srv)
	for _, user := range []string{"root", "owner", "reader"} {
		t.Run(user, func(t *testing.T) {
			a := Open(srv.DSN(user, "shop"), bridgesql.Options{Query: "allow", Timeout: 300 * time.Millisecond})
			defer a.Close()
			sqlkit.Load(t, a)
			before := seeAll(t, witness)
			for _, text := range attacks {
				before = attack(t, srv, witness, a, text, before)
			}
		})
	}
}

// TestAllowedFunctions lets through what the operator names, as it is named.
func TestAllowedFunctions(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, []string{"CREATE FUNCTION Surface(w INT, h INT) RETURNS INT RETURN w * h", "CREATE DATABASE other", "CREATE FUNCTION other.surface(w INT, h INT) RETURNS INT RETURN 0"})
	for text, allowed := range map[string][]string{"SELECT surface(2, 3)": {"Surface"}, "SELECT `Surface` (2, 3)": {"surface"}, "SELECT shop.SURFACE(2, 3)": {"shop.surface"}} {
		for _, functions := range [][]string{nil, {"shop", "other.surface", "surface2"}, allowed} {
			a := Open(srv.DSN("root", "shop"), bridgesql.Options{Query: "allow", Functions: functions})
			defer a.Close()
			r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text})
			if len(functions) == 1 && (err != nil || !strings.Contains(string(r.JSON), "[[6]]")) {
				t.Errorf("%s with %v: %v, %v", text, functions, r, err)
			}
			if len(functions) != 1 && mapping.CodeOf(err) != mapping.Denied {
				t.Errorf("%s with %v: %v, want it denied", text, functions, err)
			}
		}
	}
}

func prepareVictims(t testing.TB, srv *mytest.Server) *sql.Conn {
	t.Helper()
	db, err := sql.Open("mysql", srv.DSN("root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	witness, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range fixture {
		if _, err := witness.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if _, err := witness.ExecContext(t.Context(), "USE mysql"); err != nil {
		t.Fatal(err)
	}
	return witness
}

// attack runs one text and looks for what it left; it returns what it saw.
func attack(t *testing.T, srv *mytest.Server, witness *sql.Conn, a *bridgesql.Adapter, text, before string) string {
	t.Helper()
	loot := filepath.Join(srv.Dir, "data", "loot")
	arg, err := json.Marshal(strings.ReplaceAll(text, "{file}", loot))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err = a.Call(ctx, mapping.Call{Key: "query", Args: []mapping.Arg{{Name: "sql", Value: arg}}, Budget: 60_000, MaxBytes: 16 << 20})
	var worded *mapping.Error
	if err != nil && !errors.As(err, &worded) {
		t.Errorf("%q: the error is not in words: %v", text, err)
	}
	after := seeAll(t, witness)
	if after != before {
		t.Errorf("%q left something behind:\n%s\nwas:\n%s\n(answer: %v)", text, after, before, err)
	}
	if _, err := os.Stat(loot); err == nil {
		t.Errorf("%q wrote a file", text)
	}
	if n := see(t, witness, stillRunning); n != "0" {
		t.Errorf("%q: %s statements still run", text, n)
	}
	return after
}

func seeAll(t testing.TB, c *sql.Conn) string {
	t.Helper()
	var all []string
	for _, text := range evidence {
		all = append(all, see(t, c, text))
	}
	return strings.Join(all, "\n")
}

func see(t testing.TB, c *sql.Conn, text string) string {
	t.Helper()
	var s string
	if err := c.QueryRowContext(t.Context(), text).Scan(&s); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}
