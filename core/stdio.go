package core

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine bounds one message, its newline not counted.
	maxLine = 16 << 20
	// drainTime is how long requests that came before the end of input may take
	// to be answered after it.
	drainTime = 5 * time.Second
)

// RunStdio serves one client on standard input and output until the input ends
// or ctx does. Nothing else may write to standard output meanwhile.
func (b *Bridge) RunStdio(ctx context.Context) error { return b.Run(ctx, os.Stdin, os.Stdout) }

// Run serves one client over two pipes, one JSON-RPC message a line. A line that
// is no message is answered and the next one is served. When in ends, requests
// that came before are answered and Run returns nil; when ctx ends, they are
// canceled and Run returns its error. A Read of in that blocks may outlive Run.
func (b *Bridge) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newLineConn(out, b.log)
	session, err := b.server.Connect(ctx, conn, nil)
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	go conn.readFrom(in)
	defer context.AfterFunc(ctx, func() { conn.Close() })()    // it returns nil
	defer context.AfterFunc(b.life, func() { conn.Close() })() // it returns nil
	err = session.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// A lineConn is the SDK's connection over two pipes. The SDK's own one ends a
// session at the first bad line, answers canceled calls, and rounds large ids.
type lineConn struct {
	log      *slog.Logger
	incoming chan jsonrpc.Message
	drained  chan struct{} // closed when the input has ended and all is answered
	closed   chan struct{}
	drain    func() // closes drained, once
	shut     func() // closes closed, once

	writing sync.Mutex // held for a whole line
	out     io.Writer

	mu       sync.Mutex // guards what follows; never held while writing
	ended    bool       // no more input
	revision string     // that the handshake ended with
	pending  map[jsonrpc.ID]*pendingCall
}

// A pendingCall is a request that has not been answered yet.
type pendingCall struct {
	id       json.RawMessage // as the client wrote it
	method   string
	batch    *batch // nil if it came alone
	canceled bool   // it must not be answered
}

func newLineConn(out io.Writer, log *slog.Logger) *lineConn {
	c := &lineConn{
		log:      log,
		incoming: make(chan jsonrpc.Message),
		drained:  make(chan struct{}),
		closed:   make(chan struct{}),
		out:      out,
		pending:  map[jsonrpc.ID]*pendingCall{},
	}
	c.drain = sync.OnceFunc(func() { close(c.drained) })
	c.shut = sync.OnceFunc(func() { close(c.closed) })
	return c
}

// Connect makes the connection its own [mcp.Transport].
func (c *lineConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is "": a pipe has one session.
func (c *lineConn) SessionID() string { return "" }

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

// readFrom passes on every message of in and answers every line that is none.
func (c *lineConn) readFrom(in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(lines)
		var refused *refusal
		switch {
		case errors.Is(err, errLongLine):
			refused = &refusal{code: jsonrpc.CodeParseError, text: err.Error()}
		case startsBatch(line):
			refused = c.acceptBatch(line)
		case len(bytes.TrimSpace(line)) > 0:
			refused = c.accept(line, nil)
		}
		if refused != nil {
			c.answer(refused)
		}
		if err != nil && !errors.Is(err, errLongLine) {
			c.endInput(err)
			return
		}
		select {
		case <-c.closed:
			return
		default:
		}
	}
}

var errLongLine = fmt.Errorf("a line has at most %d bytes", maxLine)

// readLine returns one line, with or without its newline. A line beyond maxLine
// is skipped without being kept. At the end of input the last line may come with
// the error.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(bytes.TrimRight(part, "\r\n")) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errLongLine // at the end of input the next read says so
		default:
			return line, err
		}
	}
}

// accept passes on one message, alone or of a batch, or says why not.
func (c *lineConn) accept(line []byte, b *batch) *refusal {
	m, refused := parseMessage(line)
	if refused != nil {
		if m.id == nil && m.method != "" {
			return nil // a notification is never answered
		}
		return refused
	}
	msg, err := c.decode(m, line, b)
	if err != nil {
		return &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: err.Error()}
	}
	select {
	case c.incoming <- msg:
	case <-c.closed:
	}
	return nil
}

// decode makes the SDK's message and remembers a request until it is answered.
func (c *lineConn) decode(m message, line []byte, b *batch) (jsonrpc.Message, error) {
	if m.method == "" {
		return jsonrpc.DecodeMessage(line)
	}
	if m.id == nil {
		if m.method == "notifications/cancelled" {
			m.params = c.cancel(m.params)
		}
		return &jsonrpc.Request{Method: m.method, Params: m.params}, nil
	}
	id, err := sdkID(m.id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[id] != nil {
		return nil, errors.New("this id is in use by a request that has not been answered yet")
	}
	c.pending[id] = &pendingCall{id: m.id, method: m.method, batch: b}
	if b != nil {
		b.left++
	}
	return &jsonrpc.Request{ID: id, Method: m.method, Params: m.params}, nil
}

// sdkID returns an id that the SDK can hold: an integer beyond 2^53 becomes a
// string that no client is likely to use.
func sdkID(id json.RawMessage) (jsonrpc.ID, error) {
	if !exactID(id) {
		return jsonrpc.MakeID("\x00integer " + string(id))
	}
	var value any
	if err := json.Unmarshal(id, &value); err != nil {
		return jsonrpc.ID{}, err
	}
	return jsonrpc.MakeID(value)
}

// cancel notes that a request must not be answered any more. It returns the
// params with the id by which the SDK knows the request.
func (c *lineConn) cancel(params json.RawMessage) json.RawMessage {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || len(p.RequestID) == 0 || !validID(p.RequestID) {
		return params
	}
	id, err := sdkID(p.RequestID)
	if err != nil {
		return params
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if call := c.pending[id]; call != nil {
		call.canceled = true
		c.drainIfDone()
	}
	known, err := json.Marshal(map[string]any{"requestId": id.Raw()})
	if err != nil {
		return params
	}
	return known
}

// endInput lets what is pending be answered, for a while, and then ends Read.
func (c *lineConn) endInput(err error) {
	if !errors.Is(err, io.EOF) {
		c.log.Warn("reading input failed", "error", err)
	}
	c.mu.Lock()
	c.ended = true
	c.drainIfDone()
	c.mu.Unlock()
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case <-late.C:
		c.drain()
	case <-c.drained:
	case <-c.closed:
	}
}

// drainIfDone ends Read if nothing is left to be answered. c.mu is held.
func (c *lineConn) drainIfDone() {
	if !c.ended {
		return
	}
	for _, call := range c.pending {
		// A listen is answered only when it is canceled.
		if !call.canceled && call.method != "subscriptions/listen" {
			return
		}
	}
	c.drain()
}

// Write sends one message on a line of its own, but not the response to a
// canceled request.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
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
