package postgres

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5"
)

func TestSmoke(t *testing.T) {
	srv := pgtest.Start(t)
	conn, err := pgx.Connect(t.Context(), srv.DSN("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), `CREATE TYPE mood AS ENUM('ok','bad'); CREATE TABLE c(id bigint PRIMARY KEY, name text NOT NULL, m mood, b bytea, n numeric, ts timestamptz, a int[], j json, f float8);
	CREATE TABLE o(c bigint REFERENCES c, n int, PRIMARY KEY(c,n)); COMMENT ON TABLE c IS 'Customers.';
	INSERT INTO c VALUES(1,'Ann','ok','\x00ff',1.50,'2020-01-01 00:00:00+00','{{1,2},{3,null}}','{"b": 1,
	"a":12345678901234567890.12}','NaN'),(9007199254740993,'Bob',null,null,'NaN','infinity',null,null,1e300),(3,'Cy',null,null,null,'0044-03-15 BC',null,null,null);
	INSERT INTO o VALUES(1,1),(1,2); CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`)
	if err != nil {
		t.Fatal(err)
	}
	a := Open(srv.DSN("reader", "postgres"), bridgesql.Options{Timeout: time.Second})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Lost)
	s := mapping.Build(map[string]*mapping.Catalog{"x": c}, mapping.Rules{})
	for _, x := range s.Tools() {
		t.Log(x.Name, x.Description)
	}
	call := func(tool, args string) {
		tl := s.Tool(tool)
		if tl == nil {
			t.Errorf("no tool %s", tool)
			return
		}
		b, err := tl.Bind(json.RawMessage(args))
		if err != nil {
			t.Log(tool, args, err)
			return
		}
		b.Budget = 60000
		r, err := a.Call(t.Context(), *b)
		if err != nil {
			t.Log(tool, args, "ERR", err)
			return
		}
		t.Logf("%s %s %s %s", tool, args, r.JSON, r.Note)
	}
	call("find_c", `{"limit":2}`)
	call("find_c", `{"where":[{"column":"name","op":"starts_with","value":"a"},{"column":"m","op":"eq","value":"ok"}],"columns":["n"],"order_by":[{"column":"n","descending":true}]}`)
	call("get_c", `{"id":9007199254740993}`)
	call("get_o", `{"c":1,"n":7}`)
	call("count_rows", `{"table":"public.c","group_by":["m"]}`)
	for _, q := range []string{"select 1 a, 2 a, $1::int8+1 from c", "-- hi\nwith x as (select 1) select * from x;", "explain select 1", "explain (analyze, costs off) select * from c", "explain analyze delete from c",
		"delete from c", "select pg_sleep(3)", "select (5.0::float8).pg_sleep", "select count(*) from generate_series(1,1000000000)", "select * from nope", "select 1; select 2", "table c", "values (1,null)", "select 'AbC' as \"pg_sleep\"", "select query_to_xml('x',true,true,'')", "select E'a'\n'\\'' , pg_sleep(1), '\\''"} {
		p := "[]"
		if q[len(q)-6:] == "from c" && q[7] == '1' {
			p = "[9007199254740992]"
		}
		j, _ := json.Marshal(q)
		call("query", `{"sql":`+string(j)+`,"params":`+p+`}`)
	}
}
