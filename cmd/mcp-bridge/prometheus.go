package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// scrape answers Prometheus with everything that the reader reads. The format is
// the text format 0.0.4, with names as OpenTelemetry's rules for Prometheus make
// them. Writing it here keeps Prometheus' own client out of the program, which
// costs 1.5 MB of memory before the first request.
func scrape(reader metric.Reader) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var all metricdata.ResourceMetrics
		if err := reader.Collect(r.Context(), &all); err != nil {
			say(w, http.StatusInternalServerError, "the metrics cannot be read: "+err.Error())
			return
		}
		var page bytes.Buffer
		for _, m := range metricsOf(all) {
			writeMetric(&page, m)
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(page.Bytes()) // the client may be gone
	})
}

// metricsOf returns every metric, by name.
func metricsOf(all metricdata.ResourceMetrics) []metricdata.Metrics {
	var list []metricdata.Metrics
	for _, scope := range all.ScopeMetrics {
		list = append(list, scope.Metrics...)
	}
	slices.SortFunc(list, func(a, b metricdata.Metrics) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func writeMetric(w io.Writer, m metricdata.Metrics) {
	name := promName(m.Name)
	if unit := map[string]string{"s": "_seconds", "By": "_bytes"}[m.Unit]; !strings.HasSuffix(name, unit) {
		name += unit
	}
	head := func(name, kind string) {
		help := strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(m.Description)
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		if !data.IsMonotonic {
			head(name, "gauge")
			writePoints(w, name, data.DataPoints)
			return
		}
		head(name+"_total", "counter")
		writePoints(w, name+"_total", data.DataPoints)
	case metricdata.Gauge[int64]:
		head(name, "gauge")
		writePoints(w, name, data.DataPoints)
	case metricdata.Histogram[float64]:
		head(name, "histogram")
		writeHistogram(w, name, data.DataPoints)
	case metricdata.Histogram[int64]:
		head(name, "histogram")
		writeHistogram(w, name, data.DataPoints)
	}
}

func writePoints(w io.Writer, name string, points []metricdata.DataPoint[int64]) {
	for _, p := range points {
		fmt.Fprintf(w, "%s%s %d\n", name, labels(p.Attributes, ""), p.Value)
	}
}

func writeHistogram[N int64 | float64](w io.Writer, name string, points []metricdata.HistogramDataPoint[N]) {
	for _, p := range points {
		sum := uint64(0)
		for i, n := range p.BucketCounts {
			sum += n
			bound := "+Inf"
			if i < len(p.Bounds) {
				bound = number(p.Bounds[i])
			}
			fmt.Fprintf(w, "%s_bucket%s %d\n", name, labels(p.Attributes, bound), sum)
		}
		fmt.Fprintf(w, "%s_sum%s %s\n", name, labels(p.Attributes, ""), number(float64(p.Sum)))
		fmt.Fprintf(w, "%s_count%s %d\n", name, labels(p.Attributes, ""), p.Count)
	}
}

// labels writes attributes, and the bound of a bucket unless it is "".
func labels(set attribute.Set, bound string) string {
	var all []string
	for _, a := range set.ToSlice() {
		all = append(all, promName(string(a.Key))+`="`+escapeLabel(a.Value.String())+`"`)
	}
	if bound != "" {
		all = append(all, `le="`+bound+`"`)
	}
	if len(all) == 0 {
		return ""
	}
	return "{" + strings.Join(all, ",") + "}"
}

func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(strings.ToValidUTF8(s, "�"))
}

// promName puts _ in the place of what Prometheus has no use for in a name.
func promName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
