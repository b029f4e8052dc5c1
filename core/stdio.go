package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// RunStdio serves one client on standard input and output until the input ends
// or ctx does. Nothing else may write to standard output meanwhile.
func (b *Bridge) RunStdio(ctx context.Context) error { return b.Run(ctx, os.Stdin, os.Stdout) }

// Run serves one client over two pipes, one JSON-RPC message a line. A line that
// is no message is answered and the next one is served. When in ends, requests
// that came before are answered and Run returns nil; when ctx ends, they are
// canceled and Run returns its error. A Read of in that blocks may outlive Run.
func (b *Bridge) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newLineConn(b.server, out, b.log)
	go conn.readFrom(ctx, in)
	defer context.AfterFunc(ctx, func() { conn.Close() })() // it returns nil
	if err := b.serveLines(ctx, conn); ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// serveLines serves the client of a connection until that ends.
func (b *Bridge) serveLines(ctx context.Context, conn *lineConn) error {
	session, err := b.server.Connect(ctx, conn, nil)
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	defer context.AfterFunc(b.life, func() { conn.Close() })() // it returns nil
	err = session.Wait()
	conn.Close() // it returns nil
	conn.listens.Wait()
	return err
}

// A lineConn is the SDK's connection over two pipes. The SDK's own one ends a
// session at the first bad line, answers canceled calls, and rounds large ids.
type lineConn struct {
	server   *mcp.Server
	log      *slog.Logger
	incoming chan jsonrpc.Message
	drained  chan struct{} // closed when the input has ended and all is answered
	closed   chan struct{}
	drain    func() // closes drained, once
	shut     func() // closes closed, once
	listens  sync.WaitGroup
	session  string
	// mayListen counts one more stream of notifications until done; nil says that its
	// caller has too many.
	mayListen func() (done func())

	writing sync.Mutex // held for a whole line
	out     io.Writer

	mu       sync.Mutex // guards what follows; never held while writing
	ended    bool       // no more input
	revision string     // that the handshake ended with, "" before
	pending  map[jsonrpc.ID]*pendingCall
}

// A pendingCall is a request that has not been answered yet.
type pendingCall struct {
	id       json.RawMessage // as the client wrote it
	method   string
	batch    *batch      // nil if it came alone
	listen   *listenConn // nil if it does not listen
	canceled bool        // it must not be answered
}

func newLineConn(server *mcp.Server, out io.Writer, log *slog.Logger) *lineConn {
	c := &lineConn{
		server:   server,
		log:      log,
		incoming: make(chan jsonrpc.Message),
		drained:  make(chan struct{}),
		closed:   make(chan struct{}),
		out:      out,
		pending:  map[jsonrpc.ID]*pendingCall{},

		mayListen: func() func() { return func() {} }, // over pipes there is one caller
	}
	c.drain = sync.OnceFunc(func() { close(c.drained) })
	c.shut = sync.OnceFunc(func() { close(c.closed) })
	return c
}

// Connect makes the connection its own [mcp.Transport].
func (c *lineConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is "" for a pair of pipes, which has one session.
func (c *lineConn) SessionID() string { return c.session }

// Close ends Read. It does not close the pipes, which belong to the caller.
func (c *lineConn) Close() error {
	c.shut()
	return nil
}

// Read returns the next message, io.EOF after the last.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-c.drained:
		return nil, io.EOF
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends one message on a line of its own, but not the response to a
// canceled request.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		if request, ok := m.(*jsonrpc.Request); ok && c.unasked(request) {
			return nil
		}
		line, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		return c.writeLine(line)
	}
	c.mu.Lock()
	call := c.pending[response.ID]
	delete(c.pending, response.ID)
	if call != nil && call.method == "initialize" {
		c.noteRevision(response.Result)
	}
	c.mu.Unlock()
	err := c.reply(call, response)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drainIfDone()
	return err
}

// unasked reports whether this tells of a changed list before any handshake. A
// client that has none listens where it wants to be told, and until its first
// request the SDK does not know which kind of client it is.
func (c *lineConn) unasked(r *jsonrpc.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revision == "" && strings.HasSuffix(r.Method, "/list_changed")
}

// reply answers a request, unless it was canceled or answered already.
func (c *lineConn) reply(call *pendingCall, response *jsonrpc.Response) error {
	if call == nil {
		return nil
	}
	var line []byte
	if !call.canceled {
		line = encodeResponse(call.id, response)
	}
	switch {
	case call.batch != nil:
		return c.settle(call.batch, line)
	case line == nil:
		return nil
	}
	return c.writeLine(line)
}

// encodeResponse writes a response with the id as the client wrote it.
func encodeResponse(id json.RawMessage, r *jsonrpc.Response) []byte {
	if r.Error != nil {
		refused := &refusal{id: id, code: jsonrpc.CodeInvalidRequest, text: r.Error.Error()}
		var coded *jsonrpc.Error
		if errors.As(r.Error, &coded) && coded.Code != 0 {
			refused.code, refused.data = coded.Code, coded.Data
		}
		return refused.encode()
	}
	line := make([]byte, 0, len(r.Result)+len(id)+32)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, id...)
	line = append(line, `,"result":`...)
	line = append(line, r.Result...)
	return append(line, '}')
}

// answer sends a refusal.
func (c *lineConn) answer(r *refusal) {
	if err := c.writeLine(r.encode()); err != nil {
		c.log.Warn("writing output failed", "error", err)
		c.shut()
	}
}

// writeLine writes a whole line at once.
func (c *lineConn) writeLine(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}
