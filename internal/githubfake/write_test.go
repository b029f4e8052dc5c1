package githubfake_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// want asks and expects a status.
func (h hub) want(status int, what, body string, headers ...string) answer {
	h.t.Helper()
	a := h.ask(what, body, headers...)
	if a.StatusCode != status {
		h.t.Fatalf("%s answered %s, want %d: %s", what, a.Status, status, a.body)
	}
	return a
}

func TestFilesAreWritten(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/contents/docs/new.bin"
	data := []byte{0, 1, 2, 0xff}
	body := func(sha string, data []byte) string {
		m := map[string]string{"message": "Write", "content": base64.StdEncoding.EncodeToString(data)}
		if sha != "" {
			m["sha"] = sha
		}
		text, _ := json.Marshal(m)
		return string(text)
	}
	made := h.want(201, "PUT "+at, body("", data))
	first := made.field(t, "content", "sha").(string)
	if first != sha(t, data) {
		t.Errorf("the new blob is %s, git says %s", first, sha(t, data))
	}
	h.want(422, "PUT "+at, body("", []byte("again")))
	h.want(409, "PUT "+at, body(strings.Repeat("1", 40), []byte("again")))
	h.want(200, "PUT "+at, body(first, []byte("again")))
	read := h.want(200, "GET "+at, "", "Accept", "application/vnd.github.raw+json")
	if string(read.body) != "again" {
		t.Errorf("the file is %q after writing", read.body)
	}
	h.want(200, "DELETE "+at, fmt.Sprintf(`{"message": "Drop", "sha": %q}`, sha(t, []byte("again"))))
	h.want(404, "GET "+at, "")
	h.want(201, "PUT /repos/octo/empty/contents/README.md", body("", []byte("first")))
	h.want(200, "GET /repos/octo/empty/commits", "")
}

func TestCommitsAreMadeOfTheirParts(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/git"
	tip := h.want(200, "GET "+at+"/ref/heads/main", "").field(t, "object", "sha").(string)
	blob := h.want(201, "POST "+at+"/blobs", `{"content": "aGk=", "encoding": "base64"}`).field(t, "sha").(string)
	if blob != sha(t, []byte("hi")) {
		t.Errorf("the blob is %s, git says %s", blob, sha(t, []byte("hi")))
	}
	tree := h.want(201, "POST "+at+"/trees", fmt.Sprintf(`{"base_tree": %q, "tree": [
		{"path": "bin/tool", "mode": "100755", "type": "blob", "sha": %q}, {"path": "note", "mode": "100644", "type": "blob", "content": "n"},
		{"path": "logo.png", "mode": "100644", "type": "blob", "sha": null}]}`, tip, blob)).field(t, "sha").(string)
	commit := h.want(201, "POST "+at+"/commits", fmt.Sprintf(`{"message": "Several", "tree": %q, "parents": [%q]}`, tree, tip)).field(t, "sha").(string)
	h.want(201, "POST "+at+"/refs", fmt.Sprintf(`{"ref": "refs/heads/side", "sha": %q}`, tip))
	h.want(422, "POST "+at+"/refs", fmt.Sprintf(`{"ref": "refs/heads/side", "sha": %q}`, tip))
	h.want(200, "PATCH "+at+"/refs/heads/side", fmt.Sprintf(`{"sha": %q}`, commit))
	h.want(422, "PATCH "+at+"/refs/heads/side", fmt.Sprintf(`{"sha": %q}`, tip))
	whole := string(h.want(200, "GET "+at+"/trees/side?recursive=1", "").body)
	if !strings.Contains(whole, `"mode":"100755","path":"bin/tool"`) || strings.Contains(whole, "logo.png") {
		t.Errorf("the new tree is not what was asked for: %s", whole)
	}
	h.want(204, "DELETE "+at+"/refs/heads/side", "")
	h.want(404, "GET "+at+"/ref/heads/side", "")
}

