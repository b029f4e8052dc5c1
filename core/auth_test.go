package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// identities is a check of tokens that knows these.
func identities(known map[string]core.Identity) func(context.Context, string) (core.Identity, error) {
	return func(_ context.Context, token string) (core.Identity, error) {
		if token == "out-of-order" {
			return core.Identity{}, errors.New("the issuer at 10.0.0.7 does not answer")
		}
		who, ok := known[token]
		if !ok {
			return core.Identity{}, &mapping.Error{Code: mapping.Unauthenticated, Problem: "the token is unknown"}
		}
		return who, nil
	}
}

// named returns an identity that never ends.
func named(id string, scopes ...string) core.Identity {
	return core.Identity{Caller: mapping.Caller{ID: id, Scopes: scopes}}
}

// dialAs connects the SDK's client over HTTP with a token.
func dialAs(t *testing.T, url, token, revision string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   url,
		HTTPClient: &http.Client{Transport: bearer(token)},
	}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// RFC 6750 section 3 says what a challenge holds, RFC 9728 section 5.1 and the
// authorization page of MCP what it holds beside.
func TestChallenges(t *testing.T) {
	log := &logLines{}
	b := newBridge(t, core.Options{Logger: log.logger(), Auth: &core.Auth{
		Verify: identities(map[string]core.Identity{
			"good":    named("ann", "mcp", "more"),
			"poor":    named("bob", "more"),
			"past":    {Caller: mapping.Caller{ID: "cyd", Scopes: []string{"mcp"}}, Expires: time.Now().Add(-time.Minute)},
			"just":    {Caller: mapping.Caller{ID: "dan", Scopes: []string{"mcp"}}, Expires: time.Now().Add(-10 * time.Second)},
			"no-body": {},
		}),
		Resource:             "https://mcp.example.com/mcp",
		AuthorizationServers: []string{"https://issuer.example.com"},
		Scopes:               []string{"mcp"},
	}}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	const rest = `scope="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`
	for _, c := range []struct {
		name, header string
		status       int
		challenge    string
	}{
		{"good", "Bearer good", 200, ""},
		{"good, in capitals", "BEARER  good", 200, ""},
		{"within the skew of clocks", "Bearer just", 200, ""},
		{"none", "", 401, `Bearer ` + rest},
		{"unknown", "Bearer guess", 401, `Bearer error="invalid_token", error_description="the token is unknown", ` + rest},
		{"expired", "Bearer past", 401, `Bearer error="invalid_token", error_description="the token has expired", ` + rest},
		{"another scheme", "Basic Z29vZDpnb29k", 401, `Bearer error="invalid_request", error_description="send one header: Authorization: Bearer and the token", ` + rest},
		{"no token", "Bearer ", 401, `Bearer error="invalid_request", error_description="send one header: Authorization: Bearer and the token", ` + rest},
		{"two tokens", "Bearer good good", 401, `Bearer error="invalid_request", error_description="send one header: Authorization: Bearer and the token", ` + rest},
		{"too few scopes", "Bearer poor", 403, `Bearer error="insufficient_scope", error_description="the token lacks a scope; this needs mcp", ` + rest},
		{"cannot be checked", "Bearer out-of-order", 503, ""},
		{"nobody", "Bearer no-body", 500, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := post{header: modernHeader("tools/list", ""), body: modernBody("tools/list", "")}
			r := p.request(t, server.URL+"?access_token=good")
			if c.header != "" {
				r.Header.Set("Authorization", c.header)
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Join(log.take(), "\n")
			_, token, _ := strings.Cut(c.header, " ")
			logged := strings.Contains(lines, `"a caller is refused","status":`+strconv.Itoa(c.status))
			if want := strings.Contains(c.challenge, "error="); logged != want || token != "" && strings.Contains(lines, token) {
				t.Errorf("the log has %s, a line about it wanted: %v", lines, want)
			}
			if got := response.Header.Get("WWW-Authenticate"); response.StatusCode != c.status || got != c.challenge {
				t.Errorf("%d %s: %s\nwant %d %s", response.StatusCode, got, body, c.status, c.challenge)
			}
			if strings.Contains(string(body), "10.0.0.7") {
				t.Errorf("the client is told of the inside: %s", body)
			}
		})
	}
}

// A request without a token is turned away before its body is read.
func TestStrangersBodiesAreNotRead(t *testing.T) {
	b := newBridge(t, core.Options{Auth: &core.Auth{Verify: identities(nil)}}, core.Sources{"odd": oddities()})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", unreadable{t})
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

// RFC 9728 section 3.1: the well-known part stands before the path; MCP clients
// look there, and then at the root.
func TestMetadata(t *testing.T) {
	verify := identities(nil)
	rules := mapping.Rules{Scopes: map[string][]string{"effect:destroys": {"orders:write"}, "get_order": {"orders:read"}}}
	for _, c := range []struct {
		auth  *core.Auth
		found []string
		none  []string
	}{
		{
			&core.Auth{Verify: verify, Resource: "https://mcp.example.com/mcp", AuthorizationServers: []string{"https://issuer.example.com"}, Scopes: []string{"mcp"}},
			[]string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"},
			[]string{"/.well-known/oauth-protected-resource/", "/.well-known/oauth-protected-resource/other"},
		},
		{
			&core.Auth{Verify: verify, Resource: "https://mcp.example.com", AuthorizationServers: []string{"https://issuer.example.com"}, Scopes: []string{"mcp"}},
			[]string{"/.well-known/oauth-protected-resource"},
			[]string{"/.well-known/oauth-protected-resource/mcp"},
		},
		{&core.Auth{Verify: verify}, nil, []string{"/.well-known/oauth-protected-resource"}},
		{nil, nil, []string{"/.well-known/oauth-protected-resource"}},
	} {
		b := newBridge(t, core.Options{Auth: c.auth, Rules: rules}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
		get := func(path string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			b.Metadata().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			return w
		}
		for _, path := range c.found {
			w := get(path)
			var got any
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			want := map[string]any{
				"resource":                 c.auth.Resource,
				"authorization_servers":    []any{"https://issuer.example.com"},
				"scopes_supported":         []any{"mcp", "orders:read", "orders:write"},
				"bearer_methods_supported": []any{"header"},
				"resource_name":            "mcp-bridge",
			}
			if diff := cmp.Diff(want, got); diff != "" || w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", path, w.Code, diff)
			}
		}
		for _, path := range c.none {
			if w := get(path); w.Code != http.StatusNotFound {
				t.Errorf("%s: %d %s, want 404", path, w.Code, w.Body)
			}
		}
	}
}

func TestAuthOptions(t *testing.T) {
	verify := identities(nil)
	for _, c := range []struct {
		auth core.Auth
		want string // "" is right
	}{
		{core.Auth{Verify: verify}, ""},
		{core.Auth{}, "auth: Verify is missing"},
		{core.Auth{Verify: verify, AuthorizationServers: []string{"https://issuer.example.com"}}, "http.auth.resource is missing"},
		{core.Auth{Verify: verify, Resource: "mcp.example.com/mcp"}, "http.auth.resource: "},
		{core.Auth{Verify: verify, Resource: "https://mcp.example.com/mcp#x"}, "http.auth.resource: "},
	} {
		b, err := core.New(core.Options{Auth: &c.auth}, nil)
		if err == nil {
			b.Close()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.auth, err, c.want)
		}
	}
}

// What is called knows who calls, and not by which token.
func TestAdaptersSeeTheCallerAndNoToken(t *testing.T) {
	callers := make(chan mapping.Caller, 1)
	b := newBridge(t, core.Options{Auth: &core.Auth{Verify: identities(map[string]core.Identity{
		"canary-token": {Caller: mapping.Caller{ID: "ann", Scopes: []string{"a"}, Claims: map[string]json.RawMessage{"team": json.RawMessage(`["x","y"]`)}}},
	})}}, core.Sources{"one": onOne(func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		callers <- c.Caller
		return nil, nil
	})})
	mcp.AddTool(b.Server(), &mcp.Tool{Name: "headers"}, func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, r.Extra.Header, nil
	})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		session := dialAs(t, server.URL, "canary-token", revision)
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "do"}); err != nil {
			t.Fatal(err)
		}
		want := mapping.Caller{ID: "ann", Scopes: []string{"a"}, Claims: map[string]json.RawMessage{"team": json.RawMessage(`["x","y"]`)}}
		if diff := cmp.Diff(want, <-callers); diff != "" {
			t.Errorf("%s: %s", revision, diff)
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "headers"})
		if err != nil {
			t.Fatal(err)
		}
		if shown := text(t, result); strings.Contains(shown, "canary") || !strings.Contains(shown, "Content-Type") {
			t.Errorf("%s: behind the door the headers are %s", revision, shown)
		}
	}
}

