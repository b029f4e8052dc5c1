package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// TestMetricsTable compares the table of docs/operations.md with what a bridge
// measures when everything has happened to it.
func TestMetricsTable(t *testing.T) {
	meter, reader, err := metering()
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(t, `{"sources": {"shop": {"kind": "demo-api"}}, "limits": {"resultBytes": 1000},
		"prompts": {"hello": {"messages": [{"text": "Say hello."}]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	o := c.options(slog.New(slog.DiscardHandler), 0)
	o.Metrics = meter
	b, err := core.New(o, c.open())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	in := strings.Join([]string{initialize, ready,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"shop_list_products"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"shop_get_product","arguments":{"sku":"NONE-1P"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"api://shop/products/NONE-1P"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"hello"}}`,
	}, "\n")
	if err := b.Run(t.Context(), strings.NewReader(in+"\n"), new(strings.Builder)); err != nil {
		t.Fatal(err)
	}
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all metricdata.ResourceMetrics
	ended := func(m metricdata.Metrics) bool { return m.Name == "mcp.server.session.duration" }
	for late := time.Now().Add(time.Minute); !slices.ContainsFunc(metricsOf(all), ended); { // noted behind
		if err := reader.Collect(context.Background(), &all); err != nil || time.Now().After(late) {
			t.Fatalf("no session has ended: %v", err)
		}
	}
	var rows []string
	for _, m := range metricsOf(all) {
		var page strings.Builder
		writeMetric(&page, m)
		head := regexp.MustCompile(`# HELP (\S+) (.*)\n# TYPE \S+ (\S+)\n`).FindStringSubmatch(page.String())
		if head == nil {
			t.Fatalf("no metric in %q", page.String())
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |\n", head[1], head[3], strings.Join(labelsOf(m), ", "), head[2]))
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	text := read(t, "docs/operations.md")
	head := "<!-- metrics -->\n\n| Name | Type | Labels | What it measures |\n|---|---|---|---|\n"
	before, rest, found := strings.Cut(text, head)
	if !found {
		t.Fatal("docs/operations.md has no table of metrics")
	}
	page := before + head + strings.Join(rows, "") + regexp.MustCompile(`^(\|.*\n)*`).ReplaceAllString(rest, "")
	if *update {
		if err := os.WriteFile(filepath.Join(root, "docs", "operations.md"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != text {
		t.Errorf("the table of docs/operations.md is not what is measured; go test ./cmd/mcp-bridge -run MetricsTable -update writes\n%s", strings.Join(rows, ""))
	}
}

// labelsOf returns the labels of a metric that is not a histogram bucket's.
func labelsOf(m metricdata.Metrics) []string {
	var sets []attribute.Set
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		for _, p := range data.DataPoints {
			sets = append(sets, p.Attributes)
		}
	case metricdata.Gauge[int64]:
		for _, p := range data.DataPoints {
			sets = append(sets, p.Attributes)
		}
	case metricdata.Histogram[int64]:
		for _, p := range data.DataPoints {
			sets = append(sets, p.Attributes)
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			sets = append(sets, p.Attributes)
		}
	}
	var names []string
	for _, set := range sets {
		for _, a := range set.ToSlice() {
			names = append(names, "`"+promName(string(a.Key))+"`")
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
