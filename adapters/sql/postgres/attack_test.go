package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5"
)

// fixture is what the attacks are after: rows, a sequence, functions that write
// in every disguise, another database to reach through dblink and postgres_fdw,
// and a role for each degree of privilege.
const fixture = `
CREATE TABLE victim(id int PRIMARY KEY, v text);
INSERT INTO victim SELECT i, 'row ' || i FROM generate_series(1, 10) i;
CREATE TABLE trail(at text);
CREATE SEQUENCE numbers;
CREATE MATERIALIZED VIEW frozen AS SELECT count(*) FROM victim;
CREATE FUNCTION writes() RETURNS int LANGUAGE sql VOLATILE AS $$ INSERT INTO trail VALUES ('f') RETURNING 1 $$;
CREATE FUNCTION writes_as_owner() RETURNS int LANGUAGE sql VOLATILE SECURITY DEFINER AS $$ INSERT INTO trail VALUES ('d') RETURNING 1 $$;
CREATE FUNCTION lies() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM dblink_exec('dbname=victims port=' || current_setting('port') || ' host=127.0.0.1 user=postgres', 'DELETE FROM remote'); RETURN 1; END $$;
CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN COMMIT; DELETE FROM victim; END $$;
CREATE VIEW tempting AS SELECT writes() AS x;
CREATE EXTENSION dblink;
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '{port}', dbname 'victims');
CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'postgres');
CREATE USER MAPPING FOR postgres SERVER far OPTIONS (user 'postgres');
CREATE FOREIGN TABLE far_writes(x int) SERVER far OPTIONS (table_name 'writing_view');
SELECT lo_create(4242);
CREATE ROLE owner LOGIN; CREATE ROLE reader LOGIN;
ALTER TABLE victim OWNER TO owner; ALTER TABLE trail OWNER TO owner; ALTER SEQUENCE numbers OWNER TO owner;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader, owner;
GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA public TO reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO reader, owner;
GRANT CREATE ON SCHEMA public TO owner`

const remoteFixture = `
CREATE TABLE remote(id int);
INSERT INTO remote SELECT generate_series(1, 10);
CREATE FUNCTION wipe() RETURNS int LANGUAGE sql VOLATILE AS $$ DELETE FROM remote; SELECT 1 $$;
CREATE VIEW writing_view AS SELECT wipe() AS x`

