package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// samples reads a page as Prometheus does and returns every sample's value.
func samples(t *testing.T, page string) map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(page))
	if err != nil {
		t.Fatalf("%v in\n%s", err, page)
	}
	all := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			series := fmt.Sprintf("%s %s{%s}", strings.ToLower(family.GetType().String()), name, strings.Join(labels, ","))
			if h := m.GetHistogram(); h != nil {
				all[series+" count"], all[series+" sum"] = float64(h.GetSampleCount()), h.GetSampleSum()
				for _, b := range h.GetBucket() {
					all[fmt.Sprintf("%s up to %g", series, b.GetUpperBound())] = float64(b.GetCumulativeCount())
				}
				continue
			}
			all[series] = m.GetCounter().GetValue() + m.GetGauge().GetValue() // one of them is there
		}
	}
	return all
}

// TestScrape holds what is written against Prometheus' own parser.
func TestScrape(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("test")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	odd := metric.WithAttributes(attribute.String("a.b", "line\nquote\" slash\\ é \xff"))
	calls, err := meter.Int64Counter("my.calls", metric.WithUnit("{call}"), metric.WithDescription("Calls\nwith \\ in them."))
	must(err)
	calls.Add(ctx, 3, odd)
	open, err := meter.Int64UpDownCounter("my.open")
	must(err)
	open.Add(ctx, -2)
	size, err := meter.Int64Histogram("my.size", metric.WithUnit("By"), metric.WithExplicitBucketBoundaries(10, 100))
	must(err)
	for _, n := range []int64{5, 10, 11, 1000} {
		size.Record(ctx, n, odd)
	}
	took, err := meter.Float64Histogram("my.took", metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(.5))
	must(err)
	took.Record(ctx, .25)
	_, err = meter.Int64ObservableGauge("my.now", metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
		o.Observe(7)
		return nil
	}))
	must(err)
	w := httptest.NewRecorder()
	scrape(reader).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	label := `a_b="line\nquote\" slash\\ é �"`
	want := map[string]float64{
		`counter my_calls_total{` + label + `}`:             3,
		`gauge my_open{}`:                                   -2,
		`gauge my_now{}`:                                    7,
		`histogram my_size_bytes{` + label + `} count`:      4,
		`histogram my_size_bytes{` + label + `} sum`:        1026,
		`histogram my_size_bytes{` + label + `} up to 10`:   2,
		`histogram my_size_bytes{` + label + `} up to 100`:  3,
		`histogram my_size_bytes{` + label + `} up to +Inf`: 4,
		`histogram my_took_seconds{} count`:                 1,
		`histogram my_took_seconds{} sum`:                   .25,
		`histogram my_took_seconds{} up to 0.5`:             1,
		`histogram my_took_seconds{} up to +Inf`:            1,
	}
	if diff := cmp.Diff(want, samples(t, w.Body.String())); diff != "" {
		t.Errorf("samples (-want +got):\n%s\nin\n%s", diff, w.Body)
	}
	if got, want := expfmt.ResponseFormat(w.Header()), expfmt.NewFormat(expfmt.TypeTextPlain); got != want {
		t.Errorf("the format is %s, want %s", got, want)
	}
}
