package sqlite

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func TestSmoke(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE c(id INTEGER PRIMARY KEY, name TEXT NOT NULL, big BIGINT, b BLOB);
	CREATE TABLE o(c INT REFERENCES c, n INT NOT NULL, PRIMARY KEY(c,n));
	INSERT INTO c VALUES(1,'Ann',9007199254740993,x'00ff'),(2,'Bob',null,null),(3,'Cy',1,null);
	INSERT INTO o VALUES(1,1),(1,2);`); err != nil {
		t.Fatal(err)
	}
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := mapping.Build(map[string]*mapping.Catalog{"x": c}, mapping.Rules{})
	for _, x := range s.Tools() {
		t.Log(x.Name, x.Description, string(x.Input))
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
		t.Logf("%s %s %s %s %v", tool, args, r.JSON, r.Note, r.Next)
	}
	call("find_c", `{"limit":2}`)
	call("find_c", `{"limit":2,"where":[{"column":"name","op":"starts_with","value":"a"}],"columns":["big"],"order_by":[{"column":"big","descending":true}]}`)
	call("get_c", `{"id":1}`)
	call("get_o", `{"c":1,"n":7}`)
	call("count_rows", `{"table":"main.c","group_by":["b"]}`)
	call("query", `{"sql":"select 1 a, 2 a, ?1+1 from c","params":[9007199254740992]}`)
	call("query", `{"sql":"delete from c"}`)
	call("query", `{"sql":"attach 'y' as z"}`)
}
