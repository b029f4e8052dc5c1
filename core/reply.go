package core

import (
	"net/http"
	"time"
)

// A reply is the one answer to a request of the short front. It is sent whole, as
// JSON. One in a session becomes a stream if it takes so long that a proxy may
// think nothing comes any more.
type reply struct {
	*liveStream
	timer *time.Timer // nil is no stream
	sent  bool
}

func newReply(w http.ResponseWriter, mayStream bool) *reply {
	p := &reply{liveStream: &liveStream{ResponseWriter: w}}
	if mayStream {
		http.NewResponseController(w).SetWriteDeadline(time.Time{}) // the call may outlive it; where it is not supported there is none
		p.mu.Lock()
		defer p.mu.Unlock()
		p.timer = time.AfterFunc(keepAliveEvery, p.wait)
	}
	return p
}

// wait begins the stream, or shows that it is alive.
func (p *reply) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sent {
		return
	}
	if !p.begun {
		p.begun = true
		streaming(p.ResponseWriter)
		p.header("text/event-stream")
	}
	p.comment()
	p.timer.Reset(keepAliveEvery)
}

// leave lets somebody else answer. It is false if the answer has begun.
func (p *reply) leave() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	return !p.begun
}

// stop ends waiting. p.mu is held.
func (p *reply) stop() {
	p.sent = true
	if p.timer != nil {
		p.timer.Stop()
	}
}

// send sends the answer; the status counts only where nothing has been sent yet.
func (p *reply) send(status int, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	if p.begun {
		text = append(append([]byte("event: message\ndata: "), text...), "\n\n"...)
	} else {
		p.header("application/json")
		p.WriteHeader(status)
	}
	p.timed(len(text), func() error {
		_, err := p.ResponseWriter.Write(text) // the client may be gone
		return err
	})
}

func (p *reply) header(kind string) {
	p.Header().Set("Cache-Control", "no-cache, no-transform")
	p.Header().Set("Content-Type", kind)
}
