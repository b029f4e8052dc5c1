package core_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A post is one HTTP request and what is to be answered.
type post struct {
	name   string
	method string            // POST if empty
	header map[string]string // on top of Content-Type and Accept
	body   string
	status int
	want   string // JSON that the answer holds at least; "" is anything
}

// modernHeader are the headers of a request of 2026-07-28.
func modernHeader(method, name string) map[string]string {
	h := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		h["Mcp-Name"] = name
	}
	return h
}

// modernBody is a request of 2026-07-28 with these params, given without braces.
func modernBody(method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method, params)
}

func with(h map[string]string, more ...string) map[string]string {
	for i := 0; i < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

func TestHTTP(t *testing.T) {
	b := newBridge(t, core.Options{Origins: []string{"https://app.example.com"}, Hosts: []string{"mcp.example.com"}}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	list := modernBody("tools/list", "")
	thing := base64.StdEncoding.EncodeToString([]byte("odd://odd/things/é%2Fx"))
	for _, p := range []post{
		{"a list", "", modernHeader("tools/list", ""), list, 200, `{"id":1,"result":{"resultType":"complete","cacheScope":"private"}}`},
		{"accept anything", "", with(modernHeader("tools/list", ""), "Accept", "*/*"), list, 200, `{"id":1,"result":{}}`},
		{"accept a kind", "", with(modernHeader("tools/list", ""), "Accept", "application/*, text/event-stream"), list, 200, `{"id":1,"result":{}}`},
		{"charset", "", with(modernHeader("tools/list", ""), "Content-Type", "application/json; charset=utf-8"), list, 200, `{"id":1,"result":{}}`},
		{"other type", "", with(modernHeader("tools/list", ""), "Content-Type", "text/plain"), list, 415, ""},
		{"a name in base64", "", modernHeader("resources/read", "=?base64?"+thing+"?="), modernBody("resources/read", `"uri":"odd://odd/things/é%2Fx"`), 200, `{"result":{"contents":[{"text":"a thing"}]}}`},
		{"a name in bad base64", "", modernHeader("resources/read", "=?base64?*?="), modernBody("resources/read", `"uri":"odd://odd/note"`), 400, `{"error":{"code":-32020}}`},
		{"another name than in the body", "", modernHeader("resources/read", "odd://odd/note"), modernBody("resources/read", `"uri":"odd://odd/broken"`), 400, `{"id":1,"error":{"code":-32020}}`},
		{"no version header", "", map[string]string{}, list, 400, `{"id":1,"error":{"code":-32020}}`},
		{"no version in the body", "", modernHeader("tools/list", ""), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 400, `{"id":1,"error":{"code":-32602}}`},
		{"a future version", "", with(modernHeader("tools/list", ""), "Mcp-Protocol-Version", "2099-01-01"), strings.Replace(list, "2026-07-28", "2099-01-01", 1), 400, `{"id":1,"error":{"code":-32022,"data":{"requested":"2099-01-01"}}}`},
		{"a version that never was", "", with(modernHeader("tools/list", ""), "Mcp-Protocol-Version", "1900-01-01"), list, 400, `{"id":1,"error":{"code":-32022,"data":{"requested":"1900-01-01","supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]}}}`},
		{"unknown method", "", modernHeader("no/such", ""), modernBody("no/such", ""), 404, `{"id":1,"error":{"code":-32601}}`},
		{"unknown tool", "", modernHeader("tools/call", "no"), modernBody("tools/call", `"name":"no"`), 400, `{"id":1,"error":{"code":-32602}}`},
		{"unknown resource", "", modernHeader("resources/read", "odd://odd/no"), modernBody("resources/read", `"uri":"odd://odd/no"`), 400, `{"id":1,"error":{"code":-32602,"data":{"uri":"odd://odd/no"}}}`},
		{"failing tool", "", modernHeader("tools/call", "fails"), modernBody("tools/call", `"name":"fails"`), 200, `{"id":1,"result":{"isError":true,"resultType":"complete"}}`},
		{"a notification", "", modernHeader("notifications/cancelled", ""), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, 202, ""},
		{"no JSON", "", nil, "no JSON", 400, `{"id":"(absent)","error":{"code":-32700}}`},
		{"nothing", "", nil, "", 400, `{"error":{"code":-32700}}`},
		{"an id that would be rounded", "", modernHeader("tools/list", ""), strings.Replace(list, `"id":1`, `"id":9007199254740993`, 1), 200, `{"id":9007199254740993,"result":{}}`},
		{"too large", "", nil, `"` + strings.Repeat("x", 4<<20) + `"`, 413, ""},
		{"get without session", "GET", modernHeader("", ""), "", 405, ""},
		{"delete without session", "DELETE", modernHeader("", ""), "", 405, ""},
		{"put", "PUT", nil, "", 405, ""},
		{"old request without session", "", nil, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 400, `{"id":1,"error":{"code":-32600}}`},
		{"dead session", "", map[string]string{"Mcp-Session-Id": "dead"}, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 404, ""},
		{"foreign page", "", with(modernHeader("tools/list", ""), "Origin", "http://evil.example.com"), list, 403, ""},
		{"page without origin", "", with(modernHeader("tools/list", ""), "Origin", "null"), list, 403, ""},
		{"local page", "", with(modernHeader("tools/list", ""), "Origin", "http://localhost:6274"), list, 200, ""},
		{"page under another name", "", with(modernHeader("tools/list", ""), "Origin", "http://localhost.example.com"), list, 403, ""},
		{"allowed page", "", with(modernHeader("tools/list", ""), "Origin", "https://app.example.com"), list, 200, ""},
		{"rebound name", "", with(modernHeader("tools/list", ""), "Host", "evil.example.com"), list, 403, ""},
		{"allowed name", "", with(modernHeader("tools/list", ""), "Host", "mcp.example.com:8443"), list, 200, ""},
		{"localhost", "", with(modernHeader("tools/list", ""), "Host", "localhost:1"), list, 200, ""},
		{"loopback of IPv6", "", with(modernHeader("tools/list", ""), "Host", "[::1]:1"), list, 200, ""},
	} {
		t.Run(p.name, func(t *testing.T) {
			status, body := p.send(t, server.URL)
			if status != p.status {
				t.Errorf("status %d, want %d: %s", status, p.status, body)
			}
			if p.want == "" {
				return
			}
			if problem := holds(decode(t, body), decode(t, p.want)); problem != "" {
				t.Errorf("%s: %s, want %s", problem, body, p.want)
			}
		})
	}
}

func (p post) request(t testing.TB, url string) *http.Request {
	t.Helper()
	method := p.method
	if method == "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(p.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range p.header {
		r.Header.Set(name, value)
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	return r
}

func (p post) send(t *testing.T, url string) (status int, body string) {
	t.Helper()
	response, err := http.DefaultClient.Do(p.request(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(all)
}

// A request that asks for progress is answered by a stream that passes proxies.
func TestHTTPStreamsWhenAsked(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		c.Progress(1, 2, "half")
		c.Log("warning", "slow backend")
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, nil
	})})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	for _, c := range []struct {
		meta string
		want []string // the methods of the stream; nil is one JSON object
	}{
		{``, nil},
		{`"progressToken":"p",`, []string{"notifications/progress", "<nil>"}},
		{`"io.modelcontextprotocol/logLevel":"info",`, []string{"notifications/message", "<nil>"}},
		{`"io.modelcontextprotocol/logLevel":"error",`, []string{"<nil>"}},
	} {
		body := strings.Replace(modernBody("tools/call", `"name":"do"`), `"_meta":{`, `"_meta":{`+c.meta, 1)
		r := post{header: modernHeader("tools/call", "do"), body: body}.request(t, server.URL)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if c.want == nil {
			if got := response.Header.Get("Content-Type"); got != "application/json" {
				t.Errorf("%q: answered %s, want application/json", c.meta, got)
			}
			continue
		}
		if h := response.Header; h.Get("Content-Type") != "text/event-stream" || h.Get("X-Accel-Buffering") != "no" {
			t.Errorf("%q: headers %v, want an unbuffered stream", c.meta, h)
		}
		var got []string
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				m, _ := decode(t, data).(map[string]any)
				got = append(got, fmt.Sprint(m["method"]))
			}
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%q: stream of %v, want %v", c.meta, got, c.want)
		}
	}
}

