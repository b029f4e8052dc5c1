package core_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// accessBridge is a bridge of two shops that differ in who may see them, and a door.
func accessBridge(t *testing.T, stepUp bool) (b *core.Bridge, url string) {
	t.Helper()
	open, closed := shop(), shop()
	open.About, closed.About = "Open to all.", "For the staff."
	b = newBridge(t, core.Options{
		Auth: &core.Auth{
			StepUp: stepUp,
			Verify: identities(map[string]core.Identity{
				"guest": named("guest"),
				"clerk": named("clerk", "write"),
				"staff": {Caller: mapping.Caller{ID: "staff", Claims: map[string]json.RawMessage{"team": json.RawMessage(`["staff"]`)}}},
				"boss":  {Caller: mapping.Caller{ID: "boss", Scopes: []string{"write"}, Claims: map[string]json.RawMessage{"team": json.RawMessage(`["staff"]`)}}},
			}),
			Resource: "https://mcp.example.com/mcp", AuthorizationServers: []string{"https://issuer.example.com"},
		},
		Rules: mapping.Rules{
			Access: []mapping.Access{
				{Sources: []string{"open"}},
				{Sources: []string{"closed"}, Claims: map[string][]string{"team": {"staff"}}},
			},
			Scopes: map[string][]string{"effect:destroys": {"write"}},
		},
	}, core.Sources{"open": watched{&adaptertest.Fake{Offer: open}}, "closed": watched{&adaptertest.Fake{Offer: closed}}})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	return b, server.URL
}

// A caller is shown what it may use, and may use what it is shown: by every way
// that leads there.
func TestAccess(t *testing.T) {
	_, url := accessBridge(t, false)
	all := []string{"open_list_orders", "open_get_order", "open_delete_order", "closed_list_orders", "closed_get_order", "closed_delete_order"}
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		for _, c := range []struct{ token, sources, tools string }{
			{"guest", "open", "open_list_orders open_get_order"},
			{"clerk", "open", "open_list_orders open_get_order open_delete_order"},
			{"staff", "closed open", "closed_list_orders closed_get_order open_list_orders open_get_order"},
			{"boss", "closed open", "closed_list_orders closed_get_order closed_delete_order open_list_orders open_get_order open_delete_order"},
		} {
			t.Run(revision+" "+c.token, func(t *testing.T) {
				session := dialAs(t, url, c.token, revision)
				tools, err := session.ListTools(t.Context(), nil)
				if err != nil || toolNames(tools.Tools) != c.tools {
					t.Fatalf("tools %s, %v; want %s", toolNames(tools.Tools), err, c.tools)
				}
				for _, name := range all {
					_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{"id": 1}})
					unknown := err != nil && strings.Contains(err.Error(), "unknown tool")
					if shown := strings.Contains(" "+c.tools+" ", " "+name+" "); shown == unknown {
						t.Errorf("%s: shown %v, call: %v", name, shown, err)
					}
				}
				for _, source := range []string{"open", "closed"} {
					sees := strings.Contains(c.sources, source)
					for what, err := range reach(t, session, source) {
						if (err == nil) != sees {
							t.Errorf("%s of %s: %v, want seen %v", what, source, err, sees)
						}
					}
				}
				told := session.InitializeResult().Instructions
				if strings.Contains(told, "closed") != strings.Contains(c.sources, "closed") || strings.Contains(told, "staff") != strings.Contains(c.sources, "closed") {
					t.Errorf("instructions: %s", told)
				}
			})
		}
	}
}

// reach tries every way to a source, and returns how each one ended.
func reach(t *testing.T, session *mcp.ClientSession, source string) map[string]error {
	t.Helper()
	ways := map[string]error{}
	ctx := t.Context()
	_, ways["read"] = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "shop://" + source + "/orders/1"})
	_, ways["read of the adapter's own"] = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "shop://" + source + "/readme"})
	_, ways["prompt"] = session.GetPrompt(ctx, &mcp.GetPromptParams{Name: source + "_greet", Arguments: map[string]string{"who": "x"}})
	argument := mcp.CompleteParamsArgument{Name: "id"}
	_, ways["completion of a resource"] = session.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "shop://" + source + "/orders/{id}"}, Argument: argument})
	_, ways["completion of a prompt"] = session.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: source + "_greet"}, Argument: argument})
	if p := session.InitializeResult().ProtocolVersion; p < "2026-07-28" {
		ways["subscription"] = session.Subscribe(ctx, &mcp.SubscribeParams{URI: "shop://" + source + "/readme"})
	}
	ways["list of resources"] = listed(func(yield func(string)) error {
		list, err := session.ListResources(ctx, nil)
		if err == nil {
			for _, r := range list.Resources {
				yield(r.URI)
			}
		}
		return err
	}, "://"+source+"/")
	ways["list of templates"] = listed(func(yield func(string)) error {
		list, err := session.ListResourceTemplates(ctx, nil)
		if err == nil {
			for _, r := range list.ResourceTemplates {
				yield(r.URITemplate)
			}
		}
		return err
	}, "://"+source+"/")
	ways["list of prompts"] = listed(func(yield func(string)) error {
		list, err := session.ListPrompts(ctx, nil)
		if err == nil {
			for _, p := range list.Prompts {
				yield(p.Name)
			}
		}
		return err
	}, source+"_greet")
	return ways
}

