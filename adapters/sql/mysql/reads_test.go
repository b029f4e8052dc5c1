package mysql

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// reads are statements of every kind that only read. None may be refused.
var reads = []string{
	"SELECT 1", "select 1;", "SELECT 1 ; ", "-- active users\nSELECT 1", "# active users\nSELECT 1", "/* a comment; DROP TABLE c */ SELECT 1", "SELECT 1 -- delete", "SELECT 1 # update; delete", "SELECT /* insert into */ 1", "(SELECT 1)", "(SELECT 1) UNION (SELECT 2) ORDER BY 1",
	"VALUES (1, 'a'), (2, 'b')", "WITH a AS (SELECT 1) SELECT * FROM a", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r", "WITH a AS (SELECT 1 AS x), b AS (SELECT 2 AS x) SELECT * FROM a, b",
	"SELECT * FROM c WHERE name = 'delete from c; drop table c'", "SELECT 'insert', \"update; delete\", 'into outfile', 'it''s', 'it\\'s; delete', \"a\"\"b\"", "SELECT 'begin', 'call x()', 'sleep(1)', '/*! */', '-- ', '#', '@x := 1'", "SELECT `name` AS `drop` FROM c", "SELECT 1 AS `sleep`, 2 AS `into`, 3 AS `update`", "SELECT `update`, `key`, `select`, `into` FROM `order`", "SELECT o.`update` FROM `order` o", "SELECT `a``b` FROM `order`",
	"SELECT id FROM c WHERE id IN (1, 2) LIMIT 1 OFFSET 1", "SELECT id FROM c LIMIT 0, 5", "SELECT DISTINCT name FROM c", "SELECT id FROM c EXCEPT SELECT 2", "SELECT id FROM c INTERSECT SELECT 1", "SELECT id FROM c UNION ALL SELECT id FROM c", "SELECT SQL_NO_CACHE id FROM c", "SELECT STRAIGHT_JOIN c.id FROM c JOIN o ON o.c = c.id", "SELECT id FROM c USE INDEX (PRIMARY)",
	"SELECT COUNT(*), SUM(id), AVG(id), MIN(name), MAX(name), STD(id) FROM c", "SELECT name, COUNT(*) FROM c GROUP BY name HAVING COUNT(*) > 0", "SELECT name, COUNT(*) FROM c GROUP BY name WITH ROLLUP", "SELECT GROUP_CONCAT(DISTINCT name ORDER BY name SEPARATOR '; ') FROM c", "SELECT COUNT(DISTINCT name, id) FROM c",
	"SELECT ROW_NUMBER() OVER (PARTITION BY name ORDER BY id) FROM c", "SELECT SUM(id) OVER w FROM c WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", "SELECT LAG(id, 1) OVER (ORDER BY id), RANK() OVER (ORDER BY name), NTILE(2) OVER (ORDER BY id) FROM c", "SELECT FIRST_VALUE(name) OVER (ORDER BY id) FROM c",
	"SELECT * FROM c JOIN o ON o.c = c.id", "SELECT * FROM c LEFT JOIN o ON o.c = c.id", "SELECT * FROM c CROSS JOIN o", "SELECT * FROM c NATURAL JOIN (SELECT 1 AS id) x", "SELECT * FROM c JOIN o USING (id)", "SELECT * FROM c RIGHT OUTER JOIN o ON TRUE",
	"SELECT CASE WHEN id > 1 THEN 'big' ELSE 'small' END AS size FROM c", "SELECT IF(1, 2, 3), IFNULL(NULL, 1), NULLIF(1, 2), COALESCE(NULL, 1), GREATEST(1, 2), LEAST(1, 2), ELT(1, 'a')", "SELECT EXISTS (SELECT 1 FROM c)", "SELECT id FROM c WHERE id IN (SELECT c FROM o)", "SELECT id FROM c WHERE id > ALL (SELECT 0)", "SELECT id FROM c WHERE name REGEXP '^A' OR name RLIKE 'b' OR name LIKE 'a%' ESCAPE '!'", "SELECT id FROM c WHERE name <=> NULL OR NOT id BETWEEN 1 AND 2 XOR 1",
	"SELECT NOW(), CURDATE(), CURRENT_TIMESTAMP, UTC_TIMESTAMP(), DATE_FORMAT(NOW(), '%Y-%m-%d'), YEAR(NOW())", "SELECT DATE_ADD('2020-01-01', INTERVAL 1 DAY), '2020-01-31' + INTERVAL 1 MONTH, DATEDIFF('2020-01-02', '2020-01-01'), TIMESTAMPDIFF(HOUR, NOW(), NOW()), EXTRACT(YEAR FROM NOW())", "SELECT STR_TO_DATE('01,5,2013', '%d,%m,%Y'), UNIX_TIMESTAMP(), FROM_UNIXTIME(0), CONVERT_TZ(NOW(), '+00:00', '+05:30'), DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00'",
	"SELECT REPLACE('a;b', ';', ','), INSERT('abc', 1, 1, 'x'), replace('a', 'a', 'b')", "SELECT UPPER('a'), LOWER('A'), CHAR_LENGTH('abc'), SUBSTRING('abc' FROM 2 FOR 1), SUBSTRING_INDEX('a.b', '.', 1), LOCATE('b', 'ab'), TRIM(BOTH 'x' FROM 'xax'), LEFT('abc', 1), LPAD('a', 3, '0')", "SELECT CONCAT('a', 'b'), CONCAT_WS(',', 'a', NULL), REPEAT('a', 3), REVERSE('a'), FORMAT(1234.5, 2), HEX('a'), UNHEX('61'), MD5('x'), SHA2('x', 256), TO_BASE64('x'), CHAR(77, 121)",
	"SELECT ROUND(1.5), TRUNCATE(1.55, 1), MOD(5, 2), 5 DIV 2, 5 % 2, POW(2, 3), RAND() < 2, 1 << 2, ~0, 1 | 2, 3 & 1, 5 ^ 1", "SELECT CAST('1' AS UNSIGNED), CAST('1.5' AS DECIMAL(10, 2)), CONVERT('a' USING utf8mb4), CAST('t' AS BINARY), BINARY 'a', _utf8mb4'a' COLLATE utf8mb4_bin, 0x41, x'41', b'101', 1e5, .5",
	`SELECT JSON_EXTRACT('{"a": [1]}', '$.a[0]'), JSON_UNQUOTE(JSON_EXTRACT('{"a": "x"}', '$.a')), JSON_OBJECT('a', 1), JSON_ARRAY(1, 2), JSON_ARRAYAGG(id) FROM c`, `SELECT JSON_SET('{}', '$.a', 1), JSON_INSERT('{}', '$.a', 1), JSON_REPLACE('{"a": 1}', '$.a', 2), JSON_REMOVE('{"a": 1}', '$.a'), JSON_VALID('{}'), JSON_KEYS('{"a": 1}'), JSON_CONTAINS('[1]', '1')`, `SELECT x.a FROM JSON_TABLE('[{"a": 1}]', '$[*]' COLUMNS (a INT PATH '$.a')) x`,
	"SELECT DATABASE(), VERSION(), USER(), CURRENT_USER(), CONNECTION_ID()", "SELECT UUID() IS NOT NULL, INET_ATON('10.0.0.1'), INET6_NTOA(INET6_ATON('::1'))", "SELECT ST_AsText(ST_GeomFromText('POINT(1 2)')), ST_Distance(POINT(0, 0), POINT(3, 4))", "SELECT MATCH (name) AGAINST ('Ann') FROM ft", "SELECT * FROM seq_1_to_5", "SELECT * FROM c PARTITION (p0)",
	"SELECT upper ('a'), NOW(), ROUND (1.5, 1), CHAR (77), LEFT ('abc', 1), YEAR (NOW()), IF (1, 2, 3), COUNT(*) FROM c", "WITH t (a, `b c`) AS (SELECT 1, 2), u (x) AS (SELECT a FROM t) SELECT * FROM t, u", "SELECT id FROM c WHERE (id, name) IN ((1, 'Ann')) AND (id = 1) OR NOT (id = 2) XOR (1)", "SELECT * FROM c WHERE id NOT IN (1) AND name LIKE ('A%') AND id > ANY (SELECT 0) AND id >= SOME (SELECT 0)", "SELECT * FROM c JOIN (SELECT 1 AS id) x USING (id) JOIN o ON (o.c = c.id) WHERE (c.id) IN (SELECT (c) FROM o) ORDER BY (1)", "SELECT CASE (id) WHEN (1) THEN (2) ELSE (3) END FROM c GROUP BY (id) HAVING (id > 0)",
	"SELECT c.id FROM c FORCE INDEX FOR JOIN (PRIMARY) JOIN o ON o.c = c.id", "SELECT MATCH (name) AGAINST ('Ann' IN BOOLEAN MODE) FROM ft", "SELECT x.*, j.* FROM c x, JSON_TABLE('[{\"a\": [1]}]', '$[*]' COLUMNS (n FOR ORDINALITY, a DECIMAL(5, 2) PATH '$.b', NESTED PATH '$.a[*]' COLUMNS (b VARCHAR(10) PATH '$'))) j", "SELECT CAST(id AS CHAR(10)), CONVERT(id, DECIMAL(10, 2)), CAST(name AS BINARY(3)), CAST(NOW() AS DATETIME(3)) FROM c", "SELECT INTERVAL(2, 1, 3), '2020-01-01' + INTERVAL (1 + 1) DAY, NOW(6), UTC_TIME(3)", "SELECT JSON_OBJECTAGG(id, name), BIT_OR(id), VAR_POP(id), STDDEV(id) FROM c", "SELECT MEDIAN(id) OVER (PARTITION BY name), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY id) OVER (PARTITION BY name) FROM c", "SELECT ST_Buffer(POINT(1, 2), 1), ST_Contains(POLYGON(LINESTRING(POINT(0, 0), POINT(4, 0), POINT(4, 4), POINT(0, 0))), POINT(1, 1)), ST_AsGeoJSON(MULTIPOINT(POINT(1, 2), POINT(3, 4)))", "SELECT {fn UPPER('a')}, {d '2020-01-01'}", "SELECT VALUE(name), DEFAULT(name) FROM c", "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v", "SELECT REGEXP_REPLACE('abc', 'b', 'x'), REGEXP_SUBSTR('abc', 'b.'), SUBSTRING('abc', 2), SUBSTRING('abc' FROM (2) FOR (1)), POSITION('b' IN ('abc')), TRIM(LEADING ('x') FROM ('xa')), EXTRACT(DAY_HOUR FROM (NOW()))", "SELECT SHA1('a'), AES_DECRYPT(AES_ENCRYPT('a', 'k'), 'k'), UUID(), CRC32('a'), COMPRESS('a'), RAND(1), FORMAT_PICO_TIME FROM (SELECT 1 AS FORMAT_PICO_TIME) x", "EXPLAIN (SELECT 1)", "EXPLAIN FORMAT=JSON (SELECT 1)", "EXPLAIN EXTENDED (SELECT 1)", "SELECT id FROM c UNION (SELECT 1) EXCEPT (SELECT 2) INTERSECT ALL (SELECT 1)", "SELECT id FROM c UNION DISTINCT (SELECT 2)", "SELECT 1e5, 1e-5, 0xff, b'1', 5e1 + (1)",
	"EXPLAIN SELECT 1", "EXPLAIN SELECT * FROM c WHERE id = 1", "EXPLAIN FORMAT=JSON SELECT * FROM c", "EXPLAIN EXTENDED SELECT * FROM c", "explain (SELECT 1)", "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'", "SELECT shop.c.name FROM shop.c", "SELECT 1 AS `Ünï`, 'ünï 🐘'", "SELECT ? + ?", "SELECT 'AbC'", "SELECT 1 FROM DUAL", "SELECT value, status, type, date, user, count, name AS text FROM words", "SELECT 5-1, 5--1, 5 - -1",
}