// A session belongs to who opened it.
func TestSessionsBelongToTheirUser(t *testing.T) {
	b := newBridge(t, core.Options{Auth: &core.Auth{Verify: identities(map[string]core.Identity{
		"ann": named("ann"), "ann-renewed": named("ann"), "bob": named("bob"),
	})}}, core.Sources{"odd": oddities()})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	id := dialAs(t, server.URL, "ann", "2025-11-25").ID()
	if id == "" {
		t.Fatal("there is no session")
	}
	for _, c := range []struct {
		token, method string
		status        int
	}{
		{"bob", http.MethodPost, 403},
		{"bob", http.MethodGet, 403},
		{"bob", http.MethodDelete, 403},
		{"", http.MethodPost, 401},
		{"ann-renewed", http.MethodPost, 200},
		{"ann", http.MethodDelete, 204},
	} {
		p := post{method: c.method, header: map[string]string{"Mcp-Session-Id": id}, body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`}
		if c.method == http.MethodGet {
			p.header["Accept"] = "text/event-stream"
		}
		if c.token != "" {
			p.header["Authorization"] = "Bearer " + c.token
		}
		if status, body := p.send(t, server.URL); status != c.status {
			t.Errorf("%s as %q: %d %s, want %d", c.method, c.token, status, body, c.status)
		}
	}
}

// A stream ends with the token that opened it.
func TestStreamsEndWithTheirToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := core.New(core.Options{Auth: &core.Auth{Verify: identities(map[string]core.Identity{
			"short": {Caller: mapping.Caller{ID: "ann"}, Expires: time.Now().Add(time.Hour)},
		})}}, core.Sources{"odd": oddities()})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		begin := time.Now()
		p := post{header: with(modernHeader("subscriptions/listen", ""), "Authorization", "Bearer short"),
			body: modernBody("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)}
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
		if took := time.Since(begin); took < time.Hour || took > time.Hour+time.Minute {
			t.Errorf("the stream ended after %s: %d %s", took, w.Code, w.Body)
		}
	})
}
