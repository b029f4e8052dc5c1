package github_test

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
)

// A use of an operation, with what its answer has to hold. $run, $job and $head
// are what the fake gave.
type use struct {
	key, args string
	want      []string
}

func uses() []use { return append(reads(), writes()...) }

func reads() []use {
	return []use{
		{"get_me", `{}`, []string{`"login":"octocat"`}},
		{"get_repository", hello(`{}`), []string{`"full_name":"octo/hello"`, `"default_branch":"main"`, "Says hello"}},
		{"list_branches", hello(`{}`), []string{`"topic"`, `"fix#1"`}},
		{"list_tags", hello(`{}`), []string{`"v1.0"`, `"release/2"`}},
		{"list_contributors", hello(`{}`), []string{`"octocat"`}},
		{"list_commits", hello(`{"ref": "topic", "path": "README.md", "author": "hubot"}`), []string{"Say world"}},
		{"list_commits", hello(`{}`), []string{`"message":"Begin"`}},
		{"get_commit", hello(`{"ref": "topic"}`), []string{"+World", `"status":"removed"`}},
		{"compare_commits", hello(`{"base": "main", "head": "topic"}`), []string{`"ahead_by":1`, "+World"}},
		{"list_releases", hello(`{}`), []string{`"v1.0"`}},
		{"get_release", hello(`{"tag": "v1.0"}`), []string{"Notes of it"}},
		{"get_file", hello(`{"path": "README.md"}`), []string{"# Hello"}},
		{"read_files", hello(`{"paths": ["README.md", "src/main.go", "none"]}`), []string{"# Hello", "func main", "problem"}},
		{"list_directory", hello(`{}`), []string{`"src"`, `"path":"lib","kind":"submodule"`, `"path":"abroad","kind":"submodule"`}},
		{"list_directory", hello(`{"path": "src", "ref": "topic"}`), []string{"src/main.go"}},
		{"get_tree", hello(`{}`), []string{"src/main.go", "run.sh"}},
		{"get_tree", hello(`{"path": "src"}`), []string{"src/main.go"}},
		{"get_readme", hello(`{}`), []string{"# Hello"}},
		{"search_code", `{"query": "package"}`, []string{"src/main.go"}},
		{"search_repositories", `{"query": "hello"}`, []string{"octo/hello"}},
		{"search_issues", `{"query": "noon"}`, []string{"It breaks"}},
		{"search_issues", `{"query": "world", "type": "pull_request", "owner": "octo", "repo": "hello"}`, []string{"Say world"}},
		{"search_commits", `{"query": "begin"}`, []string{"Begin"}},
		{"get_issue", hello(`{"number": 1}`), []string{"At noon", `"milestone":"1.0"`}},
		{"list_issues", hello(`{"state": "all", "labels": ["bug"], "sort": "updated", "direction": "asc"}`), []string{"It breaks"}},
		{"list_issue_comments", hello(`{"number": 1}`), []string{"Me too", "I am gone"}},
		{"list_labels", hello(`{}`), []string{"no description"}},
		{"list_milestones", hello(`{}`), []string{`"1.0"`}},
		{"get_pull", hello(`{"number": 3}`), []string{`"head":"topic"`, `"mergeable":true`, `"changed_files":2`}},
		{"list_pulls", hello(`{"base": "main", "state": "open"}`), []string{"Say world"}},
		{"get_pull_diff", hello(`{"number": 3}`), []string{`+World`, "diff --git"}},
		{"list_pull_files", hello(`{"number": 3}`), []string{"README.md", `"removed"`}},
		{"list_pull_commits", hello(`{"number": 3}`), []string{"Say world"}},
		{"list_pull_reviews", hello(`{"number": 3}`), []string{"APPROVED", "Good"}},
		{"list_review_comments", hello(`{"number": 3}`), []string{"Why?", `"line":3`}},
		{"get_pull_checks", hello(`{"number": 3}`), []string{"lint", `"in_progress"`, "ci/old", `"failure"`}},
		{"list_workflows", hello(`{}`), []string{".github/workflows/ci.yml"}},
		{"list_runs", hello(`{"branch": "topic", "status": "failure"}`), []string{`"CI"`}},
		{"get_run", hello(`{"run_id": $run}`), []string{`"conclusion":"failure"`}},
		{"list_jobs", hello(`{"run_id": $run}`), []string{`"failed_step":"Test"`}},
		{"get_job_log", hello(`{"job_id": $job}`), []string{"FAIL it is bad", `"failed_step":"Test"`}},
	}
}

