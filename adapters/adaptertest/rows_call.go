package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// callRows are about its calls.
func callRows() []row {
	return []row{
		{"call/known",
			"this is what the adapter is for",
			(*bench).callKnown},
		{"call/unknown",
			"a client may call what an earlier catalog offered; it must learn that it is gone",
			(*bench).callUnknown},
		{"call/missing",
			"not_found is how a model learns that it has a wrong id, instead of trying again",
			(*bench).callMissing},
		{"call/canceled",
			"a user who gave up must not wait, nor pay for what the backend goes on doing",
			(*bench).callCanceled},
		{"call/deadline",
			"a slow backend must cost a model its time limit and no more",
			(*bench).callDeadline},
		{"call/max-bytes",
			"one huge answer must not take the memory of everybody else",
			(*bench).callMaxBytes},
		{"call/budget",
			"an answer cut short in silence makes a model believe that it has seen everything",
			(*bench).callBudget},
		{"call/next",
			"a model follows Next without looking; one that goes in circles never ends",
			(*bench).callNext},
		{"call/progress",
			"progress that comes late reaches a client that has forgotten what it was about",
			(*bench).callProgress},
		{"call/hostile",
			"models send anything; what the adapter cannot use is an error in words, not a crash",
			(*bench).callHostile},
	}
}

func (b *bench) callKnown() {
	if b.catalog() == nil {
		return
	}
	for _, k := range b.h.Calls {
		b.hold(b.call(b.ctx, k.Call), k.Want)
	}
	if len(b.h.Calls) == 0 || len(b.working()) == 0 {
		b.note("no known call is of an operation that reads and works; the harness needs one")
	}
}

// working returns the known calls of operations that read and do not fail on a
// fresh backend.
func (b *bench) working() []KnownCall {
	var works []KnownCall
	for _, k := range b.reading() {
		if a := b.call(b.ctx, k.Call); !a.broken && a.err == nil {
			works = append(works, k)
		}
	}
	return works
}

const unknown = "no-such-thing-in-this-catalog"

func (b *bench) callUnknown() {
	if b.catalog() == nil {
		return
	}
	for _, key := range []string{unknown, ""} {
		b.gone(b.call(b.ctx, mapping.Call{Key: key}))
	}
}

// gone wants the failure of something that does not exist.
func (b *bench) gone(a answer) {
	if a.broken {
		return
	}
	switch code := mapping.CodeOf(a.err); code {
	case mapping.NotFound, mapping.Invalid:
	case "":
		b.note("%s worked and answered %s", a.what, excerpt(contentOf(a.result)))
	default:
		b.note("%s failed with %s, want code %s or %s", a.what, words(a.err), mapping.NotFound, mapping.Invalid)
	}
}

func (b *bench) callMissing() {
	if len(b.h.MissingCalls) == 0 {
		b.skip("the harness has no MissingCalls")
		return
	}
	for _, c := range b.h.MissingCalls {
		b.hold(b.call(b.ctx, c), Fails(mapping.NotFound))
	}
}

// soon is how long a call is left alone before it is cancelled, or its deadline
// passes. A call that has not begun by then is cancelled early, which is as good
// a test.
const soon = 20 * time.Millisecond

