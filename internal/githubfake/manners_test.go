package githubfake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
)

// What GitHub does whatever is asked for.
func TestManners(t *testing.T) {
	h := open(t, world())
	for _, c := range []struct {
		what   string
		status int
		says   string
	}{
		{"GET /repos/octo/none", 404, "Not Found"},
		{"GET /repos/octo/hello/contents/none", 404, "Not Found"},
		{"GET /repos/octo/hello/contents/README.md?ref=none", 404, "No commit found for the ref none"},
		{"GET /repos/octo/hello/commits/none", 422, "No commit found for SHA: none"},
		{"GET /repos/octo/empty/commits", 409, "Git Repository is empty."},
		{"GET /repos/octo/empty/git/trees/main", 409, "Git Repository is empty."},
		{"GET /repos/octo/empty/contents/x", 404, "This repository is empty."},
		{"GET /search/issues?q=noon", 422, "Query must include 'is:issue' or 'is:pull-request'"},
		{"GET /search/code?q=x+repo:octo/none", 422, "cannot be searched"},
		{"GET /search/code?q=repo:octo/hello", 422, "at least one search term"},
	} {
		a := h.ask(c.what, "")
		if a.StatusCode != c.status || !strings.Contains(string(a.body), c.says) {
			t.Errorf("%s answered %d %s, want %d with %q", c.what, a.StatusCode, a.body, c.status, c.says)
		}
	}
	h.want(403, "PUT /repos/octo/old/contents/x", `{"message": "No", "content": ""}`)
	h.want(401, "GET /user", "", "Authorization", "Bearer wrong")
	h.want(404, "GET /repos/octo/hello", "", "Authorization", "")
	h.want(200, "GET /api/v3/repos/octo/hello", "")
}

func TestARenamedRepositoryIsRedirected(t *testing.T) {
	h := open(t, world())
	a := h.want(301, "GET /repos/octo/hi/issues?page=1", "")
	want := h.server.URL + "/repositories/1/issues?page=1"
	if got := a.Header.Get("Location"); got != want {
		t.Errorf("leads to %s, want %s", got, want)
	}
	h.want(200, "GET /repositories/1/issues/1", "")
	h.want(307, "PATCH /repos/octo/hi/issues/1", `{"title": "x"}`)
}

func TestPagesAreLinked(t *testing.T) {
	h := open(t, world())
	a := h.want(200, "GET /repos/octo/hello/issues?state=all&per_page=1&page=2", "")
	for rel, page := range map[string]int{"prev": 1, "next": 3, "last": 3, "first": 1} {
		link := fmt.Sprintf(`<%s/repositories/1/issues?page=%d&per_page=1&state=all>; rel=%q`, h.server.URL, page, rel)
		if !strings.Contains(a.Header.Get("Link"), link) {
			t.Errorf("no %s in %s", link, a.Header.Get("Link"))
		}
	}
}

func TestWhatHasNotChangedIsNotSentAgain(t *testing.T) {
	h := open(t, world())
	first := h.want(200, "GET /repos/octo/hello", "")
	again := h.want(304, "GET /repos/octo/hello", "", "If-None-Match", first.Header.Get("ETag"))
	if got, want := again.Header.Get("X-RateLimit-Used"), first.Header.Get("X-RateLimit-Used"); got != want {
		t.Errorf("an answer that had not changed was counted: %s, then %s", want, got)
	}
	h.want(200, "PATCH /repos/octo/hello/issues/1", `{"state": "closed"}`)
	h.want(200, "GET /repos/octo/hello", "", "If-None-Match", first.Header.Get("ETag"))
}

func TestAnHourHasAnEnd(t *testing.T) {
	w := world()
	w.Limit = 2
	h := open(t, w)
	h.want(200, "GET /user", "")
	h.want(200, "GET /user", "")
	a := h.want(403, "GET /user", "")
	if a.Header.Get("X-RateLimit-Remaining") != "0" || a.Header.Get("X-RateLimit-Reset") == "" {
		t.Errorf("the refusal does not say what is left: %v", a.Header)
	}
	h.want(200, "GET /rate_limit", "")
}

func TestFormsOfAFile(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/contents/"
	for path, want := range map[string]map[string]string{
		"latest":  {"type": "file", "encoding": "base64", "path": "latest"},
		"away":    {"type": "symlink", "target": "/etc/hosts"},
		"lib":     {"type": "submodule", "submodule_git_url": "https://github.example/octo/lib.git", "sha": "1234567890123456789012345678901234567890"},
		"big.txt": {"type": "file", "encoding": "none", "content": ""},
		"empty":   {"type": "file", "encoding": "base64", "content": "", "sha": sha(t, nil)},
	} {
		a := h.want(200, "GET "+at+path, "")
		for k, v := range want {
			if got := a.field(t, k); got != v {
				t.Errorf("%s: %s is %v, want %q", path, k, got, v)
			}
		}
	}
	raw := h.want(200, "GET "+at+"big.txt", "", "Accept", "application/vnd.github.raw+json")
	if len(raw.body) != 2<<20 {
		t.Errorf("a file of 2 MB has %d bytes", len(raw.body))
	}
	diff := h.want(200, "GET /repos/octo/hello/pulls/3", "", "Accept", "application/vnd.github.diff")
	if !strings.HasPrefix(string(diff.body), "diff --git a/README.md b/README.md") || !strings.HasSuffix(string(diff.body), "+\n+World\n") {
		t.Errorf("the diff is %s", diff.body)
	}
}

func TestALogComesFromElsewhere(t *testing.T) {
	h := open(t, world())
	run := h.want(200, "GET /repos/octo/hello/actions/runs", "").field(t, "workflow_runs", 0, "id").(json.Number).String()
	jobs := h.want(200, "GET /repos/octo/hello/actions/runs/"+run+"/jobs", "")
	job := func(n int) string {
		return "/repos/octo/hello/actions/jobs/" + jobs.field(t, "jobs", n, "id").(json.Number).String() + "/logs"
	}
	h.want(410, "GET "+job(1), "")
	to := h.want(302, "GET "+job(0), "").Header.Get("Location")
	fetch := func(token string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			req.Header.Set("Authorization", token)
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		return res.StatusCode
	}
	if got := fetch(""); got != 200 {
		t.Errorf("the log answers %d", got)
	}
	if got := fetch("Bearer " + token); got != 401 {
		t.Errorf("the server of logs answers %d to a token", got)
	}
}

func TestFaultsAndTheRecord(t *testing.T) {
	h := open(t, world())
	f := githubfake.SecondaryLimit(429, 7)
	f.Path, f.Times = "/issues", 1
	h.Fail(f)
	h.Forget()
	h.want(200, "GET /repos/octo/hello", "")
	if got := h.want(429, "GET /repos/octo/hello/issues", "").Header.Get("Retry-After"); got != "7" {
		t.Errorf("Retry-After is %q", got)
	}
	h.want(200, "GET /repos/octo/hello/issues", "")
	log := h.Requests()
	if len(log) != 3 || log[1].Path != "/repos/octo/hello/issues" || !log[1].Token() {
		t.Errorf("the record is %+v", log)
	}
}
