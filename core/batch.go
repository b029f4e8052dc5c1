package core

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A batch is an array of messages on one line, which only 2025-03-26 has. Its
// requests are answered together, in one array.
type batch struct {
	left    int // requests to be answered, and one until all are passed on
	answers []json.RawMessage
}

// acceptBatch passes on every message of a batch, or says why not.
func (c *lineConn) acceptBatch(ctx context.Context, line []byte) *refusal {
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil {
		return &refusal{code: jsonrpc.CodeParseError, text: notJSON(err)}
	}
	c.mu.Lock()
	allowed := c.revision == revision20250326
	c.mu.Unlock()
	if !allowed || len(parts) == 0 {
		return errNoBatch()
	}
	b := &batch{left: 1}
	for _, part := range parts {
		if refused := c.accept(ctx, part, b); refused != nil {
			c.mu.Lock()
			b.answers = append(b.answers, refused.encode())
			c.mu.Unlock()
		}
	}
	if err := c.settle(b, nil); err != nil {
		c.log.Warn("writing output failed", "error", err)
		c.shut()
	}
	return nil
}

// settle counts one request of a batch as done, with its answer if it gets one,
// and sends all answers after the last.
func (c *lineConn) settle(b *batch, answer []byte) error {
	c.mu.Lock()
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	b.left--
	done := b.left == 0 && len(b.answers) > 0
	c.mu.Unlock()
	if !done {
		return nil
	}
	line := []byte{'['}
	for i, a := range b.answers {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, a...)
	}
	return c.writeLine(append(line, ']'))
}

// noteRevision reads which revision a handshake ended with. c.mu is held.
func (c *lineConn) noteRevision(result json.RawMessage) {
	var r struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if json.Unmarshal(result, &r) == nil {
		c.revision = r.ProtocolVersion
	}
}

// startsBatch reports whether a line is an array.
func startsBatch(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '['
}
