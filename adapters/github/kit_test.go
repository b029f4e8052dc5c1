package github_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The kit of every adapter, with a GitHub of its own for each of its rows.
func TestKit(t *testing.T) {
	known := func(key, args string, want adaptertest.Want) adaptertest.KnownCall {
		return adaptertest.KnownCall{Call: mapping.Call{Key: key, Args: newCall(t, key, args).Args}, Want: want}
	}
	missing := func(key, args string) mapping.Call { return mapping.Call{Key: key, Args: newCall(t, key, args).Args} }
	var calls []adaptertest.KnownCall
	for _, u := range uses() {
		if json.Valid([]byte(u.args)) && !strings.Contains(u.args, "$") { // the rest needs what only a running fake knows
			calls = append(calls, known(u.key, u.args, adaptertest.Works()))
		}
	}
	var current atomic.Pointer[githubfake.GitHub]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	// No oracle: the kit asks for what nobody should, and gets it refused.
	w := world()
	w.Limit, w.Repositories = 1<<20, w.Repositories[:1]
	adaptertest.Run(t, adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			fake := githubfake.Open(t, w)
			fake.Fail(githubfake.Fault{Path: "/repos/octo/slow", Hang: true})
			current.Store(fake)
			return &adaptertest.Subject{
				Adapter: bridgegithub.New(everything(server.URL)),
				State:   func(context.Context) (string, error) { return fake.State() },
			}, nil
		},
		Slow: &mapping.Call{Key: "get_repository", Args: newCall(t, "get_repository", `{"owner": "octo", "repo": "slow"}`).Args},
		Calls: append(calls, known("list_branches", hello(`{"limit": 2}`), adaptertest.Works()), known("get_issue", hello(`{"number": 2}`), adaptertest.JSON(fmt.Sprintf(
			`{"number": 2, "title": "From nobody", "state": "open", "comments": 0, "labels": ["no description"], "created_at": "2025-01-01T02:00:00Z",
			  "updated_at": "2025-01-01T02:00:00Z", "url": %q}`, "https://github.example/octo/hello/issues/2")))),
		Reads: []adaptertest.KnownRead{
			{Path: "octo/hello", Want: adaptertest.Holds("Says hello")},
			{Path: "octo/hello/contents/README.md", Want: adaptertest.Holds("# Hello\n\nText with <b>&\n")},
			{Path: "octo/hello/contents/logo.png", Want: adaptertest.Holds(png)},
			{Path: "octo/hello/contents/src", Want: adaptertest.Holds("src/main.go")},
			{Path: "octo/hello/issues/1", Want: adaptertest.Holds("At noon")},
			{Path: "octo/hello/pulls/3/diff", Want: adaptertest.Holds("+World")},
			{Path: "octo/hello/commits/v1.0", Want: adaptertest.Holds("With a body")},
			{Path: "octo/hello/releases/v1.0", Want: adaptertest.Holds("Notes of it")},
		},
		MissingCalls: []mapping.Call{
			missing("get_issue", hello(`{"number": 99}`)), missing("get_file", hello(`{"path": "none"}`)),
			missing("get_commit", hello(`{"ref": "none"}`)), missing("get_repository", `{"owner": "octo", "repo": "none"}`),
		},
		MissingReads: []string{"octo/hello/contents/none", "octo/hello/issues/99", "octo/none"},
		Secrets:      []string{token},
		Addresses:    []string{server.Listener.Addr().String()},
	})
}
