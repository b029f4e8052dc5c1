package githuboracle_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githuboracle"
)

// Each exchange is wrong in one way that the oracle has to see.
func TestTheOracleSees(t *testing.T) {
	o := githuboracle.Load(t)
	if o == nil {
		t.Skip("BRIDGE_CORPUS is not set, so there is no description to hold anything against")
	}
	label := `{"id": 1, "node_id": "x", "url": "https://x.test/", "name": "n", "description": null, "color": "fff", "default": false}`
	for _, c := range []struct{ what, sent, status, answered, want string }{
		{"GET /repos/o/r/labels?page=2", "", "200", "[" + label + "]", ""},
		{"GET /repos/o/r/labels", "", "200", `[{"id": "1"}]`, "/0/id"},
		{"GET /repos/o/r/labels?colour=1", "", "200", "[]", `no parameter "colour"`},
		{"GET /repos/o/r/issues?state=zzz", "", "200", "[]", "not one of the allowed values"},
		{"GET /repos/o/r/projects", "", "200", "[]", "GitHub describes no"},
		{"POST /repos/o/r/issues", `{"body": "x"}`, "201", "{}", `"title" is missing`},
		{"POST /repos/o/r/pulls", `{"title": "x", "base": "main"}`, "201", "{}", `"head" is missing`},
		{"PUT /repos/o/r/pulls/1/merge", `{"merge_method": "bogus"}`, "200", "{}", "not one of the allowed values"},
		{"GET /repos/o/r/issues/1", "", "204", "", "not described"},
		{"GET /repos/o/r/issues/1", "", "500", `{"message": 1}`, "/message"},
		{"GET /repos/o/r/contents/a/b.md", "", "404", `{"message": "Not Found"}`, ""},
		{"GET /repos/o/r/commits/feature/x/check-runs", "", "200", `{"total_count": 0, "check_runs": []}`, ""},
		{"GET /repositories/1/issues?page=2", "", "200", "[]", ""},
		{"GET /repos/o/r/compare/a...b/c", "", "404", `{"message": "Not Found"}`, ""},
	} {
		method, address, _ := strings.Cut(c.what, " ")
		u, err := url.Parse("http://api.test" + address)
		if err != nil {
			t.Fatal(err)
		}
		status := 0
		if _, err := fmt.Sscan(c.status, &status); err != nil {
			t.Fatal(err)
		}
		json := http.Header{"Content-Type": {"application/json"}}
		got := fmt.Sprint(o.Judge(t.Context(), githuboracle.Exchange{
			Method: method, URL: u, Sent: json, Asked: []byte(c.sent), Status: status, Header: json, Answered: []byte(c.answered),
		}))
		if (c.want == "") != (got == "[]") || !strings.Contains(got, c.want) {
			t.Errorf("%s → %s: the oracle says %s, want %q", c.what, c.status, got, c.want)
		}
	}
}

func TestTheOracleKnowsOperations(t *testing.T) {
	o := githuboracle.Load(t)
	if o == nil {
		t.Skip("BRIDGE_CORPUS is not set, so there is no description to hold anything against")
	}
	for what, want := range map[string]string{
		"GET /repos/o/r/commits/a/b/pulls":       "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
		"GET /repos/o/r/commits/a/b":             "GET /repos/{owner}/{repo}/commits/{ref}",
		"GET /repos/o/r/git/ref/heads/x/y":       "GET /repos/{owner}/{repo}/git/ref/{ref}",
		"GET /repos/o/r/releases/tags/v1/2":      "GET /repos/{owner}/{repo}/releases/tags/{tag}",
		"GET /repos/o/r/releases/latest":         "GET /repos/{owner}/{repo}/releases/latest",
		"GET /repos/o/r/branches/a/b/protection": "GET /repos/{owner}/{repo}/branches/{branch}/protection",
		"GET /bogus":                             "",
	} {
		method, path, _ := strings.Cut(what, " ")
		if got := o.Knows(method, path); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
}