func writes() []use {
	readme := gitSHA("# Hello\n\nText with <b>&\n")
	return []use{
		{"create_branch", hello(`{"branch": "new/one", "from": "v1.0"}`), []string{"new/one"}},
		{"write_file", hello(`{"path": "docs/new file.md", "content": "New\n", "message": "Add", "branch": "new/one"}`), []string{gitSHA("New\n")}},
		{"write_file", hello(`{"path": "README.md", "content": "IyBPdGhlcgo=", "encoding": "base64", "message": "Change", "branch": "new/one", "sha": "` + readme + `"}`), []string{gitSHA("# Other\n")}},
		{"delete_file", hello(`{"path": "README.md", "message": "Drop", "branch": "new/one", "sha": "` + gitSHA("# Other\n") + `"}`), []string{"README.md"}},
		{"commit_files", hello(`{"branch": "new/one", "message": "Several", "files": [{"path": "a.txt", "content": "a\n"}, {"path": "src/main.go", "delete": true, "sha": "` + gitSHA("package main\n\nfunc main() {}\n") + `"}]}`), []string{`"commit"`, gitSHA("a\n")}},
		{"create_issue", hello(`{"title": "New", "body": "Text", "labels": ["bug"], "assignees": ["octocat"], "milestone": 1}`), []string{`"number":5`}},
		{"update_issue", hello(`{"number": 5, "state": "closed", "state_reason": "not_planned"}`), []string{`"state":"closed"`}},
		{"add_issue_comment", hello(`{"number": 5, "body": "Said"}`), []string{`"id"`}},
		{"add_labels", hello(`{"number": 5, "labels": ["no description"]}`), []string{"no description"}},
		{"remove_label", hello(`{"number": 5, "name": "bug"}`), []string{"no description"}},
		{"create_pull", hello(`{"title": "New one", "head": "new/one", "base": "main", "body": "Please", "draft": true}`), []string{`"number":6`}},
		{"update_pull", hello(`{"number": 6, "title": "Newer", "state": "closed"}`), []string{`"state":"closed"`}},
		{"request_reviewers", hello(`{"number": 3, "reviewers": ["octocat"]}`), []string{"octocat"}},
		{"merge_pull", hello(`{"number": 3, "sha": "$head", "merge_method": "squash"}`), []string{`"merged":true`}},
		{"dispatch_workflow", hello(`{"workflow": "ci.yml", "ref": "main", "inputs": {"why": "test"}}`), nil},
		{"rerun_run", hello(`{"run_id": $run, "failed_only": true}`), nil},
	}
}

// gitSHA is git's name of a file's bytes.
func gitSHA(data string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)))
}

// Every operation of the catalog works, and neither its requests nor the answers
// they get differ from what GitHub describes.
func TestEveryOperation(t *testing.T) {
	h := newHub(t, world())
	catalog, err := h.Adapter.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known, missing := map[string]bool{}, map[string]bool{}
	for _, op := range catalog.Operations {
		known[op.Key], missing[op.Key] = true, true
	}
	head := text(t, h.must("get_pull", hello(`{"number": 3}`)), "head_sha")
	given := strings.NewReplacer("$run", h.run(), "$job", h.job("test"), "$head", head)
	for _, u := range uses() {
		if !known[u.key] {
			t.Errorf("%s is no operation of the catalog", u.key)
			continue
		}
		args := given.Replace(u.args)
		r, err := h.call(u.key, args)
		if err != nil {
			t.Errorf("%s %s: %v", u.key, args, err)
			continue
		}
		delete(missing, u.key)
		for _, want := range u.want {
			if !strings.Contains(content(r), want) {
				t.Errorf("%s %s: no %q in %.600s", u.key, args, want, content(r))
			}
		}
	}
	for key := range missing {
		t.Errorf("%s is not exercised: give it a row in uses", key)
	}
}

// run is the number of the world's only run.
func (h *hub) run() string {
	h.t.Helper()
	return number(h.t, h.must("list_runs", hello(`{}`)), "runs", 0, "id")
}

// job is the number of one of its jobs.
func (h *hub) job(name string) string {
	h.t.Helper()
	r := h.must("list_jobs", hello(`{"run_id": `+h.run()+`}`))
	jobs, _ := field(h.t, r, "jobs").([]any)
	for i := range jobs {
		if text(h.t, r, "jobs", i, "name") == name {
			return number(h.t, r, "jobs", i, "id")
		}
	}
	h.t.Fatalf("no job %q in %s", name, r.JSON)
	return ""
}
