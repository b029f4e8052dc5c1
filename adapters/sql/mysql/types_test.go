package mysql

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// values are extreme values of every type of MariaDB, as expressions.
var values = []struct {
	typ         string
	expressions []string
}{
	{"TINYINT", []string{"-128", "127"}}, {"TINYINT UNSIGNED", []string{"0", "255"}}, {"TINYINT(1)", []string{"TRUE", "FALSE", "7"}}, {"SMALLINT", []string{"-32768", "32767"}}, {"SMALLINT UNSIGNED", []string{"65535"}},
	{"MEDIUMINT", []string{"-8388608", "8388607"}}, {"MEDIUMINT UNSIGNED", []string{"16777215"}}, {"INT", []string{"-2147483648", "2147483647"}}, {"INT UNSIGNED", []string{"4294967295"}}, {"INT(6) ZEROFILL", []string{"42"}},
	{"BIGINT", []string{"-9223372036854775808", "-9007199254740992", "-9007199254740991", "0", "9007199254740991", "9007199254740992", "9223372036854775807"}}, {"BIGINT UNSIGNED", []string{"0", "9223372036854775808", "18446744073709551615"}},
	{"DECIMAL(10,2)", []string{"0", "1.50", "-99999999.99"}}, {"DECIMAL(65,30)", []string{"99999999999999999999999999999999999.999999999999999999999999999999", "-0.000000000000000000000000000001"}}, {"DECIMAL(5,0) UNSIGNED", []string{"99999"}},
	{"FLOAT", []string{"0.1", "-3.402823e38", "1.17549e-38", "16777216"}}, {"DOUBLE", []string{"0.1", "-1.7976931348623157e308", "2.2250738585072014e-308", "123456789.123456789", "0"}}, {"FLOAT UNSIGNED", []string{"1.5"}},
	{"BIT(1)", []string{"b'0'", "b'1'"}}, {"BIT(8)", []string{"b'10101010'", "b'00000001'"}}, {"BIT(64)", []string{"b'1111111111111111111111111111111111111111111111111111111111111111'", "0"}},
	{"DATE", []string{"'1000-01-01'", "'9999-12-31'", "'2020-02-29'", "'0000-00-00'", "'2020-00-00'"}}, {"DATETIME", []string{"'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'0000-00-00 00:00:00'"}}, {"DATETIME(6)", []string{"'2020-01-01 00:00:00.000001'", "'2020-01-01 00:00:00'", "'0000-00-00 00:00:00'"}}, {"DATETIME(3)", []string{"'2020-01-01 12:00:00.120'"}},
	{"TIMESTAMP NULL", []string{"'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'", "'0000-00-00 00:00:00'"}}, {"TIMESTAMP(6) NULL", []string{"'2020-01-01 00:00:00.999999'"}}, {"TIME", []string{"'-838:59:59'", "'838:59:59'", "'00:00:00'"}}, {"TIME(6)", []string{"'-00:00:00.000001'", "'23:59:59.999999'", "'100:00:00'"}}, {"YEAR", []string{"1901", "2155", "0"}},
	{"CHAR(5)", []string{"'abc'", "''"}}, {"VARCHAR(50)", []string{"'a'", "''", "'ünï 🐘'", `'"\\ <&>'`, "'tab\tline\n'", "CHAR(0)", "CHAR(1)", "'trailing  '"}}, {"TINYTEXT", []string{"'x'"}}, {"TEXT", []string{"'x;delete'"}}, {"MEDIUMTEXT", []string{"REPEAT('x', 2000)"}}, {"LONGTEXT", []string{"'x'"}}, {"VARCHAR(50) CHARACTER SET latin1", []string{"'ü'", "x'FC'"}}, {"VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", []string{"'ü'"}},
	{"BINARY(4)", []string{"'a'", "x'00ff00ff'"}}, {"VARBINARY(10)", []string{"''", "x'00ff'", "'text'"}}, {"TINYBLOB", []string{"x'00'"}}, {"BLOB", []string{"x'deadbeef'"}}, {"MEDIUMBLOB", []string{"x'ff'"}}, {"LONGBLOB", []string{"x'ff00'"}},
	{"ENUM('ok','it''s','a,b','')", []string{"'ok'", "2", "'a,b'", "''"}}, {"SET('a','b','c')", []string{"'a,c'", "''", "7"}}, {"JSON", []string{`'{"b":1,"a":12345678901234567890.12,"a":2}'`, "'[]'", "'null'"}},
	{"UUID", []string{"'018f0000-0000-7000-8000-000000000001'"}}, {"INET6", []string{"'::1'", "'2001:db8::ff00:42:8329'", "'::ffff:10.0.0.1'"}}, {"INET4", []string{"'10.0.0.1'"}},
	{"POINT", []string{"POINT(1, 2)"}}, {"GEOMETRY", []string{"ST_GeomFromText('LINESTRING(0 0,1 1.5)')"}}, {"POLYGON", []string{"ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))')"}}, {"MULTIPOINT", []string{"ST_GeomFromText('MULTIPOINT(0 0,1 1)')"}}, {"GEOMETRYCOLLECTION", []string{"ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 2))')"}},
}

