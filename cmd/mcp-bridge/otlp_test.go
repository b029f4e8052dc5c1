package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	collectortrace "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// A taker is a collector that keeps what it is sent.
type taker struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	header http.Header
	answer []int // statuses to come; afterwards 200
}

func newTaker(t *testing.T, answer ...int) *taker {
	c := &taker{answer: answer}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil || r.URL.Path != "/v1/traces" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		c.bodies = append(c.bodies, string(body))
		c.header = r.Header
		if len(c.answer) > 0 {
			w.WriteHeader(c.answer[0])
			c.answer = c.answer[1:]
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// spans decodes what came by the protocol's own types.
func (c *taker) spans(t *testing.T) []*tracepb.ResourceSpans {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*tracepb.ResourceSpans
	for _, body := range c.bodies {
		// OTLP's JSON has ids in hex, where protojson reads base64.
		body = regexp.MustCompile(`Id":"([0-9a-f]+)"`).ReplaceAllStringFunc(body, func(id string) string {
			raw, err := hex.DecodeString(strings.Trim(strings.TrimPrefix(id, `Id":"`), `"`))
			if err != nil {
				t.Fatal(err)
			}
			return `Id":"` + base64.StdEncoding.EncodeToString(raw) + `"`
		})
		var request collectortrace.ExportTraceServiceRequest
		if err := protojson.Unmarshal([]byte(body), &request); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		all = append(all, request.GetResourceSpans()...)
	}
	return all
}

func environ(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestSpansAreSent(t *testing.T) {
	to := newTaker(t, http.StatusServiceUnavailable)
	c := &config{Name: "acme"}
	provider, err := c.tracing(environ("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL+"/", "OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b, x-more=c"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	remote := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1, 2}, SpanID: trace.SpanID{3}, TraceFlags: trace.FlagsSampled, Remote: true})
	other := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{9}, SpanID: trace.SpanID{8}})
	ctx := trace.ContextWithRemoteSpanContext(t.Context(), remote)
	ctx, first := provider.Tracer("here", trace.WithInstrumentationVersion("1")).Start(ctx, "outer", trace.WithSpanKind(trace.SpanKindServer), trace.WithLinks(trace.Link{SpanContext: other}))
	first.SetAttributes(attribute.String("text", `"quoted" é`))
	first.SetStatus(codes.Error, "")
	_, second := provider.Tracer("there").Start(ctx, "inner", trace.WithSpanKind(trace.SpanKindClient))
	second.End()
	first.End()
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := to.spans(t)
	if len(all) != 2 { // the second try is the same again
		t.Fatalf("%d batches came, want 2: %v", len(all), all)
	}
	if got := to.header; got.Get("X-Key") != "a b" || got.Get("X-More") != "c" || got.Get("Content-Type") != "application/json" {
		t.Errorf("the headers are %v", got)
	}
	about := map[string]string{}
	for _, a := range all[1].GetResource().GetAttributes() {
		about[a.GetKey()] = a.GetValue().GetStringValue()
	}
	if about["service.name"] != "acme" || about["service.version"] == "" {
		t.Errorf("the resource is %v", about)
	}
	spans := map[string]*tracepb.Span{}
	for _, scope := range all[1].GetScopeSpans() {
		for _, s := range scope.GetSpans() {
			spans[scope.GetScope().GetName()+scope.GetScope().GetVersion()+" "+s.GetName()] = s
		}
	}
	outer, inner := spans["here1 outer"], spans["there inner"]
	if outer == nil || inner == nil {
		t.Fatalf("the spans are %v", spans)
	}
	if got := fmt.Sprintf("%x %x %s %s %d", outer.GetTraceId(), outer.GetParentSpanId(), outer.GetKind(), outer.GetStatus().GetCode(), outer.GetFlags()); got != "01020000000000000000000000000000 0300000000000000 SPAN_KIND_SERVER STATUS_CODE_ERROR 769" {
		t.Errorf("outer is %s", got)
	}
	if a := outer.GetAttributes(); len(a) != 1 || a[0].GetKey() != "text" || a[0].GetValue().GetStringValue() != `"quoted" é` {
		t.Errorf("outer has %v", a)
	}
	if l := outer.GetLinks(); len(l) != 1 || l[0].GetTraceId()[0] != 9 || l[0].GetSpanId()[0] != 8 {
		t.Errorf("outer links to %v", l)
	}
	if inner.GetKind() != tracepb.Span_SPAN_KIND_CLIENT || string(inner.GetParentSpanId()) != string(outer.GetSpanId()) || inner.GetFlags() != 0x101 {
		t.Errorf("inner is %v", inner)
	}
	if outer.GetStartTimeUnixNano() == 0 || outer.GetEndTimeUnixNano() < inner.GetEndTimeUnixNano() {
		t.Errorf("outer lasts from %d to %d", outer.GetStartTimeUnixNano(), outer.GetEndTimeUnixNano())
	}
}

// A collector that is away is said once, and nobody waits for it.
func TestSpansAreLost(t *testing.T) {
	away := newTaker(t, 400, 400)
	var log strings.Builder
	c := &config{Telemetry: telemetryConfig{Traces: away.URL, Sample: 100}}
	provider, err := c.tracing(environ(), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, span := provider.Tracer("here").Start(context.Background(), "x")
		span.End()
		if err := provider.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := log.String(); strings.Count(got, "spans are lost") != 1 || strings.Count(got, "spans are taken again") != 1 || strings.Contains(got, away.URL) {
		t.Errorf("the log says %s", got)
	}
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestCollector(t *testing.T) {
	for _, c := range []struct {
		env    []string
		config telemetryConfig
		url    string // "" is none
		err    string
	}{
		{nil, telemetryConfig{}, "", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318"}, telemetryConfig{}, "http://c:4318/v1/traces", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318/otlp/"}, telemetryConfig{}, "http://c:4318/otlp/v1/traces", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://d/take"}, telemetryConfig{}, "http://d/take", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318", "OTEL_SDK_DISABLED", "true"}, telemetryConfig{}, "", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318", "OTEL_TRACES_EXPORTER", "none"}, telemetryConfig{}, "", ""},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, telemetryConfig{}, "", "over HTTP only"},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "c:4318"}, telemetryConfig{}, "", "not an address"},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318"}, telemetryConfig{Traces: "https://e"}, "https://e/v1/traces", ""},
	} {
		got, err := (&config{Telemetry: c.config}).collector(environ(c.env...))
		url := ""
		if got != nil {
			url = got.url
		}
		if url != c.url || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v %v sends to %q, %v; want %q, %q", c.env, c.config, url, err, c.url, c.err)
		}
	}
}
