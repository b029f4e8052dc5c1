package core_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// What a caller has no scope for does not exist for them, in lists, calls and
// reads alike.
func TestScopes(t *testing.T) {
	callers := make(chan mapping.Caller, 1)
	b := newBridge(t,
		core.Options{Rules: mapping.Rules{Scopes: map[string][]string{
			"get_order":       {"orders:read"},
			"effect:destroys": {"orders:write"},
		}}},
		core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Calls: map[string]adaptertest.CallFunc{
			"get": func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
				callers <- c.Caller
				return nil, nil
			},
		}}})
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		scopes, ok := map[string][]string{"reader": {"orders:read"}, "nobody": {}}[token]
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: token, Scopes: scopes, Expiration: time.Now().Add(time.Hour), Extra: map[string]any{"team": "a"}}, nil
	}
	server := httptest.NewServer(auth.RequireBearerToken(verify, nil)(b.Handler()))
	defer server.Close()
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		for _, c := range []struct {
			token, tools, templates string
			reads                   bool
		}{
			{"reader", "list_orders get_order", "1", true},
			{"nobody", "list_orders", "0", false},
		} {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint:   server.URL,
				HTTPClient: &http.Client{Transport: bearer(c.token)},
			}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || toolNames(tools.Tools) != c.tools {
				t.Errorf("%s %s: tools %s, %v; want %s", revision, c.token, toolNames(tools.Tools), err, c.tools)
			}
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete_order", Arguments: map[string]any{"id": 1}})
			if err == nil || !strings.Contains(err.Error(), `unknown tool "delete_order"`) {
				t.Errorf("%s %s: delete_order: %v", revision, c.token, err)
			}
			_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://shop/orders/1"})
			if c.reads {
				if err != nil {
					t.Fatal(err)
				}
				if caller := <-callers; caller.ID != c.token || string(caller.Claims["team"]) != `"a"` {
					t.Errorf("%s: the adapter saw %+v", revision, caller)
				}
			} else {
				_, unknown := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://shop/unknown/1"})
				if err == nil || err.Error() != errors.Join(unknown).Error() {
					t.Errorf("%s: an invisible resource is %v, an unknown one %v", revision, err, unknown)
				}
				_, malformed := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://shop/orders/no-number"})
				if malformed == nil || malformed.Error() != errors.Join(unknown).Error() {
					t.Errorf("%s: an invisible resource with a wrong id is %v, an unknown one %v", revision, malformed, unknown)
				}
			}
			session.Close()
		}
	}
}
