package core

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A gate lets a bounded number through at a time and a bounded number wait.
type gate struct {
	slots   chan struct{}
	waiting atomic.Int64
	full    string // what there is too much of, with %d for how many may pass
}

func newGate(concurrent int, full string) *gate {
	return &gate{slots: make(chan struct{}, concurrent), full: full}
}

// enter waits for a slot. The error is a *mapping.Error: the queue is full, or
// the deadline passed in it.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	queue := int64(cap(g.slots) * queuePerSlot)
	if g.waiting.Add(1) > queue {
		g.waiting.Add(-1)
		return g.busy(nil)
	}
	defer g.waiting.Add(-1)
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return g.busy(ctx.Err())
	}
}

func (g *gate) leave() { <-g.slots }

func (g *gate) busy(cause error) error {
	if errors.Is(cause, context.Canceled) {
		return &mapping.Error{Code: mapping.Canceled, Problem: "this was canceled", Err: cause}
	}
	return &mapping.Error{
		Code:       mapping.Exhausted,
		Problem:    fmt.Sprintf(g.full, cap(g.slots)),
		Next:       "wait a few seconds and send the same call again",
		RetryAfter: 2 * time.Second,
		Err:        cause,
	}
}

// A crash is a panic of an adapter, caught.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v", c.value) }

// Stack returns where it happened.
func (c *crash) Stack() []byte { return c.stack }

// caught runs f and turns a panic into a *crash.
func caught[T any](f func() (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &crash{p, debug.Stack()}
		}
	}()
	return f()
}

// lastWords is how long an adapter may go on after its context has ended, so
// that its own words about the deadline can still be told.
const lastWords = time.Second

// inTurn runs f, a use of the source's adapter by a caller, within the caller's
// bounds and the source's.
func inTurn[T any](ctx context.Context, b *Bridge, s *source, id string, f func(context.Context) (T, error)) (T, error) {
	var none T
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	leave, err := b.callers.enter(ctx, id)
	if err != nil {
		return none, err
	}
	return guarded(ctx, s, leave, f)
}

// guarded runs f, a use of the source's adapter, within the source's deadline
// and concurrency. When the deadline passes the caller gets its answer even if
// the adapter does not return: the slot stays taken until it does, and leave is
// called then.
func guarded[T any](ctx context.Context, s *source, leave func(), f func(context.Context) (T, error)) (T, error) {
	var none T
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	defer context.AfterFunc(s.bridge, cancel)()
	if err := s.gate.enter(ctx); err != nil {
		leave()
		return none, err
	}
	if !s.hold() {
		s.gate.leave()
		leave()
		return none, errReplaced()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer s.release()
		defer leave()
		defer s.gate.leave()
		begin := time.Now()
		value, err := caught(func() (T, error) { return f(ctx) })
		s.meters.worked(s.name, begin, err)
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, s.inWords(ctx, o.err)
	case <-ctx.Done():
	}
	patience := time.NewTimer(lastWords)
	defer patience.Stop()
	select {
	case o := <-done:
		return o.value, s.inWords(ctx, o.err)
	case <-patience.C:
		return none, s.inWords(ctx, ctx.Err())
	}
}

// inWords says what the end of a context means. A driver may wrap that in an
// error of its own, or not at all; a *mapping.Error says it better already.
func (s *source) inWords(ctx context.Context, err error) error {
	var worded *mapping.Error
	if err == nil || errors.As(err, &worded) {
		return err
	}
	ended := ctx.Err()
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(ended, context.DeadlineExceeded):
		return &mapping.Error{
			Code:    mapping.Timeout,
			Problem: fmt.Sprintf("this took longer than %s and was stopped", s.timeout),
			Next:    "ask for less, or try again later",
			Err:     err,
		}
	case errors.Is(err, context.Canceled) || ended != nil:
		return &mapping.Error{Code: mapping.Canceled, Problem: "this was canceled", Err: err}
	}
	return err
}

// errRetired is the cause of errReplaced.
var errRetired = errors.New("the source has been retired")

// errReplaced is for a call that found its source just before it was retired.
func errReplaced() error {
	return &mapping.Error{
		Code:    mapping.Unavailable,
		Problem: "this source has just been replaced",
		Next:    "list the tools again and send the call once more",
		Err:     errRetired,
	}
}

// onNewest runs f on the newest snapshot, and again where f has found its source
// retired because there is a newer one: no adapter has been asked then.
func onNewest[T any](ctx context.Context, b *Bridge, f func(*snapshot) (T, error)) (T, error) {
	for {
		snap, err := b.published(ctx)
		if err != nil {
			var none T
			return none, err
		}
		value, err := f(snap)
		if !b.outdated(snap, err) {
			return value, err
		}
	}
}

// outdated reports whether something failed only because of a newer snapshot.
func (b *Bridge) outdated(snap *snapshot, err error) bool {
	return errors.Is(err, errRetired) && b.current.Load() != snap
}
