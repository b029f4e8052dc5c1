package postgres

import (
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// reads are statements of every kind that only read. None may be refused.
var reads = []string{
	"SELECT 1", "select 1;", "SELECT 1 ; ", "-- active users\nSELECT 1", "/* a /* nested */ comment */ SELECT 1", "(SELECT 1)", "((SELECT 1) UNION (SELECT 2)) ORDER BY 1",
	"TABLE c", "VALUES (1, 'a'), (2, 'b')", "WITH a AS (SELECT 1) SELECT * FROM a", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
	"WITH a AS MATERIALIZED (SELECT 1 AS x), b AS NOT MATERIALIZED (SELECT 2 AS x) SELECT * FROM a, b",
	"SELECT * FROM c WHERE name = 'delete from c; drop table c'", "SELECT 'insert', $$update; delete$$, $tag$ truncate $tag$, E'it\\'s'", `SELECT "name" AS "drop" FROM c`, `SELECT 1 AS "pg_sleep"`,
	"SELECT id AS set, id AS do, id AS copy FROM c", "SELECT lock, execute FROM (SELECT 1 AS lock, 2 AS execute) s", "SELECT * FROM c WHERE id = 1 OR 1 = 1", "SELECT id FROM c EXCEPT SELECT 2", "SELECT id FROM c INTERSECT SELECT 1", "SELECT id FROM c UNION ALL SELECT id FROM c",
	"SELECT count(*), sum(id), avg(id), min(name), max(name) FROM c", "SELECT name, count(*) FROM c GROUP BY name HAVING count(*) > 0", "SELECT name, count(*) FROM c GROUP BY ROLLUP (name)", "SELECT GROUPING(name), name FROM c GROUP BY CUBE (name)",
	"SELECT row_number() OVER (PARTITION BY name ORDER BY id) FROM c", "SELECT sum(id) OVER w FROM c WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM c", "SELECT string_agg(name, ',' ORDER BY name) FILTER (WHERE id > 0) FROM c",
	"SELECT * FROM c JOIN o ON o.c = c.id", "SELECT * FROM c LEFT JOIN o ON o.c = c.id", "SELECT * FROM c CROSS JOIN LATERAL (SELECT * FROM o WHERE o.c = c.id) x", "SELECT * FROM c NATURAL JOIN (SELECT 1::bigint AS id) x", "SELECT * FROM c JOIN o USING (id)",
	"SELECT CASE WHEN id > 1 THEN 'big' ELSE 'small' END FROM c", "SELECT coalesce(null, 1), nullif(1, 2), greatest(1, 2), least(1, 2)", "SELECT EXISTS (SELECT 1 FROM c)", "SELECT id FROM c WHERE id IN (SELECT c FROM o)", "SELECT id FROM c WHERE id = ANY (ARRAY[1, 2])",
	"SELECT extract(year FROM now()), date_trunc('month', now()), age(now()), now() - interval '1 day'", "SELECT current_date, current_timestamp, localtime, current_user, current_database(), version()", "SELECT to_char(now(), 'YYYY-MM-DD'), to_date('2020-01-01', 'YYYY-MM-DD')",
	"SELECT random() < 2, gen_random_uuid() IS NOT NULL, clock_timestamp() > '2000-01-01'", "SELECT substring('abc' FROM 2 FOR 1), position('b' IN 'abc'), overlay('abc' PLACING 'x' FROM 1), trim(BOTH 'x' FROM 'xax')", "SELECT upper('a'), lower('A'), length('abc'), replace('a', 'a', 'b'), md5('x'), encode('x', 'base64')",
	"SELECT regexp_replace('abc', 'b', 'x', 'g'), regexp_matches('abc', '(b)'), 'abc' ~ 'b', 'abc' LIKE 'a%', 'ABC' ILIKE 'a%', 'abc' SIMILAR TO 'a%'", "SELECT generate_series(1, 3)", "SELECT * FROM generate_series(1, 3) WITH ORDINALITY", "SELECT unnest(ARRAY[1, 2]), array_agg(1), array_to_string(ARRAY[1], ',')",
	`SELECT '{"a": {"b": 1}}'::jsonb -> 'a' ->> 'b', '{"a": 1}'::jsonb @> '{"a": 1}', jsonb_path_query('{"a": [1]}', '$.a[*]')`, "SELECT jsonb_agg(c), json_build_object('a', 1), row_to_json(c) FROM c GROUP BY c.*::text, c.id, c.name", "SELECT * FROM jsonb_to_recordset('[{\"a\": 1}]') AS x(a int)", "SELECT * FROM json_each('{\"a\": 1}')",
	"SELECT to_tsvector('english', 'cats') @@ to_tsquery('english', 'cat'), ts_rank(to_tsvector('cats'), to_tsquery('cat'))", "SELECT ROW(1, 'a'), (ROW(1, 2)).f1", "SELECT c FROM c", "SELECT (c).name FROM c", "SELECT c.name FROM public.c AS c", "SELECT id::text, CAST(id AS numeric) FROM c", "SELECT '[1,2]'::int4range @> 1",
	"SELECT * FROM c ORDER BY id DESC NULLS LAST LIMIT 1 OFFSET 0", "SELECT * FROM c FETCH FIRST 1 ROW ONLY", "SELECT DISTINCT ON (name) name, id FROM c ORDER BY name, id", "SELECT * FROM c TABLESAMPLE SYSTEM (100)", "SELECT pg_size_pretty(pg_total_relation_size('c'))", "SELECT relname FROM pg_class LIMIT 1", "SELECT * FROM information_schema.tables LIMIT 1",
	"SELECT obj_description('c'::regclass), format_type(23, null), pg_get_viewdef('pg_tables'::regclass)", "EXPLAIN SELECT 1", "EXPLAIN (FORMAT JSON) SELECT * FROM c", "EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM c WHERE m = 'ok'::mood", "EXPLAIN ANALYZE VERBOSE SELECT 1", "EXPLAIN (COSTS OFF) WITH a AS (SELECT 1) SELECT * FROM a", "EXPLAIN (SELECT 1)", "EXPLAIN TABLE c",
	"SELECT 1 AS \"a\"\"b\", 2 AS \"Ünï\"", "SELECT 1e5, .5, 1_000, 0x1F", "SELECT $1::int + $2::int",
}

const readsFixture = `CREATE TYPE mood AS ENUM ('ok', 'bad'); CREATE TABLE c(id bigint PRIMARY KEY, name text, m mood); INSERT INTO c VALUES (1, 'Ann', 'ok'), (2, 'Bob', 'bad');
CREATE TABLE o(c bigint REFERENCES c, id bigint); INSERT INTO o VALUES (1, 1)`

func TestReads(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, readsFixture)
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for _, text := range reads {
		if text == "SELECT 1e5, .5, 1_000, 0x1F" && see(t, witness, "SELECT current_setting('server_version_num')::int < 160000") == "true" {
			continue // digit groups and hexadecimal came with PostgreSQL 16
		}
		args := map[string]any{"sql": text}
		if text == "SELECT $1::int + $2::int" {
			args["params"] = []any{1, "2"}
		}
		if _, err := sqlkit.Ask(t, a, "query", args); err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
}
