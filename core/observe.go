package core

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A callLine becomes the one line that is logged for a call or read. It holds no
// arguments and nothing that a backend answered.
type callLine struct {
	bridge *Bridge
	since  time.Time
	attrs  []any
}

func (b *Bridge) begin(method, source string, r request) *callLine {
	l := &callLine{bridge: b, since: time.Now(), attrs: []any{"method", method, "source", source}}
	if r.caller.ID != "" {
		l.attrs = append(l.attrs, "caller", r.caller.ID)
	}
	if r.trace != "" {
		l.attrs = append(l.attrs, "trace", r.trace)
	}
	return l
}

func (l *callLine) tool(t *mapping.Tool) {
	l.attrs = append(l.attrs, "tool", t.Name, "key", t.Key)
}

func (l *callLine) path(path string) { l.attrs = append(l.attrs, "path", path) }

// end logs the answer of a call and passes it on; err is why it is a failure.
func (l *callLine) end(a *mapping.Answer, err error) *mapping.Answer {
	if err != nil {
		l.failed(err)
		return a
	}
	if a.Truncated {
		l.attrs = append(l.attrs, "truncated", true)
	}
	l.done()
	return a
}

func (l *callLine) asked() { l.write(slog.LevelInfo, "user asked") }

func (l *callLine) done() { l.write(slog.LevelInfo, "done") }

// failed logs a failure: one that an operator should look at as an error.
func (l *callLine) failed(err error) {
	level := slog.LevelInfo
	if mapping.CodeOf(err) == mapping.Internal {
		level = slog.LevelError
	}
	l.attrs = failure(err, l.attrs...)
	l.write(level, "failed")
}

func (l *callLine) write(level slog.Level, outcome string) {
	l.attrs = append(l.attrs, "outcome", outcome, "took", time.Since(l.since))
	l.bridge.log.Log(l.bridge.life, level, "call", l.attrs...)
}

// failure appends what an operator needs to know of an error: its code, its
// words, its cause and, for a panic, where it happened.
func failure(err error, attrs ...any) []any {
	attrs = append(attrs, "code", string(mapping.CodeOf(err)), "error", err.Error())
	var worded *mapping.Error
	if errors.As(err, &worded) && worded.Err != nil {
		attrs = append(attrs, "cause", worded.Err.Error())
	}
	var c *crash
	if errors.As(err, &c) {
		attrs = append(attrs, "stack", string(c.stack))
	}
	return attrs
}

// slogLevel translates an adapter's level.
func slogLevel(level string) slog.Level {
	switch level {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}

// quiet lowers what the SDK logs to the debug level: it tells of each connection,
// and a stateless request is one; what it calls errors are mistakes of clients.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return q.Handler.Enabled(ctx, slog.LevelDebug)
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
