package core

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// An operation is one request as it is seen from outside: a span, measurements,
// a log line and an [Event]. Of arguments and answers it knows sizes and codes.
// It belongs to the goroutine that answers the request.
type operation struct {
	bridge *Bridge
	span   trace.Span
	event  Event
	on     bool                 // somebody traces or measures: attrs and span matter
	attrs  []attribute.KeyValue // of the span and the duration
	failed bool                 // the result says that the tool failed
}

// operationKey is the context key of the operation that a request is.
type operationKey struct{}

// observe begins to look at a request; over ends that. A nil req is a program in
// this process.
func (b *Bridge) observe(ctx context.Context, method string, req mcp.Request) (context.Context, *operation) {
	o := &operation{bridge: b, on: b.meters.on || b.options.Tracing != nil, event: Event{Time: time.Now(), Method: method, Decision: Refused}}
	var link []trace.SpanStartOption
	if req != nil {
		ctx, link = withTrace(ctx, metaOf(req), req.GetExtra())
	}
	if o.on {
		o.attrs = append(make([]attribute.KeyValue, 0, 10), attrMethod.String(method))
		ctx, o.span = b.tracer.Start(ctx, method, append(link, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(o.event.Time))...)
		b.meters.active.Add(ctx, 1, metric.WithAttributes(o.attrs[0]))
	} else {
		o.span = trace.SpanFromContext(ctx) // the client's, which goes on to the adapter
	}
	if id := o.span.SpanContext().TraceID(); id.IsValid() {
		o.event.Trace = id.String()
	}
	if req != nil {
		o.came(req)
	}
	return context.WithValue(ctx, operationKey{}, o), o
}

// metaOf returns the _meta of a request, nil if it has none.
func metaOf(req mcp.Request) map[string]any {
	params := req.GetParams()
	if params == nil || reflect.ValueOf(params).IsNil() { // the SDK passes on a nil pointer where there are none
		return nil
	}
	return params.GetMeta()
}

// came notes how a request came and whom it is from.
func (o *operation) came(req mcp.Request) {
	extra := req.GetExtra()
	if extra != nil && extra.TokenInfo != nil {
		o.event.Caller = extra.TokenInfo.UserID
	}
	if o.on {
		o.cameBy(req, extra)
	}
	if o.bridge.options.Audit != nil {
		o.event.Client = clientOf(req)
		o.event.Tool, o.event.Arguments = askedFor(req)
	}
}

// cameBy notes the revision, the transport and the session.
func (o *operation) cameBy(req mcp.Request, extra *mcp.RequestExtra) {
	if r, ok := req.(interface{ ProtocolVersion() string }); ok && slices.Contains(mcp.SupportedProtocolVersions(), r.ProtocolVersion()) {
		o.attrs = append(o.attrs, attrRevision.String(r.ProtocolVersion()))
	}
	transport := "pipe"
	if extra != nil && extra.Header != nil {
		transport = "tcp"
	}
	o.attrs = append(o.attrs, attrTransport.String(transport))
	if s, ok := req.GetSession().(*mcp.ServerSession); ok && o.span.IsRecording() && s != nil && s.ID() != "" {
		o.span.SetAttributes(attrSession.String(s.ID()))
	}
}

// begin notes that a request is for something of a source and that its caller
// may ask for it. Without observe before, nobody looks.
func (b *Bridge) begin(ctx context.Context, source string) *operation {
	o, ok := ctx.Value(operationKey{}).(*operation)
	if !ok {
		_, o = b.observe(ctx, "", nil)
	}
	o.event.Source, o.event.Decision = source, Allowed
	o.named("", attrSource.String(source))
	return o
}

func (o *operation) tool(t *mapping.Tool) {
	o.event.Tool, o.event.Key = t.Name, t.Key
	o.named(t.Name, attrTool.String(t.Name), attrOperation.String("execute_tool"))
}

func (o *operation) resource(a *mapping.Address) {
	o.event.Resource = a.URI
	o.named(a.URI, attrResource.String(a.URI))
}

func (o *operation) prompt(name string) {
	o.named(name, attrPrompt.String(name))
}

// named notes what a request is about; name, unless it is "", names the span.
func (o *operation) named(name string, attrs ...attribute.KeyValue) {
	if !o.on {
		return
	}
	o.attrs = append(o.attrs, attrs...)
	if name != "" {
		o.span.SetName(o.event.Method + " " + name)
	}
}

// refused notes that a call was not let through, and why.
func (o *operation) refused(err error) error {
	o.event.Decision = Refused
	return err
}

// asked notes that a call has to wait for its user's word.
func (o *operation) asked() {
	o.event.Decision = Asked
	o.log(slog.LevelInfo, "user asked")
}

// answered notes the answer of a call and passes it on; err is why it is a
// failure.
func (o *operation) answered(a *mapping.Answer, err error) *mapping.Answer {
	if err != nil {
		o.failed = true
		o.fails(err)
		return a
	}
	o.event.Truncated = a.Truncated
	o.done(a.Blocks)
	return a
}

// done notes a success and the size of its answer.
func (o *operation) done(blocks []mapping.Block) {
	o.sized(blocks)
	o.log(slog.LevelInfo, "done")
}

// fails notes a failure: one that an operator should look at as an error.
func (o *operation) fails(err error) {
	o.event.Code = mapping.CodeOf(err)
	level := slog.LevelInfo
	if o.event.Code == mapping.Internal || stackOf(err) != nil {
		level = slog.LevelError
	}
	o.log(level, "failed", o.bridge.failure(err)...)
}

// over ends the operation. A request that is not answered with a result failed
// because of cause and is answered with told; a tool's failure is a result.
func (o *operation) over(cause, told error) {
	b := o.bridge
	o.event.Duration = time.Since(o.event.Time)
	var coded *jsonrpc.Error
	switch {
	case o.event.Code != "":
	case errors.As(cause, &coded) && coded.Code == jsonrpc.CodeInvalidParams:
		o.event.Code = mapping.NotFound // the SDK knows nothing of this name
	default:
		o.event.Code = mapping.CodeOf(cause)
	}
	if o.on {
		o.finish(told)
	}
	if b.options.Audit != nil && (o.event.Method == "tools/call" || o.event.Method == "resources/read") {
		b.options.Audit(o.event)
	}
}

// finish ends the span and measures.
func (o *operation) finish(told error) {
	var coded *jsonrpc.Error
	switch {
	case o.failed:
		o.attrs = append(o.attrs, attrError.String("tool_error"), attrCode.String(string(o.event.Code)))
	case errors.As(told, &coded):
		code := strconv.FormatInt(coded.Code, 10)
		o.attrs = append(o.attrs, attrError.String(code), attrStatus.String(code))
	case told != nil:
		o.attrs = append(o.attrs, attrError.String("_OTHER"))
	}
	if o.failed || told != nil {
		o.span.SetStatus(codes.Error, "") // the words may repeat arguments
	}
	o.span.SetAttributes(o.attrs...)
	o.span.End()
	o.bridge.meters.over(o)
}
