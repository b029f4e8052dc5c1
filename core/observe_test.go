package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// spans keeps what ends.
func spans(t *testing.T) (*tracetest.SpanRecorder, trace.TracerProvider) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	t.Cleanup(func() { provider.Shutdown(context.Background()) })
	return recorder, provider
}

// say sends one request over HTTP. A header is given as "Name: value".
func say(t *testing.T, url, method, name, params string, header ...string) {
	t.Helper()
	p := post{header: modernHeader(method, name), body: modernBody(method, params)}
	for _, line := range header {
		key, value, _ := strings.Cut(line, ": ")
		p.header[key] = value
	}
	p.send(t, url)
}

// The names and attributes are those of OpenTelemetry's conventions for MCP.
func TestSpans(t *testing.T) {
	recorder, provider := spans(t)
	b := newBridge(t, core.Options{Tracing: provider}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	for _, c := range []struct {
		method, name, params string
		span                 string
		status               string
		attributes           map[string]string
	}{
		{"tools/list", "", "", "tools/list", "Unset", map[string]string{}},
		{"tools/call", "echo", `"name":"echo","arguments":{"s":"hush"}`, "tools/call echo", "Unset",
			map[string]string{"gen_ai.tool.name": "echo", "gen_ai.operation.name": "execute_tool", "mcpbridge.source": "odd"}},
		{"tools/call", "echo", `"name":"echo","arguments":{"n":"hush"}`, "tools/call echo", "Error",
			map[string]string{"gen_ai.tool.name": "echo", "gen_ai.operation.name": "execute_tool", "mcpbridge.source": "odd", "error.type": "tool_error", "mcpbridge.code": "invalid"}},
		{"tools/call", "hush", `"name":"hush"`, "tools/call", "Error",
			map[string]string{"error.type": "-32602", "rpc.response.status_code": "-32602"}},
		{"prompts/get", "greet", `"name":"greet","arguments":{"who":"hush"}`, "prompts/get greet", "Unset",
			map[string]string{"gen_ai.prompt.name": "greet", "mcpbridge.source": "odd"}},
		{"resources/read", "odd://odd/things/hush", `"uri":"odd://odd/things/hush"`, "resources/read odd://odd/things/{name}", "Error",
			map[string]string{"mcpbridge.resource": "odd://odd/things/{name}", "mcpbridge.source": "odd", "error.type": "-32602", "rpc.response.status_code": "-32602"}},
	} {
		before := len(recorder.Ended())
		say(t, server.URL, c.method, c.name, c.params)
		ended := recorder.Ended()[before:]
		if len(ended) != 1 {
			t.Errorf("%s %s made %d spans", c.method, c.name, len(ended))
			continue
		}
		got := ended[0]
		c.attributes["mcp.method.name"] = c.method
		c.attributes["mcp.protocol.version"] = "2026-07-28"
		c.attributes["network.transport"] = "tcp"
		attributes := map[string]string{}
		for _, a := range got.Attributes() {
			attributes[string(a.Key)] = a.Value.String()
		}
		if got.Name() != c.span || got.SpanKind() != trace.SpanKindServer || got.Status().Code.String() != c.status || fmt.Sprint(attributes) != fmt.Sprint(c.attributes) {
			t.Errorf("%s %s made the span %q, %s %s, with\n%v, want %q, %s, with\n%v", c.method, c.name, got.Name(), got.SpanKind(), got.Status().Code, attributes, c.span, c.status, c.attributes)
		}
		if text := fmt.Sprint(got); strings.Contains(text, "hush") {
			t.Errorf("%s %s: an argument is in the span: %s", c.method, c.name, text)
		}
	}
}

const (
	traceInMeta   = "0af7651916cd43dd8448eb211c80319c"
	traceInHeader = "4bf92f3577b34da6a3ce929d0e0e4736"
	parent        = "b7ad6b7169203331"
)

func traceparent(id string) string { return "00-" + id + "-" + parent + "-01" }

// An adapter is told of the trace that the call belongs to: the one in _meta
// before the one in the header.
func TestTraceReachesTheAdapter(t *testing.T) {
	recorder, provider := spans(t)
	inMeta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"traceparent":%q}`, traceparent(traceInMeta))
	for _, c := range []struct {
		name, params string
		header       []string
		trace        string // "" is a new one, or none
	}{
		{"nothing said", "", nil, ""},
		{"in the header", "", []string{"Traceparent: " + traceparent(traceInHeader)}, traceInHeader},
		{"in _meta", inMeta, nil, traceInMeta},
		{"in both", inMeta, []string{"Traceparent: " + traceparent(traceInHeader)}, traceInMeta},
		{"nonsense", "", []string{"Traceparent: 00-0000-01"}, ""},
	} {
		for _, tracing := range []trace.TracerProvider{nil, provider} {
			told := make(chan string, 1)
			b := newBridge(t, core.Options{Tracing: tracing}, core.Sources{"one": onOne(func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
				told <- c.Trace
				return nil, nil
			})})
			server := httptest.NewServer(b.Handler())
			p := post{header: modernHeader("tools/call", "do"), body: modernBody("tools/call", `"name":"do"`)}
			if c.params != "" {
				p.body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"do",` + c.params + `}}`
			}
			for _, line := range c.header {
				key, value, _ := strings.Cut(line, ": ")
				p.header[key] = value
			}
			p.send(t, server.URL)
			got := <-told
			server.Close()
			switch {
			case tracing == nil && c.trace == "":
				if got != "" {
					t.Errorf("%s: the adapter is told of trace %q", c.name, got)
				}
			case tracing == nil:
				if got != traceparent(c.trace) {
					t.Errorf("%s: the adapter is told of trace %q, want %q", c.name, got, traceparent(c.trace))
				}
			default:
				ended := recorder.Ended()
				span := ended[len(ended)-1]
				want := fmt.Sprintf("00-%s-%s-01", span.SpanContext().TraceID(), span.SpanContext().SpanID())
				if got != want || c.trace != "" && (span.SpanContext().TraceID().String() != c.trace || span.Parent().SpanID().String() != parent) {
					t.Errorf("%s: the adapter is told of trace %q, want %q below %s", c.name, got, want, c.trace)
				}
			}
		}
	}
}

