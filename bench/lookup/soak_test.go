package lookup

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// BenchmarkSoak calls get, find, count and, once in a hundred, query from 16
// callers, 1,000 calls an operation, and prints the live heap after each quarter.
func BenchmarkSoak(b *testing.B) {
	srv := pgtest.Start(b)
	pool := fill(b, srv.DSN("postgres", "postgres"))
	a := postgres.New(pool, bridgesql.Options{Tables: "each", Query: "allow"})
	defer a.Close()
	if _, err := a.Catalog(b.Context()); err != nil {
		b.Fatal(err)
	}
	heaps := make([]float64, 0, 4)
	for i := range b.N {
		thousand(b, a, i)
		if (i+1)*4/b.N > i*4/b.N {
			heaps = append(heaps, liveHeap())
		}
	}
	for i, mb := range heaps {
		b.ReportMetric(mb, fmt.Sprintf("MB-live-q%d", i+1))
	}
}

func liveHeap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// thousand makes 1,000 calls, all of which must be answered.
func thousand(b *testing.B, a *bridgesql.Adapter, round int) {
	b.Helper()
	calls := make(chan int)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for i := range calls {
				key, args := mixed(round*1000 + i)
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
func mixed(n int) (key string, args map[string]string) {
	id := strconv.Itoa(n*7919%rows + 1)
	switch {
	case n%100 == 99:
		return "query", map[string]string{"sql": `"SELECT name FROM item WHERE id = ` + id + `"`}
	case n%10 == 8:
		return "count", map[string]string{"table": `"public.item"`, "where": `[{"column": "id", "op": "eq", "value": ` + id + `}]`}
	case n%10 == 7:
		return "public.item/find", map[string]string{"where": `[{"column": "id", "op": "gte", "value": ` + id + `}]`, "limit": "5"}
	}
	return "public.item/get", map[string]string{"id": id}
}

func ask(ctx context.Context, a *bridgesql.Adapter, key string, args map[string]string) error {
	c := mapping.Call{Key: key, Budget: 60_000, MaxBytes: 16 << 20}
	for name, value := range args {
		c.Args = append(c.Args, mapping.Arg{Name: name, Value: json.RawMessage(value)})
	}
	_, err := a.Call(ctx, c)
	return err
}
