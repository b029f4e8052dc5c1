package core

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"syscall"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// log writes the line of a call or read. It holds no arguments and nothing that
// a backend answered, at any level.
func (o *operation) log(level slog.Level, outcome string, more ...any) {
	if !o.bridge.log.Enabled(o.bridge.life, level) {
		return
	}
	e := &o.event
	line := []any{"method", e.Method, "source", e.Source}
	for _, a := range [...]struct{ name, value string }{
		{"tool", e.Tool}, {"key", e.Key}, {"resource", e.Resource}, {"caller", e.Caller}, {"trace", e.Trace},
	} {
		if a.value != "" {
			line = append(line, a.name, a.value)
		}
	}
	if e.Truncated {
		line = append(line, "truncated", true)
	}
	line = append(line, more...)
	line = append(line, "outcome", outcome, "took", time.Since(e.Time))
	o.bridge.log.Log(o.bridge.life, level, "call", line...)
}

// failure returns what the log says of a failed call: its code, what the system
// said and, for a panic, where it happened. Words of an adapter or of a backend
// may repeat arguments and answers, so they are there only where the embedder
// asked for them.
func (b *Bridge) failure(err error) []any {
	attrs := []any{"code", string(mapping.CodeOf(err))}
	if b.options.LogErrors {
		return failure(err, attrs[:0]...)
	}
	if text := systemSaid(err); text != "" {
		attrs = append(attrs, "cause", text)
	}
	if stack := stackOf(err); stack != nil {
		attrs = append(attrs, "stack", string(stack))
	}
	return attrs
}

// systemSaid returns the words of the network, the operating system, a
// database's SQLSTATE or the Go runtime in an error, which repeat no arguments,
// and of a fault at least the type.
func systemSaid(err error) string {
	var (
		network  *net.OpError
		number   syscall.Errno
		state    interface{ SQLState() string }
		panicked *crash
	)
	switch {
	case errors.As(err, &network):
		return network.Error()
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &state):
		return "SQLSTATE " + state.SQLState()
	case errors.As(err, &panicked):
		if e, ok := panicked.value.(runtime.Error); ok {
			return "panic: " + e.Error()
		}
		return fmt.Sprintf("a panic with a %T", panicked.value)
	}
	for _, e := range []error{context.DeadlineExceeded, context.Canceled, io.ErrUnexpectedEOF, io.EOF} {
		if errors.Is(err, e) {
			return e.Error()
		}
	}
	if mapping.CodeOf(err) != mapping.Internal {
		return "" // the code says it
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return fmt.Sprintf("a %T", err)
}

// failure appends what an operator needs to know of an error: its code, its
// words, its cause and, for a panic, where it happened.
func failure(err error, attrs ...any) []any {
	attrs = append(attrs, "code", string(mapping.CodeOf(err)), "error", err.Error())
	var worded *mapping.Error
	if errors.As(err, &worded) && worded.Err != nil {
		attrs = append(attrs, "cause", worded.Err.Error())
	}
	if stack := stackOf(err); stack != nil {
		attrs = append(attrs, "stack", string(stack))
	}
	return attrs
}

// stackOf returns where something panicked, if that is what an error is about: an
// adapter, or a program's own handler behind one.
func stackOf(err error) []byte {
	var panicked interface{ Stack() []byte }
	if !errors.As(err, &panicked) {
		return nil
	}
	return panicked.Stack()
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
