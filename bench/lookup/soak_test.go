package lookup

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/mysql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/sqlite"
	"github.com/mcp-bridge/mcp-bridge/bench/process"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// BenchmarkSoakPostgres calls get, find, count and, once in a hundred, query from
// 16 callers, 1,000 calls an operation, and prints the live heap after each
// quarter.
func BenchmarkSoakPostgres(b *testing.B) {
	srv := pgtest.Start(b)
	pool := fill(b, srv.DSN("postgres", "postgres"))
	soak(b, "public", postgres.New(pool, bridgesql.Options{Tables: "each", Query: "allow"}))
}

// BenchmarkSoakMariaDB makes the same calls to MariaDB.
func BenchmarkSoakMariaDB(b *testing.B) {
	srv := mytest.Start(b)
	db, err := sql.Open("mysql", srv.DSN("root", "")+"?multiStatements=true")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(b.Context(), "CREATE DATABASE shop; USE shop; CREATE TABLE item (id BIGINT PRIMARY KEY, name VARCHAR(40) NOT NULL, price DECIMAL(10,2), note TEXT);"+
		fmt.Sprintf("INSERT INTO item SELECT seq, CONCAT('item ', seq), seq / 7, REPEAT('x', 200) FROM seq_1_to_%d", rows)); err != nil {
		b.Fatal(err)
	}
	soak(b, "shop", mysql.Open(srv.DSN("root", "shop"), bridgesql.Options{Tables: "each", Query: "allow"}))
}

// BenchmarkSoakSQLite makes the same calls to a file.
func BenchmarkSoakSQLite(b *testing.B) {
	file := filepath.Join(b.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(b.Context(), "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, note TEXT);"+
		fmt.Sprintf("WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) INSERT INTO item SELECT i, 'item ' || i, i / 7.0, printf('%%.200c', 'x') FROM s", rows)); err != nil {
		b.Fatal(err)
	}
	soak(b, "main", sqlite.Open(file, bridgesql.Options{Tables: "each", Query: "allow"}))
}

// soak closes the adapter.
func soak(b *testing.B, schema string, a *bridgesql.Adapter) {
	b.Helper()
	defer a.Close()
	if _, err := a.Catalog(b.Context()); err != nil {
		b.Fatal(err)
	}
	quarter := 0
	for i := range b.N {
		thousand(b, a, schema, i)
		if (i+1)*4/b.N > i*4/b.N {
			quarter++
			b.ReportMetric(liveHeap(), fmt.Sprintf("MB-live-q%d", quarter))
			resident, _, err := process.Memory(os.Getpid()) // SQLite's own memory is not in the heap
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(resident)/1e6, fmt.Sprintf("MB-RSS-q%d", quarter))
		}
	}
}

func liveHeap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// thousand makes 1,000 calls, all of which must be answered.
func thousand(b *testing.B, a *bridgesql.Adapter, schema string, round int) {
	b.Helper()
	calls := make(chan int)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for i := range calls {
				key, args := mixed(schema, round*1000+i)
				if err := ask(b.Context(), a, key, args); err != nil {
					b.Errorf("%s: %v", key, err)
				}
			}
		})
	}
	for i := range 1000 {
		calls <- i
	}
	close(calls)
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
}

// mixed is the n-th call.
func mixed(schema string, n int) (key string, args map[string]string) {
	id := strconv.Itoa(n*7919%rows + 1)
	switch {
	case n%100 == 99:
		return "query", map[string]string{"sql": `"SELECT name FROM item WHERE id = ` + id + `"`}
	case n%10 == 8:
		return "count", map[string]string{"table": `"` + schema + `.item"`, "where": `[{"column": "id", "op": "eq", "value": ` + id + `}]`}
	case n%10 == 7:
		return schema + ".item/find", map[string]string{"where": `[{"column": "id", "op": "gte", "value": ` + id + `}]`, "limit": "5"}
	}
	return schema + ".item/get", map[string]string{"id": id}
}

func ask(ctx context.Context, a *bridgesql.Adapter, key string, args map[string]string) error {
	c := mapping.Call{Key: key, Budget: 60_000, MaxBytes: 16 << 20}
	for name, value := range args {
		c.Args = append(c.Args, mapping.Arg{Name: name, Value: json.RawMessage(value)})
	}
	_, err := a.Call(ctx, c)
	return err
}