var readsFixture = []string{
	"CREATE TABLE c(id BIGINT PRIMARY KEY, name VARCHAR(50)) PARTITION BY HASH (id) PARTITIONS 2", "INSERT INTO c VALUES (1, 'Ann'), (2, 'Bob')",
	"CREATE TABLE o(c BIGINT, id BIGINT)", "INSERT INTO o VALUES (1, 1)",
	"CREATE TABLE `order`(`update` INT PRIMARY KEY, `key` INT, `select` INT, `into` INT, `a``b` INT)",
	"CREATE TABLE ft(name TEXT, FULLTEXT (name))", "CREATE TABLE words(value INT, status INT, type INT, date DATE, user INT, count INT, name TEXT)",
}

func TestReads(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, readsFixture)
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for _, text := range reads {
		args := map[string]any{"sql": text}
		if text == "SELECT ? + ?" {
			args["params"] = []any{1, "2"}
		}
		if _, err := sqlkit.Ask(t, a, "query", args); err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
}

// TestReportedReads are statements that other servers refused or answered wrongly.
func TestReportedReads(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, []string{"CREATE TABLE u(id BIGINT UNSIGNED PRIMARY KEY, n INT)", "INSERT INTO u VALUES(18446744073709551615,1)", "CREATE TABLE Users(Name TEXT)", "INSERT INTO Users VALUES ('AbC')"})
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for text, want := range map[string]string{
		"SELECT * FROM u":                      `[["18446744073709551615",1]]`,
		"-- active users\nSELECT 1":            `[[1]]`,
		"WITH a AS (SELECT 1) SELECT * FROM a": `[[1]]`,
		"SELECT 'AbC', Name FROM Users":        `[["AbC","AbC"]]`,
		"SELECT 1 AS a, 2 AS a":                `[[1,2]]`,
		"SELECT 1 FROM u WHERE n = 7":          `[]`,
		"SELECT 9007199254740993, '; delete;'": `[["9007199254740993","; delete;"]]`,
		`SELECT JSON_UNQUOTE(JSON_EXTRACT('{"a":"x"}','$.a')) a, CAST(1.50 AS DECIMAL(5,2)) d, CAST('t' AS BINARY) b`: `[["x","1.50",{"bytes":1,"base64":"dA=="}]]`,
	} {
		r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got struct{ Rows json.RawMessage }
		if err := json.Unmarshal(r.JSON, &got); err != nil || string(got.Rows) != want {
			t.Errorf("%q gave %s, want %s (%v)", text, got.Rows, want, err)
		}
	}
	for _, text := range []string{
		"REPLACE INTO u VALUES (1, 1)", "RENAME TABLE u TO v", "CALL x()", "SET GLOBAL read_only = 1", "LOCK TABLES u WRITE", "GRANT ALL ON *.* TO root",
		"SHOW FULL PROCESSLIST", "WITH a AS (DELETE FROM u RETURNING *) SELECT * FROM a",
	} {
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text}); mapping.CodeOf(err) != mapping.Denied {
			t.Errorf("%q: %v, want it denied", text, err)
		}
	}
}