// attacks must leave nothing behind, whoever runs them. {file} is a path that the
// server could write to.
var attacks = []string{
	// More than one statement.
	"SELECT 1; DELETE FROM victim",
	"SELECT 1; COMMIT; DELETE FROM victim",
	"COMMIT; DROP TABLE victim CASCADE",
	"SELECT 1;;DELETE FROM victim",
	"SELECT ';' ; DELETE FROM victim",
	"SELECT $$;$$; DELETE FROM victim --",
	"SELECT 1 /* ; */ ; DELETE FROM victim",
	"SELECT E'\\'; DELETE FROM victim; --'",
	"SELECT 'a\\'; DELETE FROM victim; --'",
	"SELECT E'a'\n'\\'' , pg_advisory_lock(7), '\\''",
	"SELECT U&'\\0027; DELETE FROM victim; --'",
	// Statements that write.
	"DELETE FROM victim", "INSERT INTO victim VALUES (99, 'x')", "UPDATE victim SET v = 'x'", "TRUNCATE victim",
	"/* read only */ DELETE FROM victim", "-- read\nDELETE FROM victim", "  \t\n DELETE FROM victim RETURNING *",
	"MERGE INTO victim USING trail ON false WHEN NOT MATCHED THEN INSERT VALUES (99, 'x')",
	"WITH d AS (DELETE FROM victim RETURNING *) SELECT * FROM d",
	"WITH i AS (INSERT INTO victim VALUES (98, 'x') RETURNING *) SELECT * FROM i",
	"WITH u AS (UPDATE victim SET v = 'x' RETURNING *) TABLE u",
	"WITH a AS (SELECT 1) DELETE FROM victim",
	"SELECT * INTO stolen FROM victim", "CREATE TABLE stolen AS SELECT * FROM victim", "CREATE TEMP TABLE t AS SELECT 1",
	"CREATE VIEW v AS SELECT 1", "DROP TABLE victim CASCADE", "ALTER TABLE victim ADD COLUMN x int", "COMMENT ON TABLE victim IS 'x'",
	"GRANT ALL ON victim TO PUBLIC", "REFRESH MATERIALIZED VIEW frozen", "REINDEX TABLE victim", "CLUSTER victim USING victim_pkey", "VACUUM victim", "ANALYZE victim",
	// Statements that act.
	"CALL commits()", "DO $$ BEGIN DELETE FROM victim; END $$", "COPY victim TO '{file}'", "COPY (SELECT 1) TO PROGRAM 'touch {file}'",
	"COPY victim FROM PROGRAM 'echo 99'", "COPY victim TO STDOUT", "LISTEN x", "NOTIFY x", "LOAD 'auto_explain'", "CHECKPOINT",
	"LOCK TABLE victim IN ACCESS EXCLUSIVE MODE", "SELECT * FROM victim FOR UPDATE", "SELECT * FROM victim FOR SHARE", "SELECT * FROM victim FOR NO KEY UPDATE",
	"PREPARE p AS DELETE FROM victim", "EXECUTE p", "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "FETCH ALL FROM bridge", "CLOSE bridge", "DISCARD ALL",
	"SET TRANSACTION READ WRITE", "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "SET search_path = evil", "SET ROLE postgres", "RESET ROLE", "RESET ALL",
	"BEGIN", "COMMIT", "COMMIT AND CHAIN", "ROLLBACK", "SAVEPOINT s", "START TRANSACTION READ WRITE", "PREPARE TRANSACTION 'x'", "ALTER SYSTEM SET work_mem = '1GB'",
	"SHOW data_directory", "CREATE ROLE evil SUPERUSER", "ALTER ROLE reader SUPERUSER", "IMPORT FOREIGN SCHEMA public FROM SERVER far INTO public",
	// EXPLAIN of what writes.
	"EXPLAIN DELETE FROM victim", "EXPLAIN ANALYZE DELETE FROM victim", "EXPLAIN (ANALYZE) DELETE FROM victim", "EXPLAIN (ANALYZE, FORMAT JSON) UPDATE victim SET v = 'x'",
	"EXPLAIN ANALYZE CREATE TABLE stolen AS SELECT 1", "EXPLAIN ANALYZE EXECUTE p", "EXPLAIN ANALYZE WITH d AS (DELETE FROM victim RETURNING *) SELECT * FROM d",
	"EXPLAIN ANALYZE SELECT writes()", "EXPLAIN (ANALYZE) (SELECT 1); DELETE FROM victim",
	// Functions that write, lock, wait or reach out.
	"SELECT writes()", "SELECT writes_as_owner()", "SELECT * FROM writes()", "SELECT public.writes()", "SELECT \"writes\"()", "SELECT writes /* x */ ()", "TABLE tempting",
	"SELECT nextval('numbers')", "SELECT setval('numbers', 99)", "SELECT lastval()", "SELECT pg_catalog.nextval('numbers')", "SELECT \"nextval\"('numbers')", "SELECT NEXTVAL ('numbers')",
	"SELECT ('numbers'::regclass).nextval",
	"SELECT pg_advisory_lock(1)", "SELECT pg_advisory_xact_lock(1)", "SELECT pg_try_advisory_lock(1)", "SELECT (1::bigint).pg_advisory_lock", "SELECT x.pg_advisory_lock FROM unnest(ARRAY[1::bigint]) AS x",
	"SELECT pg_sleep(60)", "SELECT (5.0::float8).pg_sleep", "SELECT pg_sleep_for('1 minute')", "SELECT pg_catalog . pg_sleep ( 60 )",
	"SELECT set_config('statement_timeout', '0', false)", "SELECT set_config('transaction_read_only', 'off', true)", "SELECT set_config('search_path', 'evil', false)", "UPDATE pg_settings SET setting = '0' WHERE name = 'statement_timeout'",
	"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bystander'", "SELECT pg_cancel_backend(pid) FROM pg_stat_activity",
	"SELECT pg_notify('x', 'y')", "SELECT pg_logical_emit_message(false, 'x', 'y')", "SELECT txid_current()", "SELECT pg_current_xact_id()", "SELECT pg_export_snapshot()",
	"SELECT dblink_exec('host=127.0.0.1 port={port} user=postgres dbname=victims', 'DELETE FROM remote')",
	"SELECT * FROM dblink('host=127.0.0.1 port={port} user=postgres dbname=victims', 'DELETE FROM remote RETURNING id') AS t(id int)",
	"SELECT dblink_connect('c', 'host=127.0.0.1 port={port} user=postgres dbname=victims')",
	"SELECT query_to_xml('SELECT dblink_exec(''host=127.0.0.1 port={port} user=postgres dbname=victims'', ''DELETE FROM remote'')', true, true, '')",
	"SELECT query_to_xmlschema('SELECT writes()', true, true, '')", "SELECT table_to_xml('tempting', true, true, '')", "SELECT schema_to_xml('public', true, true, '')", "SELECT database_to_xml(true, true, '')",
	"SELECT cursor_to_xml('bridge', 1, true, true, '')", "SELECT * FROM ts_stat('SELECT writes()::text::tsvector')", "SELECT ts_rewrite('a'::tsquery, 'SELECT writes()::text::tsquery, ''b''::tsquery')",
	"SELECT * FROM far_writes", "SELECT lies()",
	"SELECT pg_read_file('/etc/passwd')", "SELECT * FROM pg_read_file('/etc/passwd')", "SELECT pg_read_binary_file('/etc/passwd')", "SELECT pg_ls_dir('/')", "SELECT * FROM pg_ls_logdir()", "SELECT pg_stat_file('/etc/passwd')",
	"SELECT lo_import('/etc/passwd')", "SELECT lo_export(4242, '{file}')", "SELECT lo_create(4343)", "SELECT lo_unlink(4242)", "SELECT lo_put(4242, 0, 'x')", "SELECT lo_from_bytea(4444, 'x')",
	"SELECT pg_create_physical_replication_slot('x', true)", "SELECT pg_switch_wal()", "SELECT pg_create_restore_point('x')", "SELECT pg_reload_conf()", "SELECT pg_rotate_logfile()", "SELECT pg_stat_reset()", "SELECT pg_backup_start('x')", "SELECT pg_promote()",
	// Resources.
	"SELECT count(*) FROM generate_series(1, 100000000000)", "WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r", "SELECT repeat('x', 300000000)", "SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 500)",
	"SELECT a.id FROM victim a, victim b, victim c, victim d, victim e, victim f, victim g, victim h, victim i, victim j, victim k",
	// Broken on purpose.
	"", ";", "--", "/*", "'", "\"", "$$", "SELECT", "SELECT 'a", "EXPLAIN", "EXPLAIN (", "(((", "SELECT 1 \x00; DELETE FROM victim",
}

