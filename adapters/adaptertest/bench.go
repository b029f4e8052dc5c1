package adaptertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A bench holds one subject while one row checks it. Its methods may run at the
// same time.
type bench struct {
	ctx     context.Context // of the row
	h       Harness
	subject *Subject
	skipped string // why the row could not be checked
	quiet   bool   // another row notes what hangs or panics
	listens bool   // everything that comes out is kept in heard

	mu    sync.Mutex
	saw   []string // what was wrong
	heard []output // everything that came out of the adapter
	late  []string // calls that reported progress after their end
	hung  bool     // a question is still open
}

// An output is one text that came out of an adapter, and where. Some are for the
// operator alone.
type output struct {
	where, text string
	operator    bool
}

// An answer is what came of one question.
type answer struct {
	what   string // the question, for messages
	result *mapping.Result
	err    error
	broken bool // it hung or panicked; the bench has noted it
}

func (b *bench) open() error {
	subject, err := b.h.Open(b.ctx)
	if err != nil {
		return err
	}
	if subject == nil || subject.Adapter == nil {
		//lint:ignore ST1005 Open is a function
		return errors.New("Open returned no adapter")
	}
	b.subject = subject
	return nil
}

// close closes the subject, unless it still hangs in a question.
func (b *bench) close() {
	if b.hung {
		return
	}
	b.ask(b.ctx, "Close", func(context.Context) (*mapping.Result, error) {
		return nil, b.subject.Adapter.Close()
	})
}

// note adds to what is wrong, once.
func (b *bench) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.saw, text) {
		b.saw = append(b.saw, text)
	}
}

// noteBroken notes what hangs or panics.
func (b *bench) noteBroken(format string, args ...any) {
	if !b.quiet {
		b.note(format, args...)
	}
}

// seen returns the first things that are wrong; more of them teach nothing new.
func (b *bench) seen() []string {
	const most = 8
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.saw) - most; n > 0 {
		return append(b.saw[:most:most], fmt.Sprintf("%d more", n))
	}
	return b.saw
}

// skip says why the row cannot be checked.
func (b *bench) skip(why string) { b.skipped = why }

func (b *bench) hear(where, text string) { b.keep(output{where, text, false}) }

// overhear keeps what only an operator gets to see.
func (b *bench) overhear(where, text string) { b.keep(output{where, text, true}) }

func (b *bench) keep(o output) {
	if !b.listens {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, o)
}

// ask runs one method of the adapter, notes if it panics or does not return, and
// keeps what comes out.
func (b *bench) ask(ctx context.Context, what string, do func(context.Context) (*mapping.Result, error)) answer {
	ctx, cancel := context.WithTimeout(ctx, b.h.patience())
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		a := answer{what: what}
		defer func() {
			if p := recover(); p != nil {
				b.noteBroken("%s panicked: %v", what, p)
				a.broken = true
			}
			done <- a
		}()
		a.result, a.err = do(ctx)
	}()
	timer := time.NewTimer(2 * b.h.patience())
	defer timer.Stop()
	select {
	case a := <-done:
		if b.listens {
			b.hear(what, contentOf(a.result))
			b.hearError(what, a.err)
		}
		return a
	case <-timer.C:
		b.noteBroken("%s has not returned %s after its context ended", what, b.h.patience())
		b.mu.Lock()
		b.hung = true
		b.mu.Unlock()
		return answer{what: what, broken: true}
	}
}

// hearError keeps the sentences of an error, which a model sees, and its causes,
// which reach a log.
func (b *bench) hearError(what string, err error) {
	if err == nil {
		return
	}
	what = "the error of " + what
	var e *mapping.Error
	if errors.As(err, &e) {
		b.hear(what, e.Error()+"\n"+e.Detail)
	}
	b.overhearCauses(what, err)
}

func (b *bench) overhearCauses(what string, err error) {
	if err == nil {
		return
	}
	b.overhear(what, err.Error())
	switch e := err.(type) { //nolint:errorlint // causes are heard by themselves
	case interface{ Unwrap() error }:
		b.overhearCauses("a cause of "+what, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			b.overhearCauses("a cause of "+what, cause)
		}
	}
}

// call makes one call. Where c leaves them out, the limits are those that core
// sets by default.
func (b *bench) call(ctx context.Context, c mapping.Call) answer {
	what := fmt.Sprintf("Call %q%s", c.Key, argsOf(c))
	var over atomic.Bool
	c.Budget = cmp.Or(c.Budget, 60_000)
	c.MaxBytes = cmp.Or(c.MaxBytes, 16<<20)
	c.Progress = func(_, _ float64, note string) {
		b.hear("progress of "+what, note)
		if over.Load() {
			b.mu.Lock()
			b.late = append(b.late, what)
			b.mu.Unlock()
		}
	}
	c.Log = func(_, message string) { b.hear("a log line of "+what, message) }
	return b.ask(ctx, what, func(ctx context.Context) (*mapping.Result, error) {
		defer over.Store(true)
		return b.subject.Adapter.Call(ctx, c)
	})
}

// read makes one read, with limits as for call.
func (b *bench) read(ctx context.Context, r mapping.Read) answer {
	what := fmt.Sprintf("Read %q", r.Path)
	if len(r.Vars) > 0 {
		what += excerpt(fmt.Sprintf(" %q", r.Vars))
	}
	r.Budget = cmp.Or(r.Budget, 60_000)
	r.MaxBytes = cmp.Or(r.MaxBytes, 16<<20)
	r.Log = func(_, message string) { b.hear("a log line of "+what, message) }
	return b.ask(ctx, what, func(ctx context.Context) (*mapping.Result, error) {
		return b.subject.Adapter.Read(ctx, r)
	})
}

// argsOf shows the arguments of a call.
func argsOf(c mapping.Call) string {
	text := ""
	for _, a := range c.Args {
		text += fmt.Sprintf(" %s=%s", a.Name, a.Value)
	}
	if c.Body != nil {
		text += fmt.Sprintf(" body %s", c.Body)
	}
	if text == "" {
		return ""
	}
	return " " + excerpt(text)
}

// hold notes what is wrong with an answer.
func (b *bench) hold(a answer, want Want) {
	if a.broken {
		return
	}
	if err := want(a.result, a.err); err != nil {
		b.note("%s %v", a.what, err)
	}
}