func (b *bench) callCanceled() {
	if b.catalog() == nil {
		return
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	for _, k := range b.reading() {
		b.stopped(b.call(ctx, k.Call), mapping.Canceled, context.Canceled)
	}
	if b.h.Slow == nil {
		return
	}
	ctx, cancel = context.WithCancel(b.ctx)
	defer cancel()
	time.AfterFunc(soon, cancel)
	b.stopped(b.call(ctx, *b.h.Slow), mapping.Canceled, context.Canceled)
}

func (b *bench) callDeadline() {
	if b.catalog() == nil {
		return
	}
	past, cancel := context.WithDeadline(b.ctx, time.Unix(0, 0))
	defer cancel()
	for _, k := range b.reading() {
		b.stopped(b.call(past, k.Call), mapping.Timeout, context.DeadlineExceeded)
	}
	if b.h.Slow == nil {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, soon)
	defer cancel()
	b.stopped(b.call(ctx, *b.h.Slow), mapping.Timeout, context.DeadlineExceeded)
}

// stopped wants the failure of a call whose context has ended.
func (b *bench) stopped(a answer, code mapping.Code, cause error) {
	switch {
	case a.broken:
	case a.err == nil:
		b.note("%s worked although its context had ended (%v)", a.what, cause)
	case !ended(a.err, code, cause):
		b.note("%s failed with %s, want code %s or an error that wraps %q", a.what, words(a.err), code, cause)
	}
}

// callProgress lets some time pass after the known calls have returned.
func (b *bench) callProgress() {
	for _, k := range b.reading() {
		b.call(b.ctx, k.Call)
	}
	<-time.After(soon)
	b.mu.Lock()
	late := b.late
	b.mu.Unlock()
	for _, what := range late {
		b.note("%s reported progress after it had returned", what)
	}
}

// callMaxBytes makes each known call again with room for half of its answer.
func (b *bench) callMaxBytes() {
	tried := false
	for _, k := range b.working() {
		tried = b.halved(func(limit int64) answer {
			c := k.Call
			c.MaxBytes = limit
			return b.call(b.ctx, c)
		}) || tried
	}
	if !tried && len(b.seen()) == 0 {
		b.skip("no known call that reads answers with 16 bytes or more")
	}
}

// halved asks without a limit and then with one of half the answer. It returns
// false where the answer is too small for that.
func (b *bench) halved(ask func(limit int64) answer) bool {
	whole := size(ask(0).result)
	if whole < 16 {
		return false
	}
	limit := whole / 2
	a := ask(limit)
	switch got := size(a.result); {
	case a.broken || mapping.CodeOf(a.err) == mapping.Exhausted:
	case a.err != nil:
		b.note("%s with MaxBytes %d failed with %s, want code %s or a shorter answer", a.what, limit, words(a.err), mapping.Exhausted)
	case got > limit:
		b.note("%s answered with %d bytes, and MaxBytes was %d", a.what, got, limit)
	case !a.result.Truncated:
		b.note("%s with MaxBytes %d answered with %d of %d bytes and did not set Truncated", a.what, limit, got, whole)
	}
	return true
}

// callBudget makes each known call again with a budget of half of its answer.
func (b *bench) callBudget() {
	tried := false
	for _, k := range b.working() {
		whole := b.call(b.ctx, k.Call).result
		if whole == nil || len(whole.JSON) < 200 {
			continue
		}
		tried = true
		c := k.Call
		c.Budget = int64(len(whole.JSON)) / 2
		if a := b.call(b.ctx, c); !a.broken {
			b.withinBudget(a, c.Budget, whole)
		}
	}
	if !tried && len(b.seen()) == 0 {
		b.skip("no known call that reads answers with JSON of 200 bytes or more")
	}
}

func (b *bench) withinBudget(a answer, budget int64, whole *mapping.Result) {
	switch {
	case a.err != nil || a.result == nil:
		b.note("%s with a budget of %d bytes failed with %v; an answer that cannot be cut is returned whole", a.what, budget, a.err)
	case !json.Valid(a.result.JSON):
		b.note("%s with a budget of %d bytes answered with broken JSON: %s", a.what, budget, excerpt(string(a.result.JSON)))
	case b.h.Stops && int64(len(a.result.JSON)) > budget:
		b.note("%s answered with %d bytes, and its budget was %d", a.what, len(a.result.JSON), budget)
	case !a.result.Truncated && !bytes.Equal(a.result.JSON, whole.JSON):
		b.note("%s with a budget of %d bytes answered otherwise than without and did not set Truncated: %s", a.what, budget, excerpt(string(a.result.JSON)))
	}
}

// callNext follows Next from each known call to the end.
func (b *bench) callNext() {
	c := b.catalog()
	if c == nil {
		return
	}
	params := map[string][]mapping.Param{}
	for _, op := range c.Operations {
		params[op.Key] = op.Params
	}
	tried := false
	for _, k := range b.working() {
		steps := b.followNext(k.Call, params[k.Call.Key])
		tried = tried || steps > 0
	}
	if !tried && len(b.seen()) == 0 {
		b.skip("no known call that reads has a Next")
	}
}

// followNext makes the call and those that continue it, and returns how many
// those were.
func (b *bench) followNext(c mapping.Call, params []mapping.Param) (steps int) {
	whole := func(c mapping.Call) string { return fmt.Sprintf("%s %s", c.Args, c.Body) }
	seen := map[string]bool{}
	for {
		seen[whole(c)] = true
		a := b.call(b.ctx, c)
		b.hold(a, Works())
		if a.broken || a.err != nil || a.result == nil || a.result.Next == nil {
			return steps
		}
		steps++
		c.Args, c.Body = a.result.Next.Args, a.result.Next.Body
		if !b.nextFits(c, params, a.what) {
			return steps
		}
		if seen[whole(c)] {
			b.note("%s leads to a call that came before:%s", a.what, argsOf(c))
			return steps
		}
	}
}

// nextFits wants the arguments of a Next to be params of its operation.
func (b *bench) nextFits(c mapping.Call, params []mapping.Param, from string) bool {
	for _, a := range c.Args {
		fits := slices.ContainsFunc(params, func(p mapping.Param) bool { return p.In == a.In && p.Name == a.Name })
		if !fits || !json.Valid(a.Value) {
			b.note("%s has a Next with the argument %s = %s in %q, which is no param of it or no JSON", from, a.Name, a.Value, a.In)
			return false
		}
	}
	return true
}
