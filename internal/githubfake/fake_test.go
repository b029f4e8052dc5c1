package githubfake_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/internal/githuboracle"
)

const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

// A hub is a fake behind the oracle, and somebody who asks it.
type hub struct {
	t testing.TB
	*githubfake.GitHub
	server *httptest.Server
}

func open(t testing.TB, w githubfake.World) hub {
	g := githubfake.Open(t, w)
	server := httptest.NewServer(githuboracle.Load(t).Wrap(t, g))
	t.Cleanup(server.Close)
	return hub{t, g, server}
}

// An answer to a request, with its body read.
type answer struct {
	*http.Response
	body []byte
}

// ask sends "METHOD /path" with a JSON body, and more headers as pairs.
func (h hub) ask(what, body string, headers ...string) answer {
	h.t.Helper()
	method, path, _ := strings.Cut(what, " ")
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.server.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/vnd.github+json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return answer{res, data}
}

// field follows keys and indices into a JSON answer.
func (a answer) field(t testing.TB, keys ...any) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(string(a.body)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[k]
		case int:
			list, _ := v.([]any)
			if k >= len(list) {
				t.Fatalf("no item %d in %s", k, a.body)
			}
			v = list[k]
		}
	}
	return v
}

// sha is what git itself calls these bytes.
func sha(t testing.TB, data []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "hash-object", "--stdin")
	cmd.Stdin = strings.NewReader(string(data))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func world() githubfake.World {
	return githubfake.World{Token: token, Repositories: []githubfake.Repository{hello(), {Owner: "octo", Name: "empty"}, {Owner: "octo", Name: "old", Archived: true, Commits: []githubfake.Commit{{Message: "One"}}}}}
}

func hello() githubfake.Repository {
	text := githubfake.Text
	return githubfake.Repository{
		Owner: "octo", Name: "hello", Description: "Says hello", Private: true, Former: []string{"octo/hi"},
		Commits: []githubfake.Commit{
			{Message: "Begin", Files: map[string]githubfake.File{
				"README.md": text("# Hello\n"), "src/main.go": text("package main\n"), "a b/100%.md": text("percent\n"), "empty": text(""),
				"logo.png": {Data: []byte("\x89PNG\r\n\x1a\n\x00")}, "run.sh": {Data: []byte("#!/bin/sh\n"), Mode: "100755"},
				"latest": {Data: []byte("README.md"), Mode: "120000"}, "away": {Data: []byte("/etc/hosts"), Mode: "120000"},
				".gitmodules": text("[submodule \"lib\"]\n\tpath = lib\n\turl = https://github.example/octo/lib.git\n"),
				"lib":         {Data: []byte("1234567890123456789012345678901234567890"), Mode: "160000"},
				"big.txt":     {Data: []byte(strings.Repeat("0123456789abcde\n", 1<<17))},
			}},
			{Branch: "feature/x#1", From: "main", Message: "Add a line", Files: map[string]githubfake.File{"README.md": text("# Hello\n\nWorld\n")}},
		},
		Tags: map[string]string{"v1": "0", "v2": "main"}, Notes: map[string]string{"v2": "Second"},
		Labels: []githubfake.Label{{Name: "bug", Color: "d73a4a", Description: "Wrong"}, {Name: "plain"}}, Milestones: []string{"1.0"},
		Issues: []githubfake.Issue{
			{Title: "It breaks", Body: "At noon", Labels: []string{"bug", "plain"}, Comments: []githubfake.Comment{{Body: "Me too"}}, Milestone: 1},
			{Title: "From nobody", By: githubfake.Ghost, Closed: true},
			{Title: "Say world", Body: "Please", By: "hubot", Pull: &githubfake.Pull{
				Head: "feature/x#1", Base: "main", Reviews: []githubfake.Review{{By: "octocat", State: "APPROVED", Body: "Good"}},
				Remarks: []githubfake.Remark{{By: "octocat", Path: "README.md", Body: "Why?", Line: 3}},
			}},
		},
		Releases:  []githubfake.Release{{Tag: "v1", Name: "First", Body: "Notes"}, {Tag: "v2", Prerelease: true}},
		Workflows: []githubfake.Workflow{{Name: "CI", File: "ci.yml"}},
		Runs: []githubfake.Run{{Workflow: "CI", Conclusion: "failure", Jobs: []githubfake.Job{
			{Name: "test", Conclusion: "failure", Steps: []githubfake.Step{{Name: "Check out"}, {Name: "Test", Conclusion: "failure"}}, Log: []byte("all bad\n")},
			{Name: "old", NoLog: true},
		}}},
		Checks: []githubfake.Check{{Name: "lint", Conclusion: "success"}, {Name: "slow"}, {Name: "ci/old", Status: "pending"}},
	}
}