func TestIssuesAreWritten(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/issues"
	h.want(422, "POST "+at, `{"title": ""}`)
	n := h.want(201, "POST "+at, `{"title": "New", "body": "Text", "labels": ["bug"], "assignees": ["octocat"], "milestone": 1}`).field(t, "number").(json.Number)
	one := at + "/" + n.String()
	if got := h.want(200, "PATCH "+one, `{"state": "closed", "state_reason": "not_planned"}`).field(t, "state_reason"); got != "not_planned" {
		t.Errorf("the reason for closing is %v", got)
	}
	h.want(200, "POST "+one+"/labels", `{"labels": ["plain"]}`)
	h.want(200, "DELETE "+one+"/labels/bug", "")
	h.want(404, "DELETE "+one+"/labels/bug", "")
	if got := h.want(200, "GET "+one, "").field(t, "labels", 0, "name"); got != "plain" {
		t.Errorf("the label is %v", got)
	}
	id := h.want(201, "POST "+one+"/comments", `{"body": "Hi"}`).field(t, "id").(json.Number)
	h.want(200, "PATCH "+at+"/comments/"+id.String(), `{"body": "Ho"}`)
	if got := h.want(200, "GET "+one+"/comments", "").field(t, 0, "body"); got != "Ho" {
		t.Errorf("the comment is %v", got)
	}
}

func TestPullsAreWrittenAndMerged(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/pulls"
	h.want(422, "POST "+at, `{"title": "Twice", "head": "feature/x#1", "base": "main"}`)
	h.want(201, "PUT /repos/octo/hello/contents/side", `{"message": "Side", "content": "", "branch": "feature/x#1"}`)
	h.want(201, "POST "+at+"/3/requested_reviewers", `{"reviewers": ["octocat"]}`)
	h.want(200, "DELETE "+at+"/3/requested_reviewers", `{"reviewers": ["octocat"]}`)
	h.want(200, "POST "+at+"/3/reviews", `{"event": "APPROVE", "body": "Fine"}`)
	note := h.want(200, "GET "+at+"/3/comments", "").field(t, 0, "id").(json.Number)
	h.want(201, "POST "+at+"/3/comments/"+note.String()+"/replies", `{"body": "Because"}`)
	h.want(200, "PATCH "+at+"/3", `{"title": "Say the world"}`)
	h.want(202, "PUT "+at+"/3/update-branch", `{}`)
	h.want(404, "GET "+at+"/3/merge", "")
	h.want(409, "PUT "+at+"/3/merge", fmt.Sprintf(`{"sha": %q}`, strings.Repeat("1", 40)))
	merge := h.want(200, "PUT "+at+"/3/merge", `{"merge_method": "squash"}`).field(t, "sha")
	if tip := h.want(200, "GET /repos/octo/hello/git/ref/heads/main", "").field(t, "object", "sha"); tip != merge {
		t.Errorf("main is at %v after a merge as %v", tip, merge)
	}
	h.want(204, "GET "+at+"/3/merge", "")
	h.want(405, "PUT "+at+"/3/merge", `{}`)
	if got := h.want(200, "GET "+at+"/3", "").field(t, "merged"); got != true {
		t.Errorf("merged is %v", got)
	}
}

func TestRunsAreStarted(t *testing.T) {
	h := open(t, world())
	const at = "/repos/octo/hello/actions"
	id := h.want(200, "GET "+at+"/runs", "").field(t, "workflow_runs", 0, "id").(json.Number).String()
	h.want(409, "POST "+at+"/runs/"+id+"/cancel", "")
	h.want(201, "POST "+at+"/runs/"+id+"/rerun-failed-jobs", "")
	h.want(202, "POST "+at+"/runs/"+id+"/cancel", "")
	h.want(201, "POST "+at+"/runs/"+id+"/rerun", "")
	h.want(422, "POST "+at+"/workflows/ci.yml/dispatches", `{"ref": "nowhere"}`)
	h.want(204, "POST "+at+"/workflows/ci.yml/dispatches", `{"ref": "main"}`)
	if got := h.want(200, "GET "+at+"/runs?event=workflow_dispatch", "").field(t, "workflow_runs", 0, "status"); got != "queued" {
		t.Errorf("the new run is %v", got)
	}
}
