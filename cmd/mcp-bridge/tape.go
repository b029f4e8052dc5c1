package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// maxTaped bounds what is kept of one message, in bytes.
const maxTaped = 16 << 20

// A tape is a file that gets every message between a client and the bridge, in
// both directions, as a line of JSON, without secrets. It holds arguments and
// answers: that is what it is for.
type tape struct {
	log *slog.Logger

	mu       sync.Mutex
	file     *lineFile
	mask     *mask
	requests int64 // over HTTP, so far
	failing  bool  // said already
}

// A taped is one message. Keys are only ever added.
type taped struct {
	Time      string            `json:"time"`
	Transport string            `json:"transport"` // stdio or http
	Direction string            `json:"direction"` // in or out
	Request   int64             `json:"request,omitempty"`
	Method    string            `json:"method,omitempty"`
	Path      string            `json:"path,omitempty"`
	Status    int               `json:"status,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Message   json.RawMessage   `json:"message,omitempty"`
	Text      string            `json:"text,omitempty"` // what is no JSON
	Cut       bool              `json:"cut,omitempty"`  // there was more of it
}

// openTape opens the file; "" is none.
func openTape(name string, c *config, log *slog.Logger) (*tape, error) {
	if name == "" {
		return nil, nil
	}
	file, err := openLines(name)
	if err != nil {
		return nil, fmt.Errorf("--trace %s: %w", name, err)
	}
	file.warn(log)
	return &tape{log: log, file: file, mask: newMask(c.hidden())}, nil
}

// hide hides what another config says, beside what was hidden before.
func (t *tape) hide(c *config) {
	if t == nil || c == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mask = t.mask.and(c.hidden())
}

func (t *tape) close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

// record writes one message.
func (t *tape) record(m taped, body []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.Cut = len(body) > maxTaped; m.Cut {
		body = body[:maxTaped]
	}
	m.Time = time.Now().UTC().Format(time.RFC3339Nano)
	if body = bytes.TrimSpace(body); json.Valid(body) {
		m.Message = t.mask.json(body)
	} else {
		m.Text = t.mask.text(string(body))
	}
	for name, value := range m.Headers {
		m.Headers[name] = t.mask.text(value)
	}
	line, err := json.Marshal(m)
	if err == nil {
		err = t.file.add(line)
	}
	if err != nil && !t.failing {
		t.log.Error("the trace is not written", "error", reason(err).Error())
	}
	t.failing = err != nil
}

// in records what is read of standard input, out what is written to standard
// output.
func (t *tape) in(r io.Reader) io.Reader {
	if t == nil {
		return r
	}
	return io.TeeReader(r, &tapedLines{tape: t, direction: "in"})
}

func (t *tape) out(w io.Writer) io.Writer {
	if t == nil {
		return w
	}
	return io.MultiWriter(w, &tapedLines{tape: t, direction: "out"})
}

// tapedLines records line by line, whatever pieces they come in. It never fails,
// so that it does not stand in the way.
type tapedLines struct {
	tape      *tape
	direction string
	line      []byte
}

func (l *tapedLines) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte("\n"))
		rest = after
		if room := maxTaped + 1 - len(l.line); room > 0 {
			l.line = append(l.line, part[:min(room, len(part))]...)
		}
		if whole {
			if len(bytes.TrimSpace(l.line)) > 0 {
				l.tape.record(taped{Transport: "stdio", Direction: l.direction}, l.line)
			}
			l.line = nil
		}
	}
	return len(p), nil
}
