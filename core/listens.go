package core

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	methodListen = "subscriptions/listen"
	// maxListens bounds how many listen at a time over one pair of pipes.
	maxListens = 100
)

// A listenConn is the SDK's connection for one subscriptions/listen over pipes.
// The SDK has one set of subscriptions for each session, so that of two listens
// in one session the second would take what the first one waits for. Over HTTP
// each has a session of its own; with a listenConn so it has over pipes.
type listenConn struct {
	line     *lineConn
	id       jsonrpc.ID
	written  json.RawMessage      // the id as the client wrote it
	incoming chan jsonrpc.Message // the request, then perhaps its cancellation
	closed   chan struct{}
	shut     func() // closes closed, once

	mu    sync.Mutex
	begun bool // acknowledged
}

// listen opens a session for a request to listen. It returns a refusal if there
// are too many.
func (c *lineConn) listen(ctx context.Context, m message, request *jsonrpc.Request) *refusal {
	l := &listenConn{line: c, id: request.ID, written: m.id, incoming: make(chan jsonrpc.Message, 2), closed: make(chan struct{})}
	l.shut = sync.OnceFunc(func() { close(l.closed) })
	done := c.mayListen()
	if done == nil || !c.addListen(l) {
		if done != nil {
			done()
		}
		c.forget(request.ID)
		return &refusal{id: m.id, code: jsonrpc.CodeInternalError, text: "too many requests listen already; cancel one of them first"}
	}
	session, err := c.server.Connect(context.WithValue(ctx, aloneKey{}, true), l, nil)
	if err != nil {
		done()
		c.forget(request.ID)
		return &refusal{id: m.id, code: jsonrpc.CodeInternalError, text: "internal error"}
	}
	l.incoming <- request
	c.listens.Go(func() {
		defer done()
		select {
		case <-l.closed:
		case <-c.closed:
			l.finish()
		}
		session.Close() // the request has been answered, or nobody waits for it
	})
	return nil
}

// finish has the request answered, unless it was canceled.
func (l *listenConn) finish() {
	params, err := json.Marshal(map[string]any{"requestId": l.id.Raw()})
	if err != nil {
		return // a string or an integer always marshals
	}
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case l.incoming <- &jsonrpc.Request{Method: "notifications/cancelled", Params: params}:
	case <-l.closed:
	case <-late.C:
	}
	select {
	case <-l.closed:
	case <-late.C:
	}
}

func (c *lineConn) addListen(l *listenConn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, call := range c.pending {
		if call.listen != nil && !call.canceled {
			n++
		}
	}
	if n >= maxListens {
		return false
	}
	c.pending[l.id].listen = l
	return true
}

// Connect makes the connection its own [mcp.Transport].
func (l *listenConn) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID is "", as over any pipe.
func (l *listenConn) SessionID() string { return "" }

// Close ends Read.
func (l *listenConn) Close() error {
	l.shut()
	return nil
}

// Read returns the request, then its cancellation, then io.EOF.
func (l *listenConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.incoming:
		return m, nil
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write passes on what is for this request and nothing from before it was
// acknowledged, when the SDK takes the session for one of an older revision.
func (l *listenConn) Write(ctx context.Context, m jsonrpc.Message) error {
	request, ok := m.(*jsonrpc.Request)
	if !ok {
		defer l.shut()
		return l.line.Write(ctx, m)
	}
	l.mu.Lock()
	l.begun = l.begun || request.Method == "notifications/subscriptions/acknowledged"
	begun := l.begun
	l.mu.Unlock()
	if !begun || l.line.gaveUp(l.id) {
		return nil
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return l.line.writeLine(unmarked(text, []json.RawMessage{l.written}))
}

// gaveUp reports whether the client waits no longer for a request.
func (c *lineConn) gaveUp(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.pending[id]
	return call == nil || call.canceled
}

// aloneKey is the context key of a session that is for one request to listen and
// ends with it.
type aloneKey struct{}

// listeners are the sessions in which requests listen. Those are answered when
// the bridge closes, while that can still be sent: the SDK sends nothing more
// once a session is being closed.
type listeners struct {
	mu       sync.Mutex
	over     bool
	sessions map[*mcp.ServerSession]listener
}

type listener struct {
	end   context.CancelFunc
	alone bool
}

// add returns the context for a request to listen, and what to call when it has
// ended.
func (l *listeners) add(ctx context.Context, r *mcp.SubscriptionsListenRequest) (context.Context, func()) {
	alone := r.Session.ID() == "" && r.Extra != nil || ctx.Value(aloneKey{}) != nil // over HTTP each has a session of its own
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		cancel()
	}
	if l.sessions == nil {
		l.sessions = map[*mcp.ServerSession]listener{}
	}
	l.sessions[r.Session] = listener{cancel, alone}
	return ctx, func() {
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.sessions, r.Session)
	}
}

// end has every request to listen answered, now and from now on, and returns
// when that has been sent, or can not be.
func (l *listeners) end() {
	l.mu.Lock()
	l.over = true
	var sent sync.WaitGroup
	for session, one := range l.sessions {
		if one.alone {
			sent.Go(func() { session.Wait() }) // however it ended
		}
		one.end()
	}
	l.mu.Unlock()
	all := make(chan struct{})
	go func() {
		sent.Wait()
		close(all)
	}()
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case <-all:
	case <-late.C:
	}
}
