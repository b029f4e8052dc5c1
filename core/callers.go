package core

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Rate bounds how often something may happen. The zero Rate is no bound.
type Rate struct {
	Calls int           // in Per, on average
	Per   time.Duration // 0 is a minute
	Burst int           // at once; 0 is Calls
}

func (r Rate) limiter() *rate.Limiter {
	per := cmp.Or(r.Per, time.Minute)
	return rate.NewLimiter(rate.Limit(float64(r.Calls)/per.Seconds()), cmp.Or(r.Burst, r.Calls))
}

func (r Rate) String() string {
	return fmt.Sprintf("%d in %s", r.Calls, cmp.Or(r.Per, time.Minute))
}

// callers knows what each caller has under way and has used up.
type callers struct {
	limits Limits

	mu sync.Mutex
	by map[string]*callerUse // by ID
}

// A callerUse is forgotten when nothing is under way and nothing is used up.
type callerUse struct {
	gate    *gate                    // nil for callers without ID, who are not told apart
	users   int                      // calls and streams under way
	listens int                      // of them, streams of notifications
	rates   map[string]*rate.Limiter // by source
}

// manyCallers is how many are remembered before idle ones are looked for.
const manyCallers = 1000

// use returns what is known of a caller and holds it until done. c.mu is held.
func (c *callers) use(id string) *callerUse {
	u := c.by[id]
	if u == nil {
		if len(c.by) >= manyCallers {
			c.forgetIdle()
		}
		u = &callerUse{rates: map[string]*rate.Limiter{}}
		if id != "" {
			u.gate = newGate(c.limits.CallerConcurrent, "you have as many calls under way as one caller may have (%d), and more are waiting")
		}
		if c.by == nil {
			c.by = map[string]*callerUse{}
		}
		c.by[id] = u
	}
	u.users++
	return u
}

func (c *callers) forgetIdle() {
	now := time.Now()
	for id, u := range c.by {
		idle := u.users == 0
		for _, l := range u.rates {
			idle = idle && l.TokensAt(now) >= float64(l.Burst())
		}
		if idle {
			delete(c.by, id)
		}
	}
}

// enter lets a use of a source begin, in its turn. leave must be called at its
// end. The error is a *mapping.Error: the caller is at its bound.
func (c *callers) enter(ctx context.Context, id string) (leave func(), err error) {
	c.mu.Lock()
	u := c.use(id)
	c.mu.Unlock()
	done := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		u.users--
	}
	if u.gate == nil {
		return done, nil
	}
	if err := u.gate.enter(ctx); err != nil {
		done()
		return nil, err
	}
	return func() {
		u.gate.leave()
		done()
	}, nil
}

// count counts a call or read once, though it may begin anew when its source is
// replaced. The error is a *mapping.Error: there have been too many of late.
func (b *Bridge) count(r *request, source string) error {
	if r.counted == source {
		return nil
	}
	r.counted = source
	return b.callers.count(r.caller.ID, source)
}

// count counts a call or read. The error is a *mapping.Error: there have been too
// many of late.
func (c *callers) count(id, source string) error {
	limit := c.limits.rate(source)
	if limit.Calls == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.use(id)
	u.users--
	if u.rates[source] == nil {
		u.rates[source] = limit.limiter()
	}
	turn := u.rates[source].Reserve()
	wait := turn.Delay()
	if wait == 0 {
		return nil
	}
	turn.Cancel()
	return &mapping.Error{
		Code:       mapping.Exhausted,
		Problem:    fmt.Sprintf("this source is busy: one caller may call it %s, and that is used up", limit),
		Next:       "send the same call again",
		RetryAfter: (wait + time.Second - 1).Truncate(time.Second),
	}
}

// listen lets a stream of notifications begin; nil says that there are too many.
// done must be called at its end.
func (c *callers) listen(id string) (done func()) {
	most := c.limits.Listens
	if id == "" {
		most = c.limits.Sessions
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.use(id)
	if u.listens >= most {
		u.users--
		return nil
	}
	u.listens++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		u.listens--
		u.users--
	}
}