// A program's own span is the parent of what it calls.
func TestSpanAroundACall(t *testing.T) {
	recorder, provider := spans(t)
	b := newBridge(t, core.Options{Tracing: provider}, core.Sources{"odd": oddities()})
	ctx, around := provider.Tracer("test").Start(t.Context(), "around")
	if _, err := b.CallTool(ctx, "echo", nil); err != nil {
		t.Fatal(err)
	}
	around.End()
	span := recorder.Ended()[0]
	if span.Parent().SpanID() != around.SpanContext().SpanID() {
		t.Errorf("the span's parent is %v, want %v", span.Parent().SpanID(), around.SpanContext().SpanID())
	}
}

// measured returns everything that a reader reads, by name.
func measured(t *testing.T, reader metric.Reader) map[string]metricdata.Aggregation {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	got := map[string]metricdata.Aggregation{}
	for _, of := range all.ScopeMetrics {
		for _, m := range of.Metrics {
			got[m.Name] = m.Data
		}
	}
	return got
}

func TestMetrics(t *testing.T) {
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	defer provider.Shutdown(context.Background())
	b := newBridge(t, core.Options{Metrics: provider}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	say(t, server.URL, "tools/call", "echo", `"name":"echo","arguments":{"s":"hush"}`)
	say(t, server.URL, "tools/call", "echo", `"name":"echo","arguments":{"s":"hush"}`)
	say(t, server.URL, "tools/call", "fails", `"name":"fails"`)
	say(t, server.URL, "tools/call", "hush", `"name":"hush"`)
	say(t, server.URL, "resources/read", "odd://odd/things/hush", `"uri":"odd://odd/things/hush"`)
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := measured(t, reader)
	if text := fmt.Sprint(got); strings.Contains(text, "hush") {
		t.Errorf("an argument or a name of the client's is in the metrics: %s", text)
	}
	duration, _ := got["mcp.server.operation.duration"].(metricdata.Histogram[float64])
	counts := map[string]uint64{}
	for _, p := range duration.DataPoints {
		if want := []float64{.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 120, 300}; !slices.Equal(p.Bounds, want) {
			t.Errorf("buckets %v, want %v", p.Bounds, want)
		}
		tool, _ := p.Attributes.Value("gen_ai.tool.name")
		failed, _ := p.Attributes.Value("error.type")
		method, _ := p.Attributes.Value("mcp.method.name")
		counts[fmt.Sprint(method.AsString(), " ", tool.AsString(), " ", failed.AsString())] += p.Count
	}
	want := map[string]uint64{"tools/call echo ": 2, "tools/call fails tool_error": 1, "tools/call  -32602": 1, "resources/read  -32602": 1}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("operations %v, want %v", counts, want)
	}
	backend, _ := got["mcpbridge.backend.duration"].(metricdata.Histogram[float64])
	uses := uint64(0)
	for _, p := range backend.DataPoints {
		uses += p.Count
	}
	if uses != 4 {
		t.Errorf("the adapter was used %d times, want 4", uses)
	}
	active, _ := got["mcpbridge.requests.active"].(metricdata.Sum[int64])
	for _, p := range active.DataPoints {
		if p.Value != 0 {
			t.Errorf("%d requests are under way of %v", p.Value, p.Attributes)
		}
	}
	up, _ := got["mcpbridge.source.up"].(metricdata.Gauge[int64])
	if len(up.DataPoints) != 1 || up.DataPoints[0].Value != 1 {
		t.Errorf("up is %v", up)
	}
}

