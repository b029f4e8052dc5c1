package core_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const oldHandshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// openSSE opens a stream and has its handshake; it returns where to POST to.
func openSSE(t *testing.T, h *wireHTTP, header ...string) string {
	t.Helper()
	h.send(t, "stream", "GET")
	for _, line := range header {
		h.send(t, "stream", line)
	}
	if problem := h.expect(t, "stream", "endpoint"); problem != "" {
		t.Fatal(problem)
	}
	endpoint := h.session()
	if status := postSSE(t, h, endpoint, oldHandshake, header...); status != http.StatusAccepted {
		t.Fatalf("handshake: status %d", status)
	}
	if problem := h.expect(t, "stream", `{"id":0,"result":{}}`); problem != "" {
		t.Fatal(problem)
	}
	return endpoint
}

func postSSE(t *testing.T, h *wireHTTP, endpoint, body string, header ...string) int {
	t.Helper()
	h.send(t, "post", "POST "+endpoint)
	for _, line := range append(header, body) {
		h.send(t, "post", line)
	}
	return h.run(t, "post").response.StatusCode
}

// What is under way when the bridge closes is answered before the stream ends.
func TestSSEAnswersBeforeItEnds(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(context.Context, mapping.Call) (*mapping.Result, error) {
		close(started)
		<-finish
		return &mapping.Result{JSON: json.RawMessage(`{"done":true}`)}, nil
	})})
	h := serveWire(t, b.SSEHandler())
	endpoint := openSSE(t, h)
	postSSE(t, h, endpoint, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"do"}}`)
	<-started
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	close(finish)
	for _, want := range []string{`{"id":1,"result":{"content":[{"text":"{\"done\":true}"}]}}`, "end"} {
		if problem := h.expect(t, "stream", want); problem != "" {
			t.Errorf("%s, want %s", problem, want)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// A session belongs to whose token opened it.
func TestSSESessionsHaveAnOwner(t *testing.T) {
	var seen mapping.Caller
	b := newBridge(t, core.Options{Auth: &core.Auth{Verify: func(_ context.Context, token string) (core.Identity, error) {
		return core.Identity{Caller: mapping.Caller{ID: token}}, nil
	}}}, core.Sources{"one": onOne(func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		seen = c.Caller
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, nil
	})})
	h := serveWire(t, b.SSEHandler())
	endpoint := openSSE(t, h, "Authorization: Bearer ann")
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"do"}}`
	for _, c := range []struct {
		header []string
		want   int
	}{
		{nil, http.StatusUnauthorized},
		{[]string{"Authorization: Bearer bob"}, http.StatusNotFound},
		{[]string{"Authorization: Bearer ann"}, http.StatusAccepted},
	} {
		if got := postSSE(t, h, endpoint, call, c.header...); got != c.want {
			t.Errorf("%v: status %d, want %d", c.header, got, c.want)
		}
	}
	if problem := h.expect(t, "stream", `{"id":1,"result":{"isError":"(absent)"}}`); problem != "" {
		t.Error(problem)
	}
	if seen.ID != "ann" {
		t.Errorf("the adapter was called by %q, want ann", seen.ID)
	}
	if status := (post{method: "GET"}).statusOnly(t, h.url); status != http.StatusUnauthorized {
		t.Errorf("a stream without a token: status %d, want 401", status)
	}
}

// A session of the older transport is none at the endpoint of the newer one.
func TestSSESessionsTakeMessagesAtTheirEndpoint(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"one": onOne(quick)})
	h := serveWire(t, b.SSEHandler())
	endpoint := openSSE(t, h)
	_, id, _ := strings.Cut(endpoint, "sessionid=")
	for _, body := range []string{ping, callDo, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`} {
		if w := recorded(t, b.Handler(), post{header: map[string]string{"Mcp-Session-Id": id}, body: body}); w.Code != http.StatusNotFound {
			t.Errorf("%s is answered with %d: %.100s", body, w.Code, w.Body)
		}
	}
}

// Over the older transport, too, streams of notifications are so many for each
// caller, in all sessions together.
func TestSSEListens(t *testing.T) {
	b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Listens: 2}}, core.Sources{"one": onOne(quick)})
	for _, who := range []string{"ann", "bob"} {
		var h *wireHTTP
		var endpoint string
		for i := range 2 {
			h = serveWire(t, b.SSEHandler())
			endpoint = openSSE(t, h, "Authorization: Bearer "+who)
			postSSE(t, h, endpoint, listenRequest(i), "Authorization: Bearer "+who)
			if problem := h.expect(t, "stream", `{"method":"notifications/subscriptions/acknowledged"}`); problem != "" {
				t.Errorf("%s, listen %d: %s", who, i, problem)
			}
		}
		postSSE(t, h, endpoint, listenRequest(3), "Authorization: Bearer "+who)
		if problem := h.expect(t, "stream", `{"id":3,"error":{"code":-32603}}`); problem != "" {
			t.Errorf("%s, one too many: %s", who, problem)
		}
	}
}

func (p post) statusOnly(t *testing.T, url string) int {
	t.Helper()
	response, err := http.DefaultClient.Do(p.request(t, url))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// Behind a proxy or a mux that strips the path, a client is told the path that it
// came by.
func TestSSEEndpointIsWhereTheClientCameBy(t *testing.T) {
	h := serveWire(t, http.StripPrefix("/outside", wireworks(t).SSEHandler()))
	h.send(t, "stream", "GET /outside/sse?x=1")
	if problem := h.expect(t, "stream", "endpoint"); problem != "" || !strings.HasPrefix(h.session(), "/outside/sse?sessionid=") {
		t.Errorf("endpoint %q %s, want one below /outside/sse", h.session(), problem)
	}
}
