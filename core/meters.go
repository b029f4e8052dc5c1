package core

import (
	"context"
	"errors"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// scope names what makes the spans and metrics.
const scope = "github.com/mcp-bridge/mcp-bridge/core"

// The attributes of spans and metrics. Those without mcpbridge in front are from
// OpenTelemetry's semantic conventions for MCP.
const (
	attrMethod    = attribute.Key("mcp.method.name")
	attrTool      = attribute.Key("gen_ai.tool.name")
	attrOperation = attribute.Key("gen_ai.operation.name")
	attrPrompt    = attribute.Key("gen_ai.prompt.name")
	attrRevision  = attribute.Key("mcp.protocol.version")
	attrSession   = attribute.Key("mcp.session.id")
	attrTransport = attribute.Key("network.transport")
	attrError     = attribute.Key("error.type")
	attrStatus    = attribute.Key("rpc.response.status_code")
	attrSource    = attribute.Key("mcpbridge.source")
	attrResource  = attribute.Key("mcpbridge.resource")
	attrCode      = attribute.Key("mcpbridge.code")
	attrOutcome   = attribute.Key("mcpbridge.outcome")
)

// meters are what a bridge measures. Nothing of them depends on what a client
// sends or a backend answers, so their number is bounded by what is published.
type meters struct {
	on        bool
	duration  metric.Float64Histogram
	session   metric.Float64Histogram
	active    metric.Int64UpDownCounter
	backend   metric.Float64Histogram
	bytes     metric.Int64Histogram
	truncated metric.Int64Counter
	reloads   metric.Int64Counter
}

// seconds are the conventions' buckets.
func seconds() metric.HistogramOption {
	return metric.WithExplicitBucketBoundaries(.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 120, 300)
}

func newMeters(p metric.MeterProvider, version string) (*meters, metric.Meter, error) {
	m := &meters{on: p != nil}
	if p == nil {
		p = noop.NewMeterProvider()
	}
	meter := p.Meter(scope, metric.WithInstrumentationVersion(version))
	var errs [7]error
	m.duration, errs[0] = meter.Float64Histogram("mcp.server.operation.duration", metric.WithUnit("s"), seconds(),
		metric.WithDescription("How long requests took, from their arrival to their answer."))
	m.session, errs[1] = meter.Float64Histogram("mcp.server.session.duration", metric.WithUnit("s"), seconds(),
		metric.WithDescription("How long sessions lasted. Requests of 2026-07-28 and later have none."))
	m.active, errs[2] = meter.Int64UpDownCounter("mcpbridge.requests.active", metric.WithUnit("{request}"),
		metric.WithDescription("Requests under way; subscriptions/listen are the open streams."))
	m.backend, errs[3] = meter.Float64Histogram("mcpbridge.backend.duration", metric.WithUnit("s"), seconds(),
		metric.WithDescription("How long a source's adapter worked on a call, a read or a completion, without the time in the queue."))
	m.bytes, errs[4] = meter.Int64Histogram("mcpbridge.result.size", metric.WithUnit("By"),
		metric.WithExplicitBucketBoundaries(256, 1<<10, 4<<10, 16<<10, 64<<10, 256<<10, 1<<20, 4<<20, 16<<20),
		metric.WithDescription("Bytes of text and data in the answers of calls and reads."))
	m.truncated, errs[5] = meter.Int64Counter("mcpbridge.result.truncated", metric.WithUnit("{result}"),
		metric.WithDescription("Answers that were cut to their budget."))
	m.reloads, errs[6] = meter.Int64Counter("mcpbridge.reload", metric.WithUnit("{reload}"),
		metric.WithDescription("Reloads of sources; a failed one changes nothing."))
	return m, meter, errors.Join(errs[:]...)
}

// watchSources measures what is now, whenever it is asked for.
func (b *Bridge) watchSources(meter metric.Meter) (metric.Registration, error) {
	var errs [4]error
	gauge := func(i int, name, unit, text string) (g metric.Int64ObservableGauge) {
		g, errs[i] = meter.Int64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(text))
		return g
	}
	sessions := gauge(0, "mcpbridge.sessions", "{session}", "Open HTTP sessions, which revisions before 2026-07-28 have.")
	up := gauge(1, "mcpbridge.source.up", "{source}", "1 if the source is served, 0 if it is not.")
	busy := gauge(2, "mcpbridge.source.busy", "{call}", "Calls, reads and completions that the source works on.")
	waiting := gauge(3, "mcpbridge.source.waiting", "{call}", "Calls, reads and completions that wait for their turn.")
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		o.ObserveInt64(sessions, int64(b.openSessions()))
		b.mu.Lock()
		defer b.mu.Unlock()
		for name, s := range b.sources {
			of := metric.WithAttributes(attrSource.String(name))
			served := int64(0)
			if s.state.catalog != nil {
				served = 1
			}
			o.ObserveInt64(up, served, of)
			o.ObserveInt64(busy, int64(len(s.gate.slots)), of)
			o.ObserveInt64(waiting, s.gate.waiting.Load(), of)
		}
		return nil
	}, sessions, up, busy, waiting)
}

// worked measures one use of an adapter.
func (m *meters) worked(source string, since time.Time, err error) {
	if !m.on {
		return
	}
	of := []attribute.KeyValue{attrSource.String(source)}
	if err != nil {
		of = append(of, attrError.String(string(mapping.CodeOf(err))))
	}
	m.backend.Record(context.Background(), time.Since(since).Seconds(), metric.WithAttributes(of...))
}

// reloaded counts one reload and passes its error on.
func (m *meters) reloaded(err error) error {
	outcome := "done"
	if err != nil {
		outcome = "failed"
	}
	m.reloads.Add(context.Background(), 1, metric.WithAttributes(attrOutcome.String(outcome)))
	return err
}

// over measures a request that has been answered.
func (m *meters) over(o *operation) {
	if !m.on {
		return
	}
	ctx := context.Background()
	m.active.Add(ctx, -1, metric.WithAttributes(o.attrs[0]))
	m.duration.Record(ctx, o.event.Duration.Seconds(), metric.WithAttributes(o.attrs...))
}

// sized measures the answer of a call or read.
func (o *operation) sized(blocks []mapping.Block) {
	m := o.bridge.meters
	if !m.on {
		return
	}
	size := 0
	for _, b := range blocks {
		size += len(b.Text) + len(b.Data)
	}
	of := metric.WithAttributes(attrSource.String(o.event.Source))
	m.bytes.Record(context.Background(), int64(size), of)
	if o.event.Truncated {
		m.truncated.Add(context.Background(), 1, of)
	}
}

// lasted measures a session that has ended.
func (m *meters) lasted(since time.Time) {
	m.session.Record(context.Background(), time.Since(since).Seconds())
}