// Every read of the fake, with what GitHub's description says of the answer held
// against it by the oracle.
func TestReads(t *testing.T) {
	h := open(t, world())
	run := h.ask("GET /repos/octo/hello/actions/runs", "").field(t, "workflow_runs", 0, "id").(json.Number).String()
	job := h.ask("GET /repos/octo/hello/actions/runs/"+run+"/jobs", "").field(t, "jobs", 0, "id").(json.Number).String()
	main := h.ask("GET /repos/octo/hello/branches/main", "").field(t, "commit", "sha").(string)
	tree := h.ask("GET /repos/octo/hello/git/commits/"+main, "").field(t, "tree", "sha").(string)
	tag := h.ask("GET /repos/octo/hello/git/ref/tags/v2", "").field(t, "object", "sha").(string)
	release := h.ask("GET /repos/octo/hello/releases/latest", "").field(t, "id").(json.Number).String()
	for _, path := range []string{
		"/user", "/users/hubot", "/rate_limit", "/user/repos", "/users/octo/repos", "/repos/octo/hello", "/repos/octo/hello/branches",
		"/repos/octo/hello/branches/feature/x%231", "/repos/octo/hello/branches/feature%2Fx%231", "/repos/octo/hello/tags", "/repos/octo/hello/languages",
		"/repos/octo/hello/contributors", "/repos/octo/hello/topics", "/repos/octo/hello/contents", "/repos/octo/hello/contents/", "/repos/octo/hello/contents/src",
		"/repos/octo/hello/contents/README.md?ref=feature%2Fx%231", "/repos/octo/hello/contents/a%20b/100%25.md", "/repos/octo/hello/contents/empty",
		"/repos/octo/hello/contents/latest", "/repos/octo/hello/contents/away", "/repos/octo/hello/contents/lib", "/repos/octo/hello/contents/big.txt",
		"/repos/octo/hello/readme", "/repos/octo/hello/git/trees/main?recursive=1", "/repos/octo/hello/git/trees/" + tree, "/repos/octo/hello/git/matching-refs/heads/f",
		"/repos/octo/hello/git/blobs/" + sha(t, []byte("# Hello\n")), "/repos/octo/hello/git/tags/" + tag,
		"/repos/octo/hello/commits", "/repos/octo/hello/commits?path=src&sha=v1", "/repos/octo/hello/commits/main", "/repos/octo/hello/commits/feature/x%231",
		"/repos/octo/hello/commits/feature/x%231/pulls", "/repos/octo/hello/compare/main...feature/x%231", "/repos/octo/hello/compare/v1...v1",
		"/repos/octo/hello/issues", "/repos/octo/hello/issues?state=all&per_page=1", "/repos/octo/hello/issues/1", "/repos/octo/hello/issues/3",
		"/repos/octo/hello/issues/1/comments", "/repos/octo/hello/issues/1/labels", "/repos/octo/hello/issues/1/sub_issues", "/repos/octo/hello/labels",
		"/repos/octo/hello/milestones", "/repos/octo/hello/assignees", "/repos/octo/hello/pulls", "/repos/octo/hello/pulls/3", "/repos/octo/hello/pulls/3/files",
		"/repos/octo/hello/pulls/3/commits", "/repos/octo/hello/pulls/3/reviews", "/repos/octo/hello/pulls/3/comments", "/repos/octo/hello/pulls/3/requested_reviewers",
		"/repos/octo/hello/commits/main/check-runs", "/repos/octo/hello/commits/main/status", "/repos/octo/hello/commits/main/statuses",
		"/repos/octo/hello/actions/workflows", "/repos/octo/hello/actions/workflows/ci.yml", "/repos/octo/hello/actions/workflows/ci.yml/runs",
		"/repos/octo/hello/actions/runs/" + run, "/repos/octo/hello/actions/runs/" + run + "/artifacts", "/repos/octo/hello/actions/jobs/" + job,
		"/repos/octo/hello/releases", "/repos/octo/hello/releases/" + release, "/repos/octo/hello/releases/tags/v1",
		"/search/repositories?q=hello", "/search/issues?q=noon+is:issue+repo:octo/hello", "/search/issues?q=is:pr+is:open", "/search/code?q=package+repo:octo/hello",
		"/search/commits?q=begin", "/repos/octo/empty", "/repos/octo/empty/branches", "/repos/octo/empty/tags", "/repos/octo/empty/issues",
	} {
		if a := h.ask("GET "+path, ""); a.StatusCode != 200 {
			t.Errorf("GET %s: %s: %s", path, a.Status, a.body)
		}
	}
}