// evidence is what a second connection sees of the server. It must be the same
// after an attack as before.
const evidence = `SELECT concat_ws(E'\n',
  'victim ' || (SELECT md5(string_agg(v::text, ',' ORDER BY id)) FROM victim v),
  'trail ' || (SELECT count(*) FROM trail),
  'sequence ' || (SELECT last_value || ' ' || is_called FROM numbers),
  'remote ' || (SELECT n FROM dblink('victims', 'SELECT count(*) FROM remote') AS t(n bigint)),
  'objects ' || (SELECT count(*) FROM pg_class) || ' ' || (SELECT count(*) FROM pg_attribute) || ' ' || (SELECT count(*) FROM pg_proc) || ' ' || (SELECT count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg\_t%'),
  'roles ' || (SELECT md5(string_agg(r::text, ',' ORDER BY oid)) FROM pg_roles r),
  'rights ' || (SELECT md5(string_agg(relname || relacl::text, ',' ORDER BY oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r','v','S')),
  'comments ' || (SELECT count(*) FROM pg_description WHERE objoid = 'victim'::regclass),
  'large objects ' || (SELECT count(*) FROM pg_largeobject_metadata) || ' ' || (SELECT count(*) FROM pg_largeobject),
  'slots ' || (SELECT count(*) FROM pg_replication_slots),
  'advisory locks ' || (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
  'relation locks ' || (SELECT count(*) FROM pg_locks WHERE relation = 'victim'::regclass AND mode <> 'AccessShareLock' AND pid NOT IN (SELECT pid FROM pg_stat_activity WHERE application_name = 'oracle')),
  'prepared ' || (SELECT count(*) FROM pg_prepared_xacts),
  'backups ' || pg_is_in_recovery()::text,
  'reset ' || (SELECT coalesce(max(stats_reset)::text, 'never') FROM pg_stat_database WHERE datname = current_database()),
  'bystanders ' || (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'bystander'),
  'settings ' || (SELECT md5(string_agg(s::text, ',' ORDER BY setdatabase, setrole)) FROM pg_db_role_setting s))`

