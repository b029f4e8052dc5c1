package mysql

import (
	"database/sql"
	"encoding/json"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func TestSmoke(t *testing.T) {
	srv := mytest.Start(t)
	db, err := sql.Open("mysql", srv.DSN("root", "")+"?multiStatements=true")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`CREATE DATABASE shop; USE shop; CREATE TABLE c(id bigint unsigned PRIMARY KEY, name varchar(50) NOT NULL, m enum('ok','it''s,x'), b blob, n decimal(30,10), ts datetime(6), j json, f float, bt bit(5), g point, y year, st set('a','b'));
	CREATE TABLE o(c bigint unsigned, n int, PRIMARY KEY(c,n), FOREIGN KEY (c) REFERENCES c(id));
	SET sql_mode=''; INSERT INTO c VALUES(1,'Ann','ok',x'00ff',1.50,'2020-01-01 00:00:00.123456','{"b": 1}',0.1,b'00101',ST_GeomFromText('POINT(1 2)'),2024,'a,b'),(18446744073709551615,'Bob',null,null,12345678901234567890.5,'0000-00-00',null,1e30,null,null,null,null),(3,'Cy','it''s,x',null,null,null,null,null,null,null,null,null);
	INSERT INTO o VALUES(1,1),(1,2); CREATE USER reader; GRANT SELECT ON shop.* TO reader`)
	if err != nil {
		t.Fatal(err)
	}
	a := Open(srv.DSN("reader", "shop"), bridgesql.Options{Timeout: time.Second})
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
	call("get_c", `{"id":"18446744073709551615"}`)
	call("get_o", `{"c":1,"n":7}`)
	call("count_rows", `{"table":"shop.c","group_by":["m"]}`)
	for _, q := range []string{"select 1 a, 2 a, ?+1 from c", "-- hi\nwith x as (select 1) select * from x;", "explain select 1", "explain (analyze, costs off) select * from c", "explain analyze delete from c",
		"delete from c", "select sleep(3)", "show processlist", "select 1 into outfile '/tmp/o'", "select 1 /*M! into @x */", "with a as (select 1) delete from c", "explain format=json select 1", "select (5.0::float8).pg_sleep", "select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c, information_schema.columns d", "select * from nope", "select 1; select 2", "table c", "values (1,null)", "select 'AbC' as \"pg_sleep\"", "select query_to_xml('x',true,true,'')", "select E'a'\n'\\'' , pg_sleep(1), '\\''"} {
		p := "[]"
		if q[len(q)-6:] == "from c" && q[7] == '1' {
			p = "[9007199254740992]"
		}
		j, _ := json.Marshal(q)
		call("query", `{"sql":`+string(j)+`,"params":`+p+`}`)
	}
}
