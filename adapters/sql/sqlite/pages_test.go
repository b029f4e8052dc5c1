package sqlite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// TestPages walks tables of every kind of key in every order, and holds the union
// of the pages against what the driver alone reads.
func TestPages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pages.db")
	create(t, file, `
		CREATE TABLE one(id INTEGER PRIMARY KEY, a INT, b TEXT);
		CREATE TABLE two(x TEXT NOT NULL, y INT NOT NULL, a INT, b TEXT, PRIMARY KEY (y, x));
		CREATE TABLE bin(k BLOB NOT NULL PRIMARY KEY, a INT, b TEXT) WITHOUT ROWID;
		CREATE TABLE none(a INT, b TEXT);`+inserts())
	a := Open(file, bridgesql.Options{})
	defer a.Close()
	orders := [][]map[string]any{
		nil,
		{{"column": "a"}},
		{{"column": "a", "descending": true}},
		{{"column": "b"}, {"column": "a", "descending": true}},
		{{"column": "b", "descending": true}, {"column": "a"}},
	}
	for _, table := range []string{"one", "two", "bin", "none"} {
		for i, order := range orders {
			t.Run(fmt.Sprintf("%s/%d", table, i), func(t *testing.T) {
				args := map[string]any{"limit": 7}
				if order != nil {
					args["order_by"] = order
				}
				got := walk(t, a, "main."+table+"/find", args)
				if len(got) != 60 {
					t.Errorf("%d rows over all pages, want 60", len(got))
				}
				slices.Sort(got)
				if n := len(slices.Compact(got)); table != "none" && n != 60 {
					t.Errorf("%d distinct rows, want 60", n)
				}
			})
		}
	}
}

// inserts fills each table with 60 rows, many of whose values are equal or null.
func inserts() string {
	r := rand.New(rand.NewPCG(1, 2))
	var out strings.Builder
	for i := range 60 {
		a, b := "NULL", "NULL"
		if n := r.IntN(5); n > 0 {
			a = fmt.Sprint(n)
		}
		if n := r.IntN(4); n > 0 {
			b = fmt.Sprintf("'%c'''", 'a'+n)
		}
		fmt.Fprintf(&out, "INSERT INTO one VALUES (%d, %s, %s); INSERT INTO two VALUES ('k%d', %d, %s, %s); INSERT INTO bin VALUES (x'%02x00', %s, %s); INSERT INTO none VALUES (%s, %s);",
			i*7919, a, b, i%9, i/9, a, b, i, a, b, a, b)
	}
	return out.String()
}

// walk follows next_cursor to the end and returns every row.
func walk(t *testing.T, a *bridgesql.Adapter, key string, args map[string]any) []string {
	t.Helper()
	var all []string
	for range 100 {
		r, err := sqlkit.Ask(t, a, key, args)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Rows       []json.RawMessage `json:"rows"`
			NextCursor string            `json:"next_cursor"`
		}
		if err := json.Unmarshal(r.JSON, &page); err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			all = append(all, string(row))
		}
		if page.NextCursor == "" {
			return all
		}
		if len(page.Rows) == 0 {
			t.Fatal("an empty page with a cursor")
		}
		args["cursor"] = page.NextCursor
	}
	t.Fatal("the pages do not end")
	return nil
}

func TestNamedQueries(t *testing.T) {
	file := filepath.Join(t.TempDir(), "named.db")
	create(t, file, `CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1,'a'),(2,':id')`)
	a := Open(file, bridgesql.Options{Queries: map[string]bridgesql.NamedQuery{
		"by_id":  {Description: "One v.", SQL: "SELECT v, ':id' AS text FROM t WHERE id = :id OR id = :id -- :id", Params: map[string]bridgesql.NamedParam{"id": {Description: "The id."}}},
		"broken": {SQL: "SELECT nothing FROM nowhere"},
		"typo":   {SQL: "SELECT 1", Params: map[string]bridgesql.NamedParam{"id": {}}},
	}})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lost []string
	for _, d := range c.Lost {
		if strings.HasPrefix(d.Key, "queries/") {
			lost = append(lost, d.Key)
		}
	}
	if want := []string{"queries/broken", "queries/typo"}; !slices.Equal(lost, want) {
		t.Errorf("lost %v, want %v", lost, want)
	}
	r, err := sqlkit.Ask(t, a, "queries/by_id", map[string]any{"id": 2})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(r.JSON), `{"columns":[{"name":"v","type":"TEXT"},{"name":"text"}],"rows":[[":id",":id"]]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