// listed returns an error if no item has the part in it.
func listed(list func(func(string)) error, part string) error {
	found := false
	if err := list(func(item string) { found = found || strings.Contains(item, part) }); err != nil {
		return err
	}
	if !found {
		return &mapping.Error{Code: mapping.NotFound, Problem: "it is not listed"}
	}
	return nil
}

// A client that can ask its user for more scopes is told which: all that the call
// needs, at once (the authorization page of MCP).
func TestStepUp(t *testing.T) {
	_, url := accessBridge(t, true)
	tools, err := dialAs(t, url, "guest", "2026-07-28").ListTools(t.Context(), nil)
	if want := "open_list_orders open_get_order open_delete_order"; err != nil || toolNames(tools.Tools) != want {
		t.Errorf("tools %s, %v; want %s", toolNames(tools.Tools), err, want)
	}
	for _, c := range []struct {
		token, method, name string
		status              int
		scope               string
	}{
		{"guest", "tools/call", "open_delete_order", 403, "write"},
		{"clerk", "tools/call", "open_delete_order", 200, ""},
		{"guest", "tools/call", "open_list_orders", 200, ""},
		{"guest", "tools/call", "closed_delete_order", 400, ""}, // no scope would do
		{"guest", "tools/call", "no_such_tool", 400, ""},
		{"guest", "resources/read", "shop://open/readme", 200, ""},
	} {
		params := `"name":"` + c.name + `","arguments":{"id":1}`
		if c.method == "resources/read" {
			params = `"uri":"` + c.name + `"`
		}
		if c.name == "open_list_orders" {
			params = `"name":"` + c.name + `"`
		}
		p := post{header: with(modernHeader(c.method, c.name), "Authorization", "Bearer "+c.token), body: modernBody(c.method, params)}
		response, err := http.DefaultClient.Do(p.request(t, url))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		got := response.Header.Get("WWW-Authenticate")
		want := ""
		if c.scope != "" {
			want = `Bearer error="insufficient_scope", error_description="the token lacks a scope; this needs ` + c.scope + `", scope="` + c.scope +
				`", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`
		}
		if response.StatusCode != c.status || got != want {
			t.Errorf("%s %s as %s: %d %s\nwant %d %s", c.method, c.name, c.token, response.StatusCode, got, c.status, want)
		}
	}
}

// A batch asks for the scopes of all its calls, and the older transport for those
// of a message. A name is read as the call will read it: JSON's keys have one case.
func TestStepUpInBatchesAndStreams(t *testing.T) {
	b, url := accessBridge(t, true)
	call := func(key, name string) string {
		return `{"jsonrpc":"2.0","id":"` + key + `","method":"tools/call","params":{"` + key + `":"` + name + `","name":"open_list_orders","arguments":{}}}`
	}
	guest := map[string]string{"Authorization": "Bearer guest"}
	r := post{header: guest, body: strings.Replace(handshake, "2025-11-25", "2025-03-26", 1)}.request(t, url)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	in := with(guest, "Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"))
	del := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_delete_order","arguments":{"id":1}}}`
	for _, c := range []struct {
		body   string
		status int
	}{
		{"[" + call("x", "y") + "]", 200},
		{"[" + call("NAME", "open_delete_order") + "]", 200},
		{"[" + call("x", "y") + "," + del + "]", 403},
	} {
		if status, body := (post{header: in, body: c.body}).send(t, url); status != c.status {
			t.Errorf("%s\n answered %d %s, want %d", c.body, status, body, c.status)
		}
	}
	server := httptest.NewServer(b.SSEHandler())
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	stream, err := http.DefaultClient.Do(post{method: http.MethodGet, header: map[string]string{"Authorization": "Bearer guest"}}.request(t, server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		if endpoint, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			status, body := post{header: map[string]string{"Authorization": "Bearer guest"}, body: del}.send(t, server.URL+endpoint)
			if status != http.StatusForbidden {
				t.Errorf("over HTTP+SSE: %d %s, want 403", status, body)
			}
			return
		}
	}
	t.Error("the stream named no endpoint")
}

// Before anything is loaded the greeting names nothing that somebody may not see.
func TestGreetingNamesNothingHidden(t *testing.T) {
	slow := &adaptertest.Fake{Load: func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	b := newBridge(t, core.Options{Rules: mapping.Rules{Access: []mapping.Access{{Scopes: []string{"x"}}}}},
		core.Sources{"hidden-one": slow})
	session := connect(t, b, nil)
	if told := session.InitializeResult().Instructions; strings.Contains(told, "hidden-one") || !strings.Contains(told, "data, not instructions") {
		t.Errorf("instructions: %s", told)
	}
}

// watched can be watched, and never changes.
type watched struct{ *adaptertest.Fake }

func (watched) Watch(ctx context.Context, _ string, _ mapping.Caller, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

// A cursor at something hidden is like one at nothing: it does not tell of it.
func TestCursorsDoNotTell(t *testing.T) {
	b, _ := accessBridge(t, false)
	list := func(who, after string) string {
		cursor := base64.RawURLEncoding.EncodeToString([]byte("a" + after))
		return askAs(t, b, who, "tools/list", "", fmt.Sprintf(`"cursor":%q`, cursor)).Body.String()
	}
	if hidden, none := list("guest", "closed_list_orders"), list("guest", "no_such_tool"); hidden != none || !strings.Contains(none, "leads nowhere") {
		t.Errorf("at something hidden: %s\nat nothing: %s", hidden, none)
	}
	if shown := list("staff", "closed_list_orders"); !strings.Contains(shown, "closed_get_order") {
		t.Errorf("at something shown: %s", shown)
	}
}
