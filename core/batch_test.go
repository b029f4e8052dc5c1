package core_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
)

// A batch over HTTP is answered message by message (JSON-RPC 2.0, section 6): what
// is wrong with one says nothing of the others.
func TestBatchesAreAnsweredOneByOne(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	in := map[string]string{"Mcp-Session-Id": sessionOf(t, server.URL, "2025-03-26")}
	for _, c := range []struct {
		batch  string
		status int
		want   []string // of each answer its id and code, 0 for a result; in any order
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, 200, []string{"1 0", "2 0"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"no/such"}`, 200, []string{"1 0", "2 -32601"}},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"},{"jsonrpc":"2.0","id":"two","method":"subscriptions/listen","params":{}}`, 200, []string{"1 -32601", "two -32601"}},
		{`1,{"jsonrpc":"2.0","id":1,"method":"ping"},[],{"foo":"boo"}`, 200, []string{"<nil> -32600", "<nil> -32600", "<nil> -32600", "1 0"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},[{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 200, []string{"1 0", "<nil> -32600"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, []string{"1 0", "1 -32600"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},` + handshake, 200, []string{"1 0", "1 -32600"}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}},{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, 200, []string{"1 -32602"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"tools/list"}`, 200, []string{"1 0"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, 200, []string{"1 0"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":""}`, 200, []string{"1 0", "2 -32600"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},` + deepCall(2, 1000), 200, []string{"1 0", "2 -32600"}},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, 200, []string{"1 0", "2 -32600"}},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, nil},
		{`{"jsonrpc":"2.0","method":"notifications/no/such"}`, 202, nil},
	} {
		status, body := post{header: in, body: "[" + c.batch + "]"}.send(t, server.URL)
		got := answersIn(t, body)
		slices.Sort(got)
		slices.Sort(c.want)
		if status != c.status || !slices.Equal(got, c.want) {
			t.Errorf("%s\n answered %d %q: %s\nwant %d %q", c.batch, status, got, body, c.status, c.want)
		}
	}
}

// deepCall is a call in which arrays and objects lie within each other, so deep.
func deepCall(id, depth int) string {
	n := depth - 3
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x","arguments":{"a":%s%s}}}`, id, strings.Repeat("[", n), strings.Repeat("]", n))
}

// A request that says not what it wants, or nests deeper than can be read, is
// answered as such whichever way it came.
func TestRequestsThatCannotBeRead(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	in := map[string]string{"Mcp-Session-Id": sessionOf(t, server.URL, "2025-11-25")}
	for _, c := range []struct{ body, code string }{
		{deepCall(2, 999), "-32602"}, // an unknown tool
		{deepCall(2, 1000), "-32600"},
		{deepCall(2, 1001), "-32600"},
		{deepCall(2, 9000), "-32600"},
		{`{"jsonrpc":"2.0","id":2,"method":""}`, "-32600"},
		{`{"jsonrpc":"2.0","id":2,"method":null}`, "-32600"},
	} {
		p := startPipe(t, b)
		p.send(handshake)
		p.next()
		p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		p.send(c.body)
		_, posted := post{header: in, body: c.body}.send(t, server.URL)
		for way, got := range map[string]string{"HTTP": posted, "pipe": p.next()} {
			if !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":2,"error":{"code":`+c.code+`,`) || len(got) > 200 {
				t.Errorf("over %s %.100s is answered %.300s, want code %s", way, c.body, got, c.code)
			}
		}
		p.end()
	}
}

// A batch as a whole is refused in words, with a code.
func TestBatchesThatAreRefused(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	session := sessionOf(t, server.URL, "2025-03-26")
	ping := `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`
	for _, c := range []struct {
		name   string
		header map[string]string
		body   string
		status int
		code   string
	}{
		{"empty", map[string]string{"Mcp-Session-Id": session}, `[]`, 400, "-32600"},
		{"broken", map[string]string{"Mcp-Session-Id": session}, `[{]`, 400, "-32700"},
		{"of a newer revision", map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-06-18"}, ping, 400, "-32600"},
		{"of the newest revision", map[string]string{"Mcp-Protocol-Version": "2026-07-28"}, ping, 400, "-32600"},
		{"without a session", nil, ping, 400, "-32600"},
		{"without a session, of what is wrong", nil, `[1]`, 400, "-32600"},
		{"a response without a session", nil, `{"jsonrpc":"2.0","id":1,"result":{}}`, 400, "-32600"},
	} {
		status, body := post{header: c.header, body: c.body}.send(t, server.URL)
		if status != c.status || !strings.Contains(body, `"code":`+c.code) {
			t.Errorf("%s: %d %s, want %d and code %s", c.name, status, body, c.status, c.code)
		}
	}
	if status, _ := (post{header: map[string]string{"Mcp-Session-Id": "dead"}, body: `[{"jsonrpc":"2.0","id":1,"method":"no/such"}]`}).send(t, server.URL); status != http.StatusNotFound {
		t.Errorf("in a dead session: %d, want 404", status)
	}
}

// answersIn returns id and code of each JSON-RPC response in an answer over HTTP.
func answersIn(t *testing.T, body string) (all []string) {
	t.Helper()
	var found []any
	if trimmed := strings.TrimSpace(body); strings.HasPrefix(trimmed, "[") {
		found, _ = decode(t, trimmed).([]any)
	}
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			found = append(found, decode(t, data))
		}
	}
	for _, one := range found {
		m, _ := one.(map[string]any)
		failure, _ := m["error"].(map[string]any)
		code := failure["code"]
		if code == nil {
			code = 0
		}
		all = append(all, fmt.Sprint(m["id"], " ", code))
	}
	return all
}

// sessionOf returns the id of a new session.
func sessionOf(t *testing.T, url, revision string) string {
	t.Helper()
	r := post{body: fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, revision)}.request(t, url)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.Header.Get("Mcp-Session-Id")
}
