// Command bench measures what a user waits for and what the command holds in
// memory. It prints figures and judges none of them, for they depend on the
// machine.
//
//	go run ./bench [-n 5] [DOCUMENT...]
//
// For the demo and for each OpenAPI document it starts the built command on
// stdio as a host would, and reports the median of n runs: the time from process
// start to the answer of initialize, the time to the whole list of tools, the
// processor time of it all, and the process's memory (Linux only).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	n := flag.Int("n", 5, "how often to start the command for each row")
	flag.Parse()
	if err := run(context.Background(), *n, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, documents []string) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "mcp-bridge")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/mcp-bridge/mcp-bridge/cmd/mcp-bridge")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	config := filepath.Join(dir, "demo.json")
	if err := os.WriteFile(config, []byte(`{"sources": {"shop": {"kind": "demo-api"}}}`), 0o600); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "source\ttools\tlist kB\tinitialize ms\tlisted ms\tCPU ms\tidle MB\tpeak MB\t")
	rows := append([][]string{{"--config", config}}, each(documents)...)
	for _, args := range rows {
		m, err := medianOf(ctx, n, program, args)
		if err != nil {
			return fmt.Errorf("%s: %w", args[len(args)-1], err)
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", filepath.Base(args[len(args)-1]), m.tools, m.listBytes/1000,
			milliseconds(m.initialized), milliseconds(m.listed), milliseconds(m.cpu), megabytes(m.idle), megabytes(m.peak))
	}
	return table.Flush()
}

// each makes one command line of each document.
func each(documents []string) [][]string {
	var lines [][]string
	for _, d := range documents {
		lines = append(lines, []string{d})
	}
	return lines
}

// medianOf measures n times and takes the median of each figure by itself.
func medianOf(ctx context.Context, n int, program string, args []string) (measured, error) {
	var all []measured
	for range max(n, 1) {
		m, err := measure(ctx, program, args)
		if err != nil {
			return measured{}, err
		}
		all = append(all, m)
	}
	m := all[0]
	m.initialized = median(all, func(m measured) time.Duration { return m.initialized })
	m.listed = median(all, func(m measured) time.Duration { return m.listed })
	m.cpu = median(all, func(m measured) time.Duration { return m.cpu })
	m.idle = median(all, func(m measured) int64 { return m.idle })
	m.peak = median(all, func(m measured) int64 { return m.peak })
	return m, nil
}

func median[T time.Duration | int64](all []measured, of func(measured) T) T {
	var figures []T
	for _, m := range all {
		figures = append(figures, of(m))
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
