package core

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// newTracer makes what makes spans; without a provider they are nothing but what
// a client sent.
func newTracer(p trace.TracerProvider, version string) trace.Tracer {
	if p == nil {
		p = noop.NewTracerProvider()
	}
	return p.Tracer(scope, trace.WithInstrumentationVersion(version))
}

// withTrace returns a context that carries the trace which a request belongs to:
// the one in its _meta, else the one that ctx has already, else the one in its
// HTTP headers. Where the first stands in place of the second, link leads there.
func withTrace(ctx context.Context, meta map[string]any, extra *mcp.RequestExtra) (_ context.Context, link []trace.SpanStartOption) {
	here := trace.SpanContextFromContext(ctx)
	said := propagation.MapCarrier{}
	for _, name := range (propagation.TraceContext{}).Fields() {
		if text, ok := meta[name].(string); ok {
			said[name] = text
		}
	}
	client := propagation.TraceContext{}.Extract(ctx, said) // ctx itself, if nothing valid was said
	switch {
	case !trace.SpanContextFromContext(client).Equal(here):
		if here.IsValid() {
			link = []trace.SpanStartOption{trace.WithLinks(trace.Link{SpanContext: here})}
		}
		return client, link
	case !here.IsValid() && extra != nil && extra.Header != nil:
		return propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(extra.Header)), nil
	}
	return ctx, nil
}

// traceparent returns the W3C traceparent of the span in ctx, "" if it has none.
func traceparent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	header := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, header)
	return header["traceparent"]
}