// TestMistakes gives a model what it can act on. The server itself would find the
// row 0 for the number abc, and 12 for 12th.
func TestMistakes(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, []string{"CREATE TABLE t(id BIGINT PRIMARY KEY, d DECIMAL(10,2), f DOUBLE, name VARCHAR(20))", "INSERT INTO t VALUES (0, 0, 0, '0'), (12, 12, 12, '12th'), (-3, -3.50, -3.5, '')"})
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for text, params := range map[string][]any{"SELECT ?": {}, "SELECT 1": {1}, "SELECT '?', ? -- ?": {1, 2}, "SELECT ? + 1": {json.RawMessage("18446744073709551616")}, "SELECT ? + 2": {json.RawMessage("1e400")}} {
		if _, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text, "params": params}); mapping.CodeOf(err) != mapping.Invalid {
			t.Errorf("%q with %v: %v, want it refused as invalid", text, params, err)
		}
	}
	for _, c := range []struct {
		column string
		value  any
		rows   int // -1 for refused
	}{
		{"id", "abc", -1}, {"id", "12th", -1}, {"id", "", -1}, {"id", "0x0C", -1}, {"id", "18446744073709551616", -1}, {"id", json.RawMessage("1e999"), -1}, {"d", "abc", -1}, {"d", "Infinity", -1}, {"f", "nan", -1},
		{"id", "12", 1}, {"id", "+12", 1}, {"id", "012", 1}, {"id", 12, 1}, {"id", "12.0", 1}, {"d", "-3.5", 1}, {"d", "12", 1}, {"f", "-.35e1", 1}, {"name", 12, 0}, {"name", "12th", 1},
	} {
		r, err := sqlkit.Ask(t, a, "shop.t/find", map[string]any{"where": []any{map[string]any{"column": c.column, "op": "eq", "value": c.value}}})
		if c.rows < 0 {
			if mapping.CodeOf(err) != mapping.Invalid {
				t.Errorf("%s = %v: %v, want it refused", c.column, c.value, err)
			}
			continue
		}
		if err != nil || strings.Count(string(r.JSON), `"id":`) != c.rows {
			t.Errorf("%s = %v: %v %v, want %d rows", c.column, c.value, r, err, c.rows)
		}
	}
}

