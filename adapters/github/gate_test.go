package github_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// asked is a hub before answers that a test makes up, and what was asked for.
type asked struct {
	*hub
	mu   sync.Mutex
	seen []*http.Request
}

func (a *asked) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.seen)
}

func madeUp(t *testing.T, o bridgegithub.Options, answer func(*http.Request) *http.Response) *asked {
	t.Helper()
	a := &asked{}
	o.Toolsets = []string{"all"}
	if o.Repositories == nil {
		o.Repositories = []string{"octo/*"}
	}
	o.Transport = wire(func(r *http.Request) *http.Response {
		a.mu.Lock()
		a.seen = append(a.seen, r)
		a.mu.Unlock()
		return answer(r)
	})
	a.hub = &hub{t: t, Adapter: opened(t, o)}
	return a
}

const issue1 = `{"owner":"octo","repo":"hello","number":1}`

// Callers never share what one token may see, nor each other's limits.
func TestCallersAreKeptApart(t *testing.T) {
	a := madeUp(t, bridgegithub.Options{CallerTokens: true}, func(r *http.Request) *http.Response {
		if r.Header.Get("Authorization") == "Bearer spent" {
			return reply(r, http.StatusForbidden, `{"message":"API rate limit exceeded"}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Resource", "core", "X-RateLimit-Reset", "99999999999")
		}
		if r.Header.Get("If-None-Match") != "" {
			return reply(r, http.StatusNotModified, "", "ETag", `"1"`)
		}
		return reply(r, http.StatusOK, `{"number":1,"title":"for `+r.Header.Get("Authorization")+`"}`, "ETag", `"1"`)
	})
	as := func(token string) (*mapping.Result, error) {
		return a.callWith(mapping.Call{Key: "get_issue", Caller: mapping.Caller{ID: token, Credential: token}}, issue1)
	}
	for range 2 { // the second time from the cache
		for _, token := range []string{"one", "two"} {
			r, err := as(token)
			if err != nil || !strings.Contains(string(r.JSON), "for Bearer "+token) {
				t.Errorf("%s sees %v, %v", token, r, err)
			}
		}
		if _, err := as("spent"); mapping.CodeOf(err) != mapping.Exhausted {
			t.Errorf("a spent token: %v", err)
		}
	}
	if n := a.count(); n != 5 {
		t.Errorf("%d requests, want two each for those that may and one for the spent token", n)
	}
	if _, err := as(""); mapping.CodeOf(err) != mapping.Unauthenticated {
		t.Errorf("a caller without a token: %v", err)
	}
}

// The token goes to the API alone, and a redirect leads to nothing that is not
// allowed.
func TestRedirects(t *testing.T) {
	where := ""
	a := madeUp(t, bridgegithub.Options{Token: "t"}, func(r *http.Request) *http.Response {
		switch r.URL.Path {
		case "/repos/octo/hello/issues/1":
			return reply(r, http.StatusMovedPermanently, `{"message":"Moved Permanently"}`, "Location", where)
		case "/repos/octo/new":
			return reply(r, http.StatusOK, `{"id":1000,"full_name":"octo/new"}`)
		case "/repos/octo/new/issues/1":
			return reply(r, http.StatusOK, `{"number":1,"title":"moved"}`)
		}
		return reply(r, http.StatusOK, `{"number":1,"title":"stolen"}`)
	})
	for _, to := range []string{
		"https://evil.example/", "http://api.github.com/repos/octo/hello/issues/2", "https://api.github.com/repos/evil/x/issues/1", "https://api.github.com/repositories/1000/issues/1",
		"https://api.github.com/repos/octo/../../user", "/repos/octo/%2e%2e/%2e%2e/user", "https://api.github.com/orgs/octo", "https://api.github.com/search/issues?q=repo:evil/x", "//evil.example/repos/octo/hello/issues/1",
		"https://api.github.com/search/issues?q=repo:octo/hello&q=repo:evil/x", "/repositories/", "/repositories/1000/../../repos/evil/x/issues/1",
	} {
		where = to
		before := a.count()
		if r, err := a.call("get_issue", issue1); err == nil || a.count() != before+1 {
			t.Errorf("a redirect to %s is followed: %v", to, r)
		}
	}
	if _, err := a.call("get_repository", `{"owner":"octo","repo":"new"}`); err != nil {
		t.Fatal(err)
	}
	where = "https://api.github.com/repositories/1000/issues/1"
	if r, err := a.call("get_issue", issue1); err != nil || !strings.Contains(string(r.JSON), "moved") {
		t.Errorf("a redirect to the number of an allowed repository: %v, %v", r, err)
	}
	where = "https://api.github.com/repos/octo/new/issues/1"
	before := a.count()
	if _, err := a.call("update_issue", `{"owner":"octo","repo":"hello","number":1,"title":"x"}`); mapping.CodeOf(err) != mapping.Conflict || a.count() != before+1 {
		t.Errorf("a write is redirected: %v", err)
	}
}

// A link to the next page may have commas in it, and leads to no other place.
func TestLinksOfPages(t *testing.T) {
	a := madeUp(t, bridgegithub.Options{}, func(r *http.Request) *http.Response {
		if r.URL.Query().Get("page") == "2" {
			return reply(r, http.StatusOK, `[{"number":2}]`)
		}
		return reply(r, http.StatusOK, `[{"number":1}]`, "Link", `<https://evil.example/x?labels=a,b&page=1>; rel="prev", <https://evil.example/repositories/7/issues?labels=a,b&page=2>; rel="next"`)
	})
	r, err := a.call("list_issues", `{"owner":"octo","repo":"hello","labels":["a","b"]}`)
	if err != nil || r.Next == nil {
		t.Fatalf("%v, %v", r, err)
	}
	if r, err = a.callWith(mapping.Call{Key: "list_issues", Args: r.Next.Args}, `{}`); err != nil || !strings.Contains(string(r.JSON), `"number":2`) {
		t.Errorf("the next page is %v, %v", r, err)
	}
	for _, req := range a.seen {
		if req.URL.Host != "api.github.com" || req.URL.Path != "/repos/octo/hello/issues" || req.URL.Query().Get("labels") != "a,b" {
			t.Errorf("%s was asked for", req.URL)
		}
	}
}

// Values that git and GitHub do not have lead nowhere else.
func TestNoArgumentLeadsElsewhere(t *testing.T) {
	a := madeUp(t, bridgegithub.Options{}, func(r *http.Request) *http.Response {
		t.Errorf("%s %s was asked for", r.Method, r.URL)
		return reply(r, http.StatusOK, "{}")
	})
	for key, args := range map[string]string{
		"remove_label":      `"number":1,"name":".."`,
		"dispatch_workflow": `"workflow":"..","ref":"main"`,
		"get_release":       `"tag":"../../x"`,
		"get_commit":        `"ref":".."`,
		"get_file":          `"path":"a/../../../user"`,
		"list_directory":    `"path":".."`,
		"create_branch":     `"branch":"../x"`,
		"write_file":        `"path":"../x","content":"","message":"m"`,
	} {
		if _, err := a.call(key, `{"owner":"octo","repo":"hello",`+args+`}`); mapping.CodeOf(err) != mapping.Invalid {
			t.Errorf("%s %s: %v", key, args, err)
		}
	}
	for _, owner := range []string{"..", "octo/hello/..", "octo?", "octo#", "", "octo%2f..", "evil"} {
		_, err := a.call("get_issue", `{"owner":`+quote(t, owner)+`,"repo":"hello","number":1}`)
		if code := mapping.CodeOf(err); code != mapping.Invalid && code != mapping.Denied {
			t.Errorf("owner %q: %v", owner, err)
		}
	}
}
