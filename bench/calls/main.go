// Command calls measures tools/call over stdio: mcp-bridge and a server from npm
// in turn, on one document and one API over HTTP, and then whether mcp-bridge
// keeps its size over many calls. It prints figures and judges none of them. It
// runs on Linux.
//
//	bash bench/peers.sh DIR
//	go run ./bench/calls -peers DIR
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
)

type flags struct {
	peers   string
	callers int
	length  time.Duration
	rounds  int
	soak    int64
}

func main() {
	var f flags
	flag.StringVar(&f.peers, "peers", "", "folder that bench/peers.sh filled; without it mcp-bridge runs alone")
	flag.IntVar(&f.callers, "callers", 8, "how many calls are under way at once")
	flag.DurationVar(&f.length, "time", 5*time.Second, "how long one round of one server is")
	flag.IntVar(&f.rounds, "rounds", 3, "how often each server has its turn")
	flag.Int64Var(&f.soak, "soak", 200_000, "how many calls mcp-bridge then answers for its memory")
	flag.Parse()
	if err := run(context.Background(), f); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A peer is one server to measure.
type peer struct {
	name string
	tool string // that gets a product
	line []string
}

func run(ctx context.Context, f flags) error {
	dir, err := os.MkdirTemp("", "calls")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	build := exec.CommandContext(ctx, "go", "build", "-o", dir+"/", "./cmd/mcp-bridge", "./bench/shop")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build, in the folder of the module: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx) // kills the shop
	defer cancel()
	base, err := shop(ctx, filepath.Join(dir, "shop"))
	if err != nil {
		return err
	}
	document := filepath.Join(dir, "shop.yaml")
	if err := os.WriteFile(document, demo.Document(), 0o600); err != nil {
		return err
	}
	peers := []peer{{"mcp-bridge", "get_product", []string{filepath.Join(dir, "mcp-bridge"), "serve", document, "--base-url", base}}}
	if f.peers != "" {
		script := filepath.Join(f.peers, "node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js")
		peers = append(peers, peer{"@ivotoby/openapi-mcp-server", "get-product", []string{"node", script, "--api-base-url", base, "--openapi-spec", document, "--verbose", "false"}})
	}
	if err := compare(ctx, f, peers); err != nil {
		return err
	}
	return soak(ctx, f, peers[0])
}

// shop starts the API and returns its address.
func shop(ctx context.Context, program string) (string, error) {
	cmd := exec.CommandContext(ctx, program, "-addr", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the shop did not start: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// compare lets the peers take turns, so that a busy spell of the machine does not
// hit one of them alone, and prints every round.
func compare(ctx context.Context, f flags, peers []peer) error {
	servers := make([]*server, len(peers))
	for i, p := range peers {
		s, err := start(ctx, p.line)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		defer s.stop()
		servers[i] = s
		if _, err := (load{p.tool, f.callers, until(f.length)}).run(s); err != nil { // node compiles what is hot
			return fmt.Errorf("%s: %w", p.name, s.fail(err))
		}
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "server\tround\tcalls/s\tCPU µs/call\tRSS MB\tload\t")
	totals := make([]figures, len(peers))
	for round := range f.rounds {
		for i, p := range peers {
			got, err := load{p.tool, f.callers, until(f.length)}.run(servers[i])
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, servers[i].fail(err))
			}
			busy, err := process.Load()
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "%s\t%d\t%.0f\t%d\t%.1f\t%s\t\n", p.name, round+1, got.perSecond(), got.cpuPerCall().Microseconds(), float64(got.rss)/1e6, busy)
			totals[i].calls += got.calls
			totals[i].elapsed += got.elapsed
			totals[i].cpu += got.cpu
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(peers) > 1 {
		fmt.Printf("over all rounds: %.2f times the calls/s, %.2f times the CPU per call\n", totals[0].perSecond()/totals[1].perSecond(),
			float64(totals[0].cpuPerCall())/float64(totals[1].cpuPerCall()))
	}
	return nil
}

// until allows calls for some time from now.
func until(length time.Duration) func(int64) bool {
	end := time.Now().Add(length)
	return func(int64) bool { return time.Now().Before(end) }
}

// soak prints the memory of a fresh server at every quarter of many calls.
func soak(ctx context.Context, f flags, p peer) error {
	s, err := start(ctx, p.line)
	if err != nil {
		return err
	}
	defer s.stop()
	part := f.soak / 4
	for i := range int64(4) {
		got, err := load{p.tool, f.callers, func(n int64) bool { return n <= part }}.run(s)
		if err != nil {
			return s.fail(err)
		}
		fmt.Printf("after %d calls: RSS %.1f MB, %.0f calls/s\n", (i+1)*part, float64(got.rss)/1e6, got.perSecond())
	}
	return nil
}
