package core_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
)

// A page sends requests as the Fetch standard has a browser do it for a script of
// another origin, without credentials.
type page struct{ origin string }

// fetch is the standard's HTTP fetch with mode "cors": a preflight first, unless
// method and headers are safe, then the request. The error is what a script sees
// as a TypeError; without one it sees the status and these headers.
func (p page) fetch(t *testing.T, r *http.Request) (status int, seen http.Header, err error) {
	t.Helper()
	r.Header.Set("Origin", p.origin)
	if unsafe := unsafeHeaders(r); len(unsafe) > 0 || !isSafeMethod(r.Method) {
		if err := p.preflight(t, r, unsafe); err != nil {
			return 0, nil, err
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := p.check(response); err != nil {
		return 0, nil, err
	}
	hideHeaders(response)
	return response.StatusCode, response.Header, nil
}

// preflight is the standard's CORS-preflight fetch.
func (p page) preflight(t *testing.T, r *http.Request, unsafe []string) error {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, r.URL.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept", "*/*")
	ask.Header.Set("Access-Control-Request-Method", r.Method)
	ask.Header.Set("Origin", p.origin)
	if len(unsafe) > 0 {
		ask.Header.Set("Access-Control-Request-Headers", strings.Join(unsafe, ","))
	}
	response, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if err := p.check(response); err != nil {
		return fmt.Errorf("preflight: %w", err)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("preflight: status %d", response.StatusCode)
	}
	methods, headers := fieldList(response, "Access-Control-Allow-Methods"), fieldList(response, "Access-Control-Allow-Headers")
	if !slices.Contains(methods, r.Method) && !isSafeMethod(r.Method) && !slices.Contains(methods, "*") {
		return fmt.Errorf("preflight: method %s is not in %q", r.Method, methods)
	}
	for _, name := range unsafe {
		named := slices.ContainsFunc(headers, func(h string) bool { return strings.EqualFold(h, name) })
		if !named && (name == "authorization" || !slices.Contains(headers, "*")) {
			return fmt.Errorf("preflight: header %s is not in %q", name, headers)
		}
	}
	return nil
}

// check is the standard's CORS check.
func (p page) check(response *http.Response) error {
	allowed := response.Header.Values("Access-Control-Allow-Origin")
	if len(allowed) != 1 || allowed[0] != "*" && allowed[0] != p.origin {
		return fmt.Errorf("status %d, Access-Control-Allow-Origin is %q", response.StatusCode, allowed)
	}
	return nil
}

// hideHeaders leaves the headers that a script may read.
func hideHeaders(response *http.Response) {
	exposed := append(fieldList(response, "Access-Control-Expose-Headers"),
		"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma")
	for name := range response.Header {
		if !slices.ContainsFunc(exposed, func(e string) bool { return e == "*" || strings.EqualFold(e, name) }) {
			response.Header.Del(name)
		}
	}
}

// unsafeHeaders are the standard's CORS-unsafe request-header names: sorted, in
// lower case.
func unsafeHeaders(r *http.Request) (names []string) {
	for name, values := range r.Header {
		switch name = strings.ToLower(name); name {
		case "accept", "origin":
			continue
		case "content-type":
			essence, _, _ := strings.Cut(values[0], ";")
			if slices.Contains([]string{"text/plain", "multipart/form-data", "application/x-www-form-urlencoded"}, essence) {
				continue
			}
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func isSafeMethod(method string) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, method)
}

func fieldList(response *http.Response, name string) (list []string) {
	for _, value := range response.Header.Values(name) {
		for entry := range strings.SplitSeq(value, ",") {
			list = append(list, strings.TrimSpace(entry))
		}
	}
	return list
}

// A page of an origin that is listed uses the bridge in either era: it may send
// what its client has to send, and read what that has to read.
func TestPagesOfListedOrigins(t *testing.T) {
	b := newBridge(t, core.Options{
		Origins: []string{"https://app.example.com"},
		Auth:    &core.Auth{Verify: identities(map[string]core.Identity{"good": named("ann")})},
	}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	app := page{"https://app.example.com"}
	brings := func(h map[string]string) map[string]string {
		return with(h, "Authorization", "Bearer good", "X-Upstream-Key", "k", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	}

	status, _, err := app.fetch(t, post{header: brings(modernHeader("tools/list", "")), body: modernBody("tools/list", "")}.request(t, server.URL))
	if err != nil || status != http.StatusOK {
		t.Errorf("a request of 2026-07-28: %v, %v", status, err)
	}
	status, seen, err := app.fetch(t, post{header: modernHeader("tools/list", ""), body: modernBody("tools/list", "")}.request(t, server.URL))
	if err != nil || status != http.StatusUnauthorized || seen.Get("Www-Authenticate") == "" {
		t.Errorf("without a token: %v, %v; want status 401 and the challenge", status, err)
	}
	status, seen, err = app.fetch(t, post{header: brings(map[string]string{}), body: handshake}.request(t, server.URL))
	if err != nil || seen.Get("Mcp-Session-Id") == "" {
		t.Fatalf("initialize: %v, %v; want the id of a session", status, err)
	}
	in := brings(map[string]string{"Mcp-Session-Id": seen.Get("Mcp-Session-Id"), "Mcp-Protocol-Version": "2025-11-25"})
	status, _, err = app.fetch(t, post{header: in, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`}.request(t, server.URL))
	if err != nil || status != http.StatusOK {
		t.Errorf("a request in the session: %v, %v", status, err)
	}
	status, _, err = app.fetch(t, post{method: http.MethodGet, header: with(in, "Last-Event-Id", "1_2")}.request(t, server.URL))
	if err != nil {
		t.Errorf("to listen in the session: %v, %v", status, err)
	}
	status, _, err = app.fetch(t, post{method: http.MethodDelete, header: in}.request(t, server.URL))
	if err != nil || status != http.StatusNoContent {
		t.Errorf("to end the session: %v, %v", status, err)
	}
}

// What a page of another origin is told: nothing.
func TestPagesOfOtherOrigins(t *testing.T) {
	b := newBridge(t, core.Options{Origins: []string{"https://app.example.com"}}, core.Sources{"odd": oddities()})
	mux := http.NewServeMux()
	mux.Handle("/mcp", b.Handler())
	mux.Handle("/sse", b.SSEHandler())
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, origin := range []string{
		"http://app.example.com", "https://app.example.com:444", "https://other.example.com", "https://app.example.com.other.example",
		"null", "http://localhost:5173", server.URL + "0", // of this machine, and not listed
	} {
		for _, r := range []*http.Request{
			post{header: modernHeader("tools/list", ""), body: modernBody("tools/list", "")}.request(t, server.URL+"/mcp"),
			post{method: http.MethodGet}.request(t, server.URL+"/sse"),
		} {
			if status, _, err := (page{origin}).fetch(t, r); err == nil {
				t.Errorf("a page of %s is answered %d by %s", origin, status, r.URL)
			}
		}
	}
}

// The metadata of RFC 9728 is for everybody; so browsers may keep one copy of it.
func TestPagesReadMetadata(t *testing.T) {
	b := newBridge(t, core.Options{Auth: &core.Auth{
		Verify: identities(nil), Resource: "https://mcp.example.com/mcp", AuthorizationServers: []string{"https://issuer.example.com"},
	}}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Metadata())
	t.Cleanup(server.Close)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		r := post{method: http.MethodGet, header: map[string]string{"Mcp-Protocol-Version": "2025-11-25"}}.request(t, server.URL+path)
		status, _, err := page{"https://anywhere.example"}.fetch(t, r)
		if err != nil || status != http.StatusOK {
			t.Errorf("%s: %v, %v", path, status, err)
		}
	}
}

// An answer that depends on who asks says so to caches, and no answer lets a page
// use cookies.
func TestPreflight(t *testing.T) {
	b := newBridge(t, core.Options{Origins: []string{"https://app.example.com"}}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	for _, c := range []struct {
		method string
		header map[string]string
		status int
	}{
		{http.MethodOptions, map[string]string{"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST"}, http.StatusNoContent},
		{http.MethodOptions, map[string]string{"Origin": "https://other.example.com", "Access-Control-Request-Method": "POST"}, http.StatusForbidden},
		{http.MethodOptions, map[string]string{"Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST"}, http.StatusForbidden},
		{http.MethodOptions, map[string]string{"Origin": "https://app.example.com"}, http.StatusMethodNotAllowed}, // no preflight
		{http.MethodPost, map[string]string{"Origin": "https://app.example.com"}, http.StatusBadRequest},
	} {
		response, err := http.DefaultClient.Do(post{method: c.method, header: c.header}.request(t, server.URL))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != c.status {
			t.Errorf("%s %v: status %d, want %d", c.method, c.header, response.StatusCode, c.status)
		}
		if c.status == http.StatusForbidden {
			continue
		}
		if !strings.Contains(response.Header.Get("Vary"), "Origin") || response.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %v: headers %v, want Vary: Origin and no credentials", c.method, c.header, response.Header)
		}
	}
}

// An origin or a host that no request could ever carry is refused when the bridge
// is made, unless it is plain what it means.
func TestHostsAndOriginsCanMatch(t *testing.T) {
	for _, c := range []struct{ origin, sent string }{ // what a browser sends, "" if the entry is refused
		{"https://app.example.com", "https://app.example.com"},
		{"https://app.example.com/", "https://app.example.com"},
		{"HTTPS://App.Example.com", "https://app.example.com"},
		{"https://app.example.com:443", "https://app.example.com"},
		{"http://app.example.com:80/", "http://app.example.com"},
		{"http://app.example.com:8080", "http://app.example.com:8080"},
		{"http://[::1]:8080", "http://[::1]:8080"},
		{"chrome-extension://abcdefghijklmnop", "chrome-extension://abcdefghijklmnop"},
		{"*", "https://anywhere.example"},
		{"https://app.example.com/mcp", ""},
		{"https://app.example.com?x", ""},
		{"https://me@app.example.com", ""},
		{"app.example.com", ""},
		{"app.example.com:8080", ""},
		{"//app.example.com", ""},
		{"https://*.example.com", ""},
		{"https://bücher.example", ""},
		{"null", ""},
		{"", ""},
	} {
		b, err := core.New(core.Options{Origins: []string{c.origin}}, core.Sources{"odd": oddities()})
		if (err == nil) != (c.sent != "") {
			t.Errorf("origin %q: %v", c.origin, err)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "http.origins: ") {
				t.Errorf("origin %q: %v", c.origin, err)
			}
			continue
		}
		t.Cleanup(func() { b.Close() })
		server := httptest.NewServer(b.Handler())
		t.Cleanup(server.Close)
		r := post{header: modernHeader("tools/list", ""), body: modernBody("tools/list", "")}.request(t, server.URL)
		if status, _, err := (page{c.sent}).fetch(t, r); err != nil || status != http.StatusOK {
			t.Errorf("origin %q: a page of %s is answered %d, %v", c.origin, c.sent, status, err)
		}
	}
	for host, sent := range map[string]string{
		"mcp.example.com": "mcp.example.com:8808", "MCP.example.com": "mcp.example.com", "*": "anything.example", "[2001:db8::1]": "[2001:db8::1]:8808",
		"mcp.example.com:8808": "", "https://mcp.example.com": "", "mcp.example.com/": "", "*.example.com": "", "": "", "bücher.example": "",
	} {
		b, err := core.New(core.Options{Hosts: []string{host}}, core.Sources{"odd": oddities()})
		if (err == nil) != (sent != "") {
			t.Errorf("host %q: %v", host, err)
		}
		if err != nil {
			continue
		}
		t.Cleanup(func() { b.Close() })
		r := post{header: modernHeader("tools/list", ""), body: modernBody("tools/list", "")}.request(t, "/")
		r.Host = sent
		answer := httptest.NewRecorder()
		if b.Handler().ServeHTTP(answer, r); answer.Code != http.StatusOK {
			t.Errorf("host %q: a request for %s is answered %d", host, sent, answer.Code)
		}
	}
}