// TestJSON reads documents as they were written, and tells columns that only hold
// such text from those that must.
func TestJSON(t *testing.T) {
	srv := mytest.Start(t)
	const document = `{"b": 1, "a":[12345678901234567890.12, null],  "b": "x"}`
	prepare(t, srv, []string{
		"CREATE TABLE j(id INT PRIMARY KEY, doc JSON, `b``c` LONGTEXT CHECK (JSON_VALID(`b``c`)), text LONGTEXT, small JSON CHECK (small <> '[]'), one JSON)",
		"INSERT INTO j VALUES (1, '" + document + "', '\"1\"', '{}', NULL, '7')", "CREATE USER plain", "GRANT SELECT ON shop.* TO plain",
	})
	a := Open(srv.DSN("plain", "shop"), bridgesql.Options{})
	defer a.Close()
	const want = `{"id":1,"doc":` + document + `,"b` + "`" + `c":"1","text":"{}","small":null,"one":7}`
	for key, args := range map[string]map[string]any{"shop.j/find": nil, "shop.j/get": {"id": 1}} {
		r, err := sqlkit.Ask(t, a, key, args)
		if err != nil || !strings.Contains(string(r.JSON), want) {
			t.Errorf("%s gave %v, %v, want %s", key, r, err, want)
		}
	}
	if r, err := sqlkit.Ask(t, a, "shop.j/find", map[string]any{"columns": []string{"one", "text"}}); err != nil || !strings.Contains(string(r.JSON), `{"one":7,"text":"{}"}`) {
		t.Errorf("two columns: %v, %v", r, err)
	}
}

// TestWide reads a table of 1,200 columns.
func TestWide(t *testing.T) {
	srv := mytest.Start(t)
	columns := []string{"c0 INT PRIMARY KEY"}
	for i := range 1199 {
		columns = append(columns, fmt.Sprintf("c%d TINYINT DEFAULT %d", i+1, i%100))
	}
	prepare(t, srv, []string{"CREATE TABLE wide(" + strings.Join(columns, ", ") + ") ENGINE=Aria", "INSERT INTO wide(c0) VALUES (1)"})
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{})
	defer a.Close()
	r, err := sqlkit.Ask(t, a, "shop.wide/get", map[string]any{"c0": 1})
	if err != nil || strings.Count(string(r.JSON), `"c`) != 1200 || !strings.Contains(string(r.JSON), `"c1199":98}`) {
		t.Errorf("got %.200v, %v", r, err)
	}
}

// prepare makes the database shop in a session with UTC and without strictness.
func prepare(t testing.TB, srv *mytest.Server, statements []string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("mysql", srv.DSN("root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append([]string{"CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4", "USE shop", "SET time_zone = '+00:00', sql_mode = ''"}, statements...) {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(text), err)
		}
	}
	return conn
}