// reachVictims opens the connection that evidence looks through.
const reachVictims = `SELECT dblink_connect('victims', 'host=127.0.0.1 port={port} user=postgres dbname=victims')`

const stillRunning = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'attacker' AND state <> 'idle'`

func TestAttacks(t *testing.T) {
	srv := pgtest.Start(t)
	witness := prepareVictims(t, srv)
	for _, role := range []string{"postgres", "owner", "reader"} {
		t.Run(role, func(t *testing.T) { attackAll(t, srv, witness, srv.DSN(role, "postgres")) })
	}
	// PgBouncer keeps the server's sessions when the adapter closes its own.
	t.Run("postgres behind PgBouncer", func(t *testing.T) {
		attackAll(t, srv, witness, srv.Bounce(t, 2, "postgres").DSN("postgres", "postgres"))
	})
}

func attackAll(t *testing.T, srv *pgtest.Server, witness *pgx.Conn, dsn string) {
	t.Helper()
	a := Open(dsn+"&application_name=attacker", bridgesql.Options{Query: "allow", Timeout: 300 * time.Millisecond})
	defer a.Close()
	sqlkit.Load(t, a)
	before := see(t, witness, evidence)
	for _, text := range attacks {
		before = attack(t, srv, witness, a, text, before)
	}
}

func prepareVictims(t testing.TB, srv *pgtest.Server) *pgx.Conn {
	t.Helper()
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE DATABASE victims")
	execute(t, connect(t, srv.DSN("postgres", "victims")), remoteFixture)
	execute(t, witness, filled(srv, fixture))
	execute(t, witness, filled(srv, reachVictims))
	bystander := connect(t, srv.DSN("owner", "postgres")+"&application_name=bystander")
	execute(t, bystander, "SELECT 1")
	return witness
}

func filled(srv *pgtest.Server, text string) string {
	return strings.NewReplacer("{port}", strconv.Itoa(srv.Port), "{file}", filepath.Join(srv.Dir, "loot")).Replace(text)
}

// attack runs one text and looks for what it left; it returns what it saw.
func attack(t *testing.T, srv *pgtest.Server, witness *pgx.Conn, a *bridgesql.Adapter, text, before string) string {
	t.Helper()
	arg, err := json.Marshal(filled(srv, text))
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
	after := see(t, witness, evidence)
	if after != before {
		t.Errorf("%q left something behind:\n%s\nwas:\n%s\n(answer: %v)", text, after, before, err)
	}
	if _, err := os.Stat(filepath.Join(srv.Dir, "loot")); err == nil {
		t.Errorf("%q wrote a file", text)
	}
	if n := see(t, witness, stillRunning+" AND pid <> pg_backend_pid()"); n != "0" {
		t.Errorf("%q: %s statements still run or hold a transaction", text, n)
	}
	return after
}

func connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func execute(t testing.TB, c *pgx.Conn, text string) {
	t.Helper()
	if _, err := c.Exec(t.Context(), text); err != nil {
		t.Fatalf("%.60s: %v", text, err)
	}
}

func see(t testing.TB, c *pgx.Conn, text string) string {
	t.Helper()
	var s any
	if err := c.QueryRow(t.Context(), text).Scan(&s); err != nil {
		t.Fatalf("%.60s: %v", text, err)
	}
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), `\n`, "\n")
}