// TestTypes holds each value, as ad-hoc SQL and as find give it, against the
// server's own text of it.
func TestTypes(t *testing.T) {
	srv := mytest.Start(t)
	witness := prepare(t, srv, nil)
	for i, v := range values {
		for _, text := range append([]string{fmt.Sprintf("CREATE TABLE t%d(id INT PRIMARY KEY, v %s)", i, v.typ)}, inserts(i, v.expressions)...) {
			if _, err := witness.ExecContext(t.Context(), text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Query: "allow", Tables: "generic"})
	defer a.Close()
	for i, v := range values {
		want := column(t, witness, "SELECT "+ownText(v.typ)+fmt.Sprintf(" FROM t%d ORDER BY id", i))
		raw := want
		if strings.Contains(ownText(v.typ), "ST_AsText") {
			raw = column(t, witness, fmt.Sprintf("SELECT v FROM t%d ORDER BY id", i)) // ad-hoc SQL says what it wants itself
		}
		holdAgainst(t, a, v.typ+" by query", "query", map[string]any{"sql": fmt.Sprintf("SELECT v FROM t%d ORDER BY id", i)}, raw)
		holdAgainst(t, a, v.typ+" by find", "find_rows", map[string]any{"table": fmt.Sprintf("shop.t%d", i), "columns": []string{"v"}}, want)
	}
}

func inserts(table int, expressions []string) []string {
	var out []string
	for i, e := range append(expressions, "NULL") {
		out = append(out, fmt.Sprintf("INSERT INTO t%d VALUES (%d, %s)", table, i, e))
	}
	return out
}

// ownText is the expression whose text the server must agree with.
func ownText(typ string) string {
	switch {
	case strings.HasPrefix(typ, "BIT"):
		return "BIN(v)"
	case spatial(typ):
		return "ST_AsText(v)"
	case strings.HasPrefix(typ, "FLOAT"):
		return "CAST(v AS DOUBLE)" // which the server prints with all digits
	}
	return "v"
}

// column reads one column over the text protocol, where the server writes the
// text.
func column(t *testing.T, c *sql.Conn, text string) []sql.NullString {
	t.Helper()
	found, err := c.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer found.Close()
	var all []sql.NullString
	for found.Next() {
		var s sql.NullString
		if err := found.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func holdAgainst(t *testing.T, a *bridgesql.Adapter, what, key string, args map[string]any, want []sql.NullString) {
	t.Helper()
	r, err := sqlkit.Ask(t, a, key, args)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	var got struct{ Rows []json.RawMessage }
	if err := json.Unmarshal(r.JSON, &got); err != nil || len(got.Rows) != len(want) {
		t.Errorf("%s gave %s: %v", what, r.JSON, err)
		return
	}
	for i, row := range got.Rows {
		var cells []json.RawMessage
		if row[0] == '{' {
			var named struct{ V json.RawMessage }
			if err := json.Unmarshal(row, &named); err != nil {
				t.Fatal(err)
			}
			cells = append(cells, named.V)
		} else if err := json.Unmarshal(row, &cells); err != nil {
			t.Fatal(err)
		}
		if what == "JSON by find" { // the document itself, and null where there is none
			if said := want[i].String; string(cells[0]) != said && (want[i].Valid || string(cells[0]) != "null") {
				t.Errorf("%s gave %s, the server says %s", what, cells[0], said)
			}
			continue
		}
		text := asServer(t, cells[0])
		if text != want[i] && !sameNumber(cells[0], text.String, want[i].String, strings.HasPrefix(what, "FLOAT")) {
			t.Errorf("%s gave %s, the server says %q (valid: %v)", what, cells[0], want[i].String, want[i].Valid)
		}
	}
}

// asServer writes a JSON value as the server writes the same value as text.
func asServer(t *testing.T, v json.RawMessage) sql.NullString {
	t.Helper()
	switch v[0] {
	case 'n':
		return sql.NullString{}
	case '"':
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			t.Fatal(err)
		}
		return sql.NullString{String: s, Valid: true}
	case '{':
		var b struct {
			Bytes  int
			Base64 []byte
		}
		if err := json.Unmarshal(v, &b); err != nil || b.Bytes != len(b.Base64) {
			t.Fatalf("%s: %v", v, err)
		}
		return sql.NullString{String: string(b.Base64), Valid: true}
	}
	return sql.NullString{String: string(v), Valid: true}
}

// sameNumber compares JSON numbers by value: the server writes zeros in front, and
// floats in another notation.
func sameNumber(cell json.RawMessage, text, want string, single bool) bool {
	if cell[0] != '-' && (cell[0] < '0' || cell[0] > '9') {
		return false
	}
	bits := 64
	if single {
		bits = 32
	}
	a, errA := strconv.ParseFloat(text, bits)
	b, errB := strconv.ParseFloat(want, bits)
	return errA == nil && errB == nil && a == b
}
