package sqlkit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// A PagedTable is a table whose column n numbers its rows 0 to PagedRows-1.
type PagedTable struct {
	Name  string
	Keyed bool
	// Order are the columns to sort by, besides the key.
	Order []string
}

// PagedRows is how many rows a PagedTable has.
const PagedRows = 60

// PagedInsert fills a table with rows whose values, expressions of the row's
// number, are often equal, and null for one row in five. keys are never null.
func PagedInsert(table string, keys, values []string) []string {
	r := rand.New(rand.NewPCG(1, 2))
	var out []string
	for i := range PagedRows {
		cells := []string{fmt.Sprint(i)}
		for _, k := range keys {
			cells = append(cells, strings.ReplaceAll(k, "#", fmt.Sprint(i)))
		}
		for _, v := range values {
			n := r.IntN(5)
			if n == 0 {
				v = "NULL"
			}
			cells = append(cells, strings.ReplaceAll(v, "#", fmt.Sprint(n)))
		}
		out = append(out, "INSERT INTO "+table+" VALUES ("+strings.Join(cells, ", ")+")")
	}
	return out
}

// Pages walks a table in several orders and holds the pages, put together, against
// one page that holds all rows.
func Pages(t *testing.T, a *bridgesql.Adapter, schema string, table PagedTable) {
	orders := [][]map[string]any{nil}
	for i, c := range table.Order {
		before := table.Order[(i+1)%len(table.Order)]
		orders = append(orders, []map[string]any{{"column": c}}, []map[string]any{{"column": c, "descending": true}},
			[]map[string]any{{"column": before}, {"column": c, "descending": true}})
	}
	for _, order := range orders {
		t.Run(fmt.Sprint(table.Name, order), func(t *testing.T) {
			args := map[string]any{"table": schema + "." + table.Name, "limit": 200}
			if order != nil {
				args["order_by"] = order
			}
			whole := walk(t, a, args)
			args["limit"] = 7
			delete(args, "cursor")
			paged := walk(t, a, args)
			if len(whole) != PagedRows || len(paged) != PagedRows {
				t.Fatalf("%d rows in one page and %d over all pages, want %d", len(whole), len(paged), PagedRows)
			}
			if table.Keyed && !slices.Equal(whole, paged) {
				t.Errorf("the pages give\n%v\nand one page\n%v", paged, whole)
			}
			slices.Sort(paged)
			if n := len(slices.Compact(paged)); table.Keyed && n != PagedRows {
				t.Errorf("%d distinct rows, want %d", n, PagedRows)
			}
		})
	}
}

// walk follows next_cursor to the end and returns every row's number.
func walk(t *testing.T, a *bridgesql.Adapter, args map[string]any) []int {
	t.Helper()
	var all []int
	for range 100 {
		r, err := Ask(t, a, "find_rows", args)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Rows       []struct{ N int }
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(r.JSON, &page); err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			all = append(all, row.N)
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