// When a client of 2026-07-28 goes away, its request is canceled.
func TestHTTPDisconnectCancels(t *testing.T) {
	for _, meta := range []string{``, `"progressToken":1,`} {
		started, ended := make(chan struct{}), make(chan error, 1)
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
			close(started)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		})})
		server := httptest.NewServer(b.Handler())
		ctx, cancel := context.WithCancel(t.Context())
		body := strings.Replace(modernBody("tools/call", `"name":"do"`), `"_meta":{`, `"_meta":{`+meta, 1)
		r := post{header: modernHeader("tools/call", "do"), body: body}.request(t, server.URL).WithContext(ctx)
		go func() {
			response, err := http.DefaultClient.Do(r)
			if err == nil {
				response.Body.Close()
			}
		}()
		<-started
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%q: the adapter saw %v, want Canceled", meta, err)
		}
		server.Close()
	}
}

// One URL serves both eras: a handshake opens a session, which is closed again.
func TestHTTPSession(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	response, err := http.DefaultClient.Do(post{body: handshake}.request(t, server.URL))
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	session := response.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal("no session")
	}
	in := map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
	status, body := post{header: in, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`}.send(t, server.URL)
	if status != 200 || !strings.Contains(body, `"list_orders"`) || strings.Contains(body, "resultType") {
		t.Errorf("list in a session: %d %s", status, body)
	}
	status, body = post{header: in, body: `{"jsonrpc":"2.0","id":3,"method":"resources/read"}`}.send(t, server.URL)
	if status != 200 || !strings.Contains(body, `-32602`) {
		t.Errorf("read without params: %d %s", status, body)
	}
	if status, body = (post{method: "DELETE", header: in}).send(t, server.URL); status != 204 {
		t.Errorf("delete: %d %s", status, body)
	}
	if status, _ = (post{header: in, body: `{"jsonrpc":"2.0","id":4,"method":"ping"}`}).send(t, server.URL); status != 404 {
		t.Errorf("a closed session answers %d, want 404", status)
	}
}
