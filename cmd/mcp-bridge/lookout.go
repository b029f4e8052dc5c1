package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// flushTimeout is how long the last spans may take to be sent.
const flushTimeout = 5 * time.Second

// A lookout is what shows a serving process to its operator, apart from the log.
// Each part is nil where the config does not ask for it.
type lookout struct {
	admin   *admin
	tracing *sdktrace.TracerProvider
	audit   *audit
	tape    *tape
	log     *slog.Logger
	masked  *masked // what log writes to
}

// hide hides what another config says, beside what was hidden before.
func (l *lookout) hide(c *config) {
	l.masked.hide(c)
	l.tape.hide(c)
}

// lookout opens what the config asks for. Of the environment alone no mistake
// keeps the bridge from serving.
func (cmd *serveCommand) lookout(ctx context.Context, p *process, c *config) (*lookout, error) {
	masked := newMasked(p.err, c)
	log := p.logger(cmp.Or(c.Log.Level, "info"), masked)
	admin, err := c.listenAdmin(ctx)
	if err != nil {
		return nil, err
	}
	tracing, err := c.tracing(p.lookup, log)
	if err != nil {
		log.Warn("traces are not sent", "error", err.Error())
	}
	l := &lookout{admin: admin, tracing: tracing, log: log, masked: masked}
	l.audit, err = c.openAudit(log)
	if err == nil {
		l.tape, err = openTape(cmd.Trace, c, log)
	}
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// options adds to o what is to be looked at.
func (l *lookout) options(o core.Options) core.Options {
	if l.admin != nil { // nobody could ask without
		o.Metrics = l.admin.meter
	}
	if l.tracing != nil {
		o.Tracing = l.tracing
	}
	if l.audit != nil {
		o.Audit = l.audit.tell
	}
	return o
}

// reopen is for files that have been moved away. Where that fails, a reload can
// succeed all the same.
func (l *lookout) reopen() {
	if err := l.audit.reopen(); err != nil {
		l.log.Error("the audit goes on in the file that is open", "error", err.Error())
	}
}

// close is for when the bridge has been closed.
func (l *lookout) close() error {
	limit, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	var errs []error
	if l.tracing != nil {
		errs = append(errs, l.tracing.Shutdown(limit))
	}
	errs = append(errs, l.audit.close(), l.tape.close())
	l.admin.close()
	return errors.Join(errs...)
}
