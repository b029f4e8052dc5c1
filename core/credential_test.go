package core_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// headers sends these with each request.
type headers map[string]string

func (h headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// keen tells which caller it hears of, whatever the way.
type keen struct {
	*adaptertest.Fake
	heard chan mapping.Caller
}

func (k keen) Watch(ctx context.Context, path string, caller mapping.Caller, _ func()) error {
	if path != "" {
		k.heard <- caller
	}
	<-ctx.Done()
	return ctx.Err()
}

func (k keen) Complete(_ context.Context, c mapping.Completion) (mapping.Completions, error) {
	k.heard <- c.Caller
	return mapping.Completions{}, nil
}

// newKeen is a shop that hears.
func newKeen() keen {
	k := keen{&adaptertest.Fake{Offer: shop()}, make(chan mapping.Caller, 10)}
	hear := func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		k.heard <- c.Caller
		return nil, nil
	}
	k.Calls = map[string]adaptertest.CallFunc{"list": hear, "get": hear}
	k.Reads = map[string]adaptertest.ReadFunc{"readme": func(_ context.Context, r mapping.Read) (*mapping.Result, error) {
		k.heard <- r.Caller
		return &mapping.Result{Blocks: []mapping.Block{{Text: "x"}}}, nil
	}}
	return k
}

// What a caller brings for one source reaches that source, by every way, and no
// other source. The token that it showed to the bridge reaches none.
func TestCredentials(t *testing.T) {
	mine, other := newKeen(), newKeen()
	b := newBridge(t, core.Options{
		Auth: &core.Auth{Verify: identities(map[string]core.Identity{"door-token": named("ann")})},
		Credential: func(_ context.Context, source string, caller mapping.Caller, header http.Header) (string, error) {
			if caller.ID != "ann" || header.Get("Authorization") != "" || header.Get("Cookie") != "" {
				t.Errorf("asked for %+v with %v", caller, header)
			}
			if header.Get("X-Key") == "broken" {
				return "", errors.New("the exchange at 10.0.0.7 is down")
			}
			if source == "mine" {
				return header.Get("X-Key"), nil
			}
			return "", nil
		},
	}, core.Sources{"mine": mine, "other": other})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		dial := func(key string) *mcp.ClientSession {
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint:   server.URL,
				HTTPClient: &http.Client{Transport: headers{"Authorization": "Bearer door-token", "X-Key": key, "Cookie": "c=door-cookie"}},
			}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			return session
		}
		session := dial("ann's key")
		for name, source := range map[string]keen{"mine": mine, "other": other} {
			want := map[string]string{"mine": "ann's key", "other": ""}[name]
			for way, err := range useAll(t, session, name) {
				if err != nil {
					t.Errorf("%s %s: %v", revision, way, err)
					continue
				}
				if got := <-source.heard; got.Credential != want || got.ID != "ann" {
					t.Errorf("%s: a way to %s brings %+v, want %q", revision, name, got, want)
				}
			}
		}
		result, err := dial("broken").CallTool(t.Context(), &mcp.CallToolParams{Name: "mine_list_orders"})
		if err != nil || !result.IsError || strings.Contains(text(t, result), "10.0.0.7") {
			t.Errorf("%s: where the hook fails: %s, %v", revision, text(t, result), err)
		}
	}
}

// useAll uses a source in every way in which its adapter is asked.
func useAll(t *testing.T, session *mcp.ClientSession, source string) map[string]error {
	t.Helper()
	ctx, ways := t.Context(), map[string]error{}
	_, ways["call"] = session.CallTool(ctx, &mcp.CallToolParams{Name: source + "_list_orders"})
	_, ways["read by call"] = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "shop://" + source + "/orders/1"})
	_, ways["read"] = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "shop://" + source + "/readme"})
	_, ways["completion"] = session.Complete(ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "shop://" + source + "/orders/{id}"},
		Argument: mcp.CompleteParamsArgument{Name: "id"},
	})
	if session.InitializeResult().ProtocolVersion < "2026-07-28" {
		ways["subscription"] = session.Subscribe(ctx, &mcp.SubscribeParams{URI: "shop://" + source + "/readme"})
	}
	return ways
}
