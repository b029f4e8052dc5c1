package core_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// A wireHTTP is a conversation of HTTP requests, several at a time.
type wireHTTP struct {
	url       string
	newest    string // Mcp-Session-Id, or endpoint
	exchanges map[string]*exchange
}

// An exchange is one request and its answer. It is sent when its answer is
// first asked for.
type exchange struct {
	method string
	path   string
	header http.Header
	body   string
	cancel context.CancelFunc

	response *http.Response // nil until it is sent
	lines    *bufio.Reader
}

func overHTTP(t *testing.T, b *core.Bridge) transport { return serveWire(t, b.Handler()) }

func overSSE(t *testing.T, b *core.Bridge) transport { return serveWire(t, b.SSEHandler()) }

func serveWire(t *testing.T, h http.Handler) *wireHTTP {
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &wireHTTP{url: server.URL, exchanges: map[string]*exchange{}}
}

func (h *wireHTTP) session() string { return h.newest }

func (h *wireHTTP) send(t *testing.T, name, text string) {
	t.Helper()
	if m := regexp.MustCompile(`^([A-Z]+)( \S+)?$`).FindStringSubmatch(text); m != nil {
		h.finish(t, name)
		h.exchanges[name] = &exchange{method: m[1], path: strings.TrimSpace(m[2]), header: http.Header{
			"Content-Type": {"application/json"},
			"Accept":       {"application/json, text/event-stream"},
		}}
		return
	}
	x := h.exchanges[name]
	if x == nil || x.response != nil {
		t.Fatalf("a request begins with its method, not with %q", text)
	}
	if m := regexp.MustCompile(`^([A-Za-z-]+): (.*)$`).FindStringSubmatch(text); m != nil {
		x.header.Set(m[1], m[2])
		if m[2] == "(none)" {
			x.header.Del(m[1])
		}
		return
	}
	x.body += text
}

// run sends the request, unless that has been done.
func (h *wireHTTP) run(t *testing.T, name string) *exchange {
	t.Helper()
	x := h.exchanges[name]
	if x == nil {
		t.Fatalf("there is no request %q", name)
	}
	if x.response != nil {
		return x
	}
	var ctx context.Context
	ctx, x.cancel = context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, x.method, h.url+x.path, strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = x.header
	r.Host = x.header.Get("Host")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	x.response = response
	x.lines = bufio.NewReader(x.response.Body)
	if id := x.response.Header.Get("Mcp-Session-Id"); id != "" {
		h.newest = id
	}
	return x
}

func (h *wireHTTP) expect(t *testing.T, name, want string) string {
	t.Helper()
	x := h.run(t, name)
	if status, err := strconv.Atoi(want); err == nil {
		if x.response.StatusCode != status {
			return fmt.Sprintf("status %d: %s", x.response.StatusCode, x.rest(t))
		}
		return ""
	}
	if want == "end" {
		if rest := x.rest(t); strings.TrimSpace(rest) != "" {
			return "there is more: " + rest
		}
		return ""
	}
	if want == "endpoint" {
		h.newest, _ = x.next(t)
		return ""
	}
	if field, value, ok := strings.Cut(want, ": "); ok && want[0] != '{' && want[0] != '[' {
		got := x.response.Header.Get(field)
		if got != value && !(got == "" && value == "(absent)") {
			return fmt.Sprintf("%s is %q", field, got)
		}
		return ""
	}
	got, ok := x.next(t)
	if !ok {
		return fmt.Sprintf("no more messages after status %d", x.response.StatusCode)
	}
	return heard(t, got, want)
}

// next returns the next message of an answer: the only one, or an event's. An
// event without data is none.
func (x *exchange) next(t *testing.T) (string, bool) {
	t.Helper()
	if !x.streams() {
		text := x.rest(t)
		return text, strings.TrimSpace(text) != ""
	}
	for {
		line, err := x.lines.ReadString('\n')
		if err != nil {
			return "", false
		}
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			return data, true
		}
	}
}

func (x *exchange) streams() bool {
	return strings.HasPrefix(x.response.Header.Get("Content-Type"), "text/event-stream")
}

// rest reads what is left of an answer.
func (x *exchange) rest(t *testing.T) string {
	t.Helper()
	text, err := io.ReadAll(x.lines)
	if err != nil {
		t.Errorf("reading an answer: %v", err)
	}
	return string(text)
}

func (h *wireHTTP) hangUp(name string) { h.exchanges[name].cancel() }

// finish sees to it that no request is forgotten.
func (h *wireHTTP) finish(t *testing.T, name string) {
	t.Helper()
	if x := h.exchanges[name]; x != nil {
		h.run(t, name)
	}
}

func (h *wireHTTP) end(t *testing.T) {
	t.Helper()
	for name := range h.exchanges {
		h.finish(t, name)
	}
}

// wirePosts plays what is written for a pipe by one POST for each line.
type wirePosts struct {
	*wireHTTP
	revision string // of the session
	posts    []string
}

func overPosts(t *testing.T, b *core.Bridge) transport {
	return &wirePosts{wireHTTP: serveWire(t, b.Handler())}
}

func (p *wirePosts) send(t *testing.T, _, text string) {
	t.Helper()
	name := strconv.Itoa(len(p.posts))
	p.posts = append(p.posts, name)
	p.wireHTTP.send(t, name, "POST")
	var m struct {
		Method string
		Params struct {
			Name, URI string
			Meta      map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(text), &m) // broken messages have no headers
	header := p.exchanges[name].header
	if version, ok := m.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string); ok {
		header.Set("Mcp-Protocol-Version", version)
		header.Set("Mcp-Method", m.Method)
		if about := m.Params.Name + m.Params.URI; about != "" {
			header.Set("Mcp-Name", about)
		}
	} else if p.newest != "" {
		header.Set("Mcp-Session-Id", p.newest)
		header.Set("Mcp-Protocol-Version", p.revision)
	}
	p.exchanges[name].body = text
	p.run(t, name)
}

// expect takes the next message of the first answer that has one.
func (p *wirePosts) expect(t *testing.T, _, want string) string {
	t.Helper()
	for len(p.posts) > 0 {
		got, ok := p.exchanges[p.posts[0]].next(t)
		if !ok {
			p.posts = p.posts[1:]
			continue
		}
		if p.revision == "" {
			p.note(got)
		}
		return heard(t, got, want)
	}
	return "no more messages"
}

// note remembers the revision of a handshake.
func (p *wirePosts) note(message string) {
	var m struct {
		Result struct{ ProtocolVersion string }
	}
	_ = json.Unmarshal([]byte(message), &m) // another message
	p.revision = m.Result.ProtocolVersion
}

func (p *wirePosts) end(t *testing.T) {
	t.Helper()
	for _, name := range p.posts {
		if got, ok := p.exchanges[name].next(t); ok {
			t.Errorf("more came: %s", got)
		}
	}
}
