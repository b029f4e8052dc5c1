package core

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// maxLine bounds one message, its newline not counted.
	maxLine = 16 << 20
	// drainTime is how long requests that came before the end of input may take
	// to be answered after it.
	drainTime = 5 * time.Second
)

// readFrom passes on every message of in and answers every line that is none.
func (c *lineConn) readFrom(ctx context.Context, in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(lines)
		var refused *refusal
		switch {
		case errors.Is(err, errLongLine):
			refused = &refusal{code: jsonrpc.CodeParseError, text: err.Error()}
		case len(bytes.TrimSpace(line)) > 0:
			refused = c.take(ctx, line)
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

// take passes on one message or batch, or says why not.
func (c *lineConn) take(ctx context.Context, text []byte) *refusal {
	if startsBatch(text) {
		return c.acceptBatch(ctx, text)
	}
	return c.accept(ctx, text, nil)
}

// idInUse is for a request with the id of one that is under way.
const idInUse = "this id is in use by a request that has not been answered yet"

// extraKey is the context key of what is known of a request beside its message.
type extraKey struct{}

// accept passes on one message, alone or of a batch, or says why not.
func (c *lineConn) accept(ctx context.Context, line []byte, b *batch) *refusal {
	m, refused := parseMessage(line)
	if refused != nil {
		if m.id == nil && m.method != "" {
			return nil // a notification is never answered
		}
		return refused
	}
	msg, to, err := c.decode(m, line, b)
	if request, ok := msg.(*jsonrpc.Request); ok {
		request.Extra = ctx.Value(extraKey{})
	}
	if err != nil {
		return &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: err.Error()}
	}
	if request, ok := msg.(*jsonrpc.Request); ok && m.listens() {
		return c.listen(ctx, m, request)
	}
	select {
	case to <- msg:
	case <-c.closed:
	}
	return nil
}

// decode makes the SDK's message, says which session it is for, and remembers a
// request until it is answered.
func (c *lineConn) decode(m message, line []byte, b *batch) (jsonrpc.Message, chan jsonrpc.Message, error) {
	if m.method == "" {
		msg, err := jsonrpc.DecodeMessage(line)
		return msg, c.incoming, err
	}
	if m.id == nil {
		to := c.incoming
		if m.method == "notifications/cancelled" {
			to = c.cancel(m.params)
		}
		return &jsonrpc.Request{Method: m.method, Params: m.sdkParams()}, to, nil
	}
	id, err := sdkID(m.id)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[id] != nil {
		return nil, nil, errors.New(idInUse)
	}
	c.pending[id] = &pendingCall{id: m.id, method: m.method, batch: b}
	if b != nil {
		b.left++
	}
	return &jsonrpc.Request{ID: id, Method: m.method, Params: m.sdkParams()}, c.incoming, nil
}

// listens reports whether this is a request to listen, which older revisions do
// not have.
func (m *message) listens() bool {
	return m.method == methodListen && m.id != nil && m.meta.Version != nil
}

// canceledID returns which request these params of notifications/cancelled name.
func canceledID(params json.RawMessage) (jsonrpc.ID, error) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return jsonrpc.ID{}, err
	}
	return sdkID(p.RequestID)
}

// cancel notes that a request must not be answered any more. It returns the
// session which has to be told.
func (c *lineConn) cancel(params json.RawMessage) chan jsonrpc.Message {
	id, err := canceledID(params)
	if err != nil {
		return c.incoming
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.pending[id]
	if call == nil {
		return c.incoming
	}
	again := call.canceled
	call.canceled = true
	c.drainIfDone()
	if call.listen != nil && !again {
		return call.listen.incoming
	}
	return c.incoming
}

// forget gives up a request that nobody will answer.
func (c *lineConn) forget(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
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
		if !call.canceled && call.listen == nil {
			return
		}
	}
	c.drain()
}
