package postgres

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// values are extreme values of every type, as literals.
var values = []struct{ typ, literals string }{
	{"boolean", "true false"},
	{"smallint", "-32768 32767"}, {"integer", "-2147483648 2147483647"}, {"bigint", "-9223372036854775808 -9007199254740992 -9007199254740991 0 9007199254740991 9007199254740992 9223372036854775807"},
	{"oid", "4294967295"}, {"numeric", "0 0.10 -1.50 12345678901234567890.123456789 1e100 NaN Infinity -Infinity"}, {"numeric(10,2)", "1.5 -99999999.99"}, {"money", "1.50"},
	{"real", "0.1 1e38 NaN Infinity -Infinity -0"}, {"double precision", "0.1 1e300 5e-324 NaN Infinity -Infinity 123456789.123456789"},
	{"text", "a ünï 🐘 \" \\ <&>"}, {"varchar(5)", "abc"}, {"char(5)", "abcde"}, {"name", "x"}, {`"char"`, "x"},
	{"bytea", `\x \x00ff \xdeadbeef`}, {"uuid", "018f0000-0000-7000-8000-000000000001"},
	{"date", "2020-02-29 0001-01-01 infinity -infinity 5874897-12-31"}, {"time", "00:00:00 23:59:59.999999 24:00:00"}, {"timetz", "12:00:00+05:30"},
	{"timestamp", "2020-01-01T00:00:00.000001 infinity -infinity 294276-12-31"}, {"timestamptz", "2020-01-01T00:00:00+05:30 infinity 0001-01-01T00:00:00Z"},
	{"interval", "P1Y2M3DT4H5M6.789S P-1D PT0S"},
	{"json", `{"b":1,"a":12345678901234567890.12,"a":2} [] null "x" 1`}, {"jsonb", `{"b":1,"a":12345678901234567890.12} [1,2] null`},
	{"integer[]", "{} {1,NULL,3} {{1,2},{3,4}} [2:3]={1,2}"}, {"text[]", `{} {a,"b,c","d\"e","NULL",NULL,""}`}, {"uuid[]", "{018f0000-0000-7000-8000-000000000001}"}, {"boolean[]", "{t,f}"}, {"numeric[]", "{1.50,NaN}"}, {"bytea[]", `{"\\x00ff"}`}, {"timestamptz[]", `{"2020-01-01T00:00:00Z"}`}, {"mood[]", "{ok,bad}"},
	{"mood", "ok"}, {"positive", "7"}, {"pair", `(1,"a,b")`},
	{"int4range", "[1,5) empty (,)"}, {"numrange", "[1.5,2.5]"}, {"int4multirange", "{[1,2),[5,7)}"}, {"inet", "192.168.0.1/24 ::1"}, {"cidr", "10.0.0.0/8"}, {"macaddr", "08:00:2b:01:02:03"},
	{"bit(5)", "10101"}, {"varbit", "1 101"}, {"point", "(1,2)"}, {"box", "(2,2),(1,1)"}, {"circle", "<(1,2),3>"}, {"polygon", "((0,0),(1,1))"}, {"tsvector", "'a':1"}, {"tsquery", "'a'&'b'"}, {"xml", "<a>b</a>"}, {"pg_lsn", "16/B374D848"}, {"regclass", "pg_class"},
}

// TestTypes holds each value against the server's own text of it.
func TestTypes(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, `CREATE TYPE mood AS ENUM ('ok', 'bad'); CREATE DOMAIN positive AS int CHECK (value > 0); CREATE TYPE pair AS (a int, b text)`)
	execute(t, witness, "SET DateStyle = 'ISO, YMD'; SET IntervalStyle = iso_8601; SET extra_float_digits = 1")
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow"})
	defer a.Close()
	for _, v := range values {
		for _, literal := range strings.Fields(v.literals) {
			expression := "'" + strings.ReplaceAll(literal, "'", "''") + "'::" + v.typ
			own, err := witness.PgConn().Exec(t.Context(), "SELECT "+expression).ReadAll()
			if err != nil {
				t.Fatalf("%s: %v", expression, err)
			}
			want := string(own[0].Rows[0][0])
			r, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": "SELECT " + expression})
			if err != nil {
				t.Errorf("%s: %v", expression, err)
				continue
			}
			var got struct{ Rows [][]json.RawMessage }
			if err := json.Unmarshal(r.JSON, &got); err != nil {
				t.Fatalf("%s gave %s: %v", expression, r.JSON, err)
			}
			text := asServer(t, got.Rows[0][0], v.typ)
			if strings.HasPrefix(v.typ, "json") {
				text, want = compact(t, text), compact(t, want)
			}
			if text != want {
				t.Errorf("%s gave %s, which is %q; the server says %q", expression, got.Rows[0][0], text, want)
			}
		}
	}
}

// asServer writes a JSON value as the server writes the same value as text.
func asServer(t *testing.T, v json.RawMessage, typ string) string {
	t.Helper()
	if strings.HasPrefix(typ, "json") {
		return string(v)
	}
	switch v[0] {
	case 't', 'f':
		return string(v[:1])
	case '"':
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			t.Fatal(err)
		}
		return s
	case '{':
		var b struct {
			Bytes  int
			Base64 []byte
		}
		if err := json.Unmarshal(v, &b); err != nil || b.Bytes != len(b.Base64) {
			t.Fatalf("%s: %v", v, err)
		}
		return `\x` + hex.EncodeToString(b.Base64)
	case '[':
		return asServerArray(t, v, strings.TrimSuffix(typ, "[]"))
	}
	return string(v)
}

func asServerArray(t *testing.T, v json.RawMessage, typ string) string {
	t.Helper()
	var items []json.RawMessage
	if err := json.Unmarshal(v, &items); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, item := range items {
		text := asServer(t, item, typ)
		switch {
		case string(item) == "null":
			text = "NULL"
		case item[0] == '[':
		case text == "" || text == "NULL" || strings.ContainsAny(text, `{}",\ `):
			text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
		}
		out = append(out, text)
	}
	return "{" + strings.Join(out, ",") + "}"
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b.String()
}

// TestEnumArrays reads arrays of a type of the database's own as arrays.
func TestEnumArrays(t *testing.T) {
	srv := pgtest.Start(t)
	execute(t, connect(t, srv.DSN("postgres", "postgres")), `CREATE TYPE mood AS ENUM ('ok', 'b,d'); CREATE TABLE m(id int PRIMARY KEY, a mood[]); INSERT INTO m VALUES (1, '{ok,"b,d",NULL}')`)
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Tables: "each"})
	defer a.Close()
	const want = `{"id":1,"a":["ok","b,d",null]}`
	for key, args := range map[string]map[string]any{"public.m/find": nil, "public.m/get": {"id": 1}} {
		if r, err := sqlkit.Ask(t, a, key, args); err != nil || !strings.Contains(string(r.JSON), want) {
			t.Errorf("%s gave %v, %v, want %s", key, r, err, want)
		}
	}
}