// audits keeps events.
type audits struct {
	mu  sync.Mutex
	all []core.Event
}

func (a *audits) tell(e core.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, e)
}

func TestAudit(t *testing.T) {
	asked := mapping.Rules{Confirm: []string{"name:fails"}}
	told := &audits{}
	b := newBridge(t, core.Options{Audit: told.tell, Rules: asked}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	for _, c := range []struct {
		method, name, params string
		want                 core.Event
	}{
		// The hashes are sha256sum's.
		{"tools/call", "echo", `"name":"echo","arguments":{"s":"hush", "n":1}`,
			core.Event{Source: "odd", Tool: "echo", Key: "echo", Decision: core.Allowed, Arguments: "0e32a86b48c444fed6d856cf7a463ca4f23df25bce4ad5d42ac825ae724a82f7"}},
		{"tools/call", "echo", `"name":"echo","arguments":{"m":"hush"}`,
			core.Event{Source: "odd", Tool: "echo", Key: "echo", Decision: core.Refused, Code: mapping.Invalid}},
		{"tools/call", "fails", `"name":"fails"`,
			core.Event{Source: "odd", Tool: "fails", Key: "fails", Decision: core.Refused, Code: mapping.Denied, Arguments: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}},
		{"tools/call", "nobody", `"name":"nobody"`,
			core.Event{Tool: "nobody", Decision: core.Refused, Code: mapping.NotFound}},
		{"resources/read", "odd://odd/things/hush", `"uri":"odd://odd/things/hush"`,
			core.Event{Source: "odd", Resource: "odd://odd/things/{name}", Decision: core.Allowed, Code: mapping.NotFound}},
		{"resources/read", "odd://odd/hush", `"uri":"odd://odd/hush"`,
			core.Event{Decision: core.Refused, Code: mapping.NotFound}},
	} {
		told.all = nil
		say(t, server.URL, c.method, c.name, c.params)
		if len(told.all) != 1 {
			t.Errorf("%s %s was told %d times", c.method, c.name, len(told.all))
			continue
		}
		got := told.all[0]
		if got.Time.IsZero() || got.Duration <= 0 || got.Method != c.method || len(got.Arguments) != 64 {
			t.Errorf("%s %s was told as %+v", c.method, c.name, got)
		}
		text, err := json.Marshal(got)
		if err != nil || strings.Contains(string(text), "hush") {
			t.Errorf("%s %s was told with its arguments: %s", c.method, c.name, text)
		}
		if c.want.Arguments != "" && got.Arguments != c.want.Arguments {
			t.Errorf("%s %s: the arguments' hash is %s, want %s", c.method, c.name, got.Arguments, c.want.Arguments)
		}
		got.Time, got.Duration, got.Method, got.Arguments, c.want.Arguments = c.want.Time, 0, "", "", ""
		if got != c.want {
			t.Errorf("%s %s was told as\n%+v, want\n%+v", c.method, c.name, got, c.want)
		}
	}
}

// A session says once who its client is.
func TestAuditNamesTheClient(t *testing.T) {
	told := &audits{}
	b := newBridge(t, core.Options{Audit: told.tell}, core.Sources{"odd": oddities()})
	p := startPipe(t, b)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"Desk\u0000top","version":"2.1"}}}`)
	p.next()
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}`)
	p.next()
	p.end()
	if len(told.all) != 1 || told.all[0].Client != "Desktop 2.1" {
		t.Errorf("told %+v, want one event of the client Desktop 2.1", told.all)
	}
}
