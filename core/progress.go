package core

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// A progress tells a client how far its request is. What does not increase is
// left out, as the protocol asks, and so is what comes faster than ten a second
// after a first burst.
type progress struct {
	ctx     context.Context // of the request: nothing is sent after it
	session *mcp.ServerSession
	token   any
	pace    *rate.Limiter

	mu   sync.Mutex
	last float64
}

func newProgress(ctx context.Context, session *mcp.ServerSession, token any) *progress {
	return &progress{
		ctx:     ctx,
		session: session,
		token:   token,
		pace:    rate.NewLimiter(rate.Every(100*time.Millisecond), 20),
		last:    math.Inf(-1),
	}
}

func (p *progress) report(done, total float64, note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A negated comparison also leaves out NaN.
	if !(done > p.last) || p.ctx.Err() != nil || !p.pace.Allow() {
		return
	}
	p.last = done
	p.session.NotifyProgress(p.ctx, &mcp.ProgressNotificationParams{ // the client may be gone
		ProgressToken: tokenOf(p.token),
		Progress:      done,
		Total:         total,
		Message:       note,
	})
}
