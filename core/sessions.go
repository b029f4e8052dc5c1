package core

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are those over HTTP, by their ids, from the handshake on. The SDK has
// them too, but shows neither what is under way in them nor when they were last
// used.
type sessions struct {
	mu   sync.Mutex
	open map[string]*session
}

// A session is one that a client has opened by its handshake.
type session struct {
	sdk   *mcp.ServerSession
	owner string        // whose it is, "" where nobody was asked
	idle  time.Duration // how long it lives without a request
	older bool          // it is one of the older transport and ends with its stream

	mu    sync.Mutex
	ended bool
	chats bool                              // the client is told more than answers
	posts int                               // under way
	gets  int                               // streams of what happens, open now
	used  time.Time                         // when the last of either began or ended
	calls map[jsonrpc.ID]context.CancelFunc // of them, the requests
	timer *time.Timer                       // ends the session when it has been idle; nil is never
}

// keep remembers a session until it ends, and measures how long it lasts.
func (b *Bridge) keep(sdk *mcp.ServerSession, owner string) {
	s := &session{sdk: sdk, owner: owner, idle: b.options.Limits.SessionIdle, used: time.Now(), calls: map[jsonrpc.ID]context.CancelFunc{}}
	if p := sdk.InitializeParams(); p == nil || p.ProtocolVersion >= revision20260728 {
		s.chats = true // the SDK takes its client for one of a newer revision
	}
	id, begin := sdk.ID(), time.Now()
	if id != "" {
		if s.older = b.streams.find(id) != nil; !s.older {
			s.mu.Lock()
			s.timer = time.AfterFunc(s.idle, func() { b.sessions.expire(s) })
			s.mu.Unlock()
		}
		b.sessions.add(id, s)
	}
	go func() {
		sdk.Wait() // however it ended
		b.sessions.drop(s)
		b.meters.lasted(begin)
	}()
}

// openSessions counts the sessions over HTTP, those before their handshake too.
func (b *Bridge) openSessions() (n int) {
	for s := range b.server.Sessions() {
		if s.ID() != "" {
			n++
		}
	}
	return n
}

func (ss *sessions) add(id string, s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.open == nil {
		ss.open = map[string]*session{}
	}
	ss.open[id] = s
}

// end notes that a session is being ended: it takes no more requests.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.timer != nil {
		s.timer.Stop()
	}
}

// drop forgets a session that has ended.
func (ss *sessions) drop(s *session) {
	s.end()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, s.sdk.ID())
}

// expire ends a session, unless a request has come in the last moment.
func (ss *sessions) expire(s *session) {
	s.mu.Lock()
	used := s.posts > 0
	s.ended = s.ended || !used
	s.mu.Unlock()
	if !used {
		s.sdk.Close() // the client may be gone
	}
}

// idleEnough is how long a session has to be without a request before it makes
// room for another: its client may only be thinking.
const idleEnough = time.Minute

// makeRoom ends the session that has been idle longest of those that fit, and
// returns false if none has been for long. Its client finds that out by status 404
// and begins anew, as the protocol asks of it.
func (ss *sessions) makeRoom(fits func(*session) bool) bool {
	var oldest *session
	var since time.Time
	ss.mu.Lock()
	for _, s := range ss.open {
		if at, idle := s.idleSince(); idle && fits(s) && (oldest == nil || at.Before(since)) {
			oldest, since = s, at
		}
	}
	ss.mu.Unlock()
	if oldest == nil || time.Since(since) < idleEnough {
		return false
	}
	ss.expire(oldest)
	return true
}

// idleSince returns when a session was last used, false if it is in use or lives
// as long as its stream.
func (s *session) idleSince() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.posts == 0 && s.gets == 0 && !s.ended && s.timer != nil
}

// stream notes that a client listens; the function that it returns must be called
// when it does no more.
func (s *session) stream() (done func()) {
	s.listens(1)
	return func() { s.listens(-1) }
}

func (s *session) listens(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets += n
	s.used = time.Now()
}

// find returns a session, nil if there is none.
func (ss *sessions) find(id string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.open[id]
}

// of returns the session of a request, nil if it names none, somebody else's, or
// one of the older transport, which takes its messages elsewhere.
func (ss *sessions) of(r *http.Request) *session {
	s := ss.find(r.Header.Get(headerSession))
	if s == nil || s.older || s.owner != "" && s.owner != userOf(r) {
		return nil
	}
	return s
}

// ownedBy counts the sessions of a caller.
func (ss *sessions) ownedBy(id string) (n int) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if id != "" && s.owner == id {
			n++
		}
	}
	return n
}

// chat notes that a client wants log messages.
func (ss *sessions) chat(sdk *mcp.ServerSession) {
	if s := ss.find(sdk.ID()); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.chats = true
	}
}

// begin notes that a POST has come; done must be called when it has been answered.
// The context ends when the client cancels this request: in revisions that have
// sessions one that hangs up has not done so.
func (s *session) begin(r *http.Request, msg message) (ctx context.Context, done func(), refused *refusal) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	id, err := sdkID(msg.id)
	asks := err == nil && msg.id != nil && msg.method != ""
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		cancel()
		return nil, nil, &refusal{id: msg.id, code: jsonrpc.CodeInvalidRequest, text: "this session has ended; send initialize again", status: http.StatusNotFound}
	}
	if asks {
		if s.calls[id] != nil {
			cancel()
			return nil, nil, &refusal{id: msg.id, code: jsonrpc.CodeInvalidRequest, text: idInUse}
		}
		s.calls[id] = cancel
	}
	if s.posts == 0 && s.timer != nil {
		s.timer.Stop()
	}
	s.posts++
	s.used = time.Now()
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if asks {
			delete(s.calls, id)
		}
		s.posts--
		s.used = time.Now()
		if s.posts == 0 && s.timer != nil && !s.ended {
			s.timer.Reset(s.idle)
		}
	}, nil
}

// cancel ends the request that these params of notifications/cancelled name.
func (s *session) cancel(params json.RawMessage) {
	id, err := canceledID(params)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.calls[id]; cancel != nil {
		cancel()
	}
}

// isQuiet reports whether a client is told nothing but answers.
func (s *session) isQuiet() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.chats
}
