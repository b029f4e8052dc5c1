package github_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const here = `"owner":"octo","repo":"hello",`

// modeAt is what git has at a path of main.
func modeAt(d *hub, path string) (kind, sha string) {
	d.t.Helper()
	for _, e := range d.get("get_tree", `{`+here+`"ref":"main"}`)["entries"].([]any) {
		if e := e.(map[string]any); e["path"] == path {
			kind, _ = e["kind"].(string)
		}
	}
	for _, e := range d.get("list_directory", `{`+here+`"ref":"main"}`)["entries"].([]any) {
		if e := e.(map[string]any); e["path"] == path {
			sha, _ = e["sha"].(string)
		}
	}
	return kind, sha
}

func TestWritingAFile(t *testing.T) {
	d := newHub(t, fileWorld())
	refused := func(code mapping.Code, want, args string) {
		t.Helper()
		if _, err := d.call("write_file", `{`+here+`"message":"m","content":"new\n",`+args+`}`); mapping.CodeOf(err) != code || !strings.Contains(err.Error(), want) {
			t.Errorf("write_file %s: %v, want %s with %q", args, err, code, want)
		}
	}
	refused(mapping.Conflict, "exists already", `"path":"README.md"`)
	refused(mapping.Conflict, "has changed", `"path":"README.md","sha":"`+sha(t, "old")+`"`)
	refused(mapping.Conflict, "symbolic link", `"path":"latest","sha":"`+sha(t, "src/main.go")+`"`)
	refused(mapping.Conflict, "directory", `"path":"src"`)
	refused(mapping.Conflict, "submodule", `"path":"lib"`)
	refused(mapping.NotFound, "nothing at the path", `"path":"nope","sha":"`+sha(t, "old")+`"`)
	refused(mapping.NotFound, "no branch", `"path":"nope","branch":"mian"`)
	refused(mapping.Invalid, "path", `"path":"../x"`)
	for _, r := range d.Requests() {
		if r.Method != "GET" {
			t.Fatalf("%s %s was sent for a refused write", r.Method, r.Path)
		}
	}

	d.get("write_file", `{`+here+`"path":"new/file.txt","content":"new\n","message":"Add"}`)
	if got := d.get("get_file", `{`+here+`"path":"new/file.txt"}`); got["text"] != "new\n" {
		t.Errorf("the new file is %v", got)
	}
	d.get("write_file", `{`+here+`"path":"run.sh","content":"#!/bin/bash\n","message":"Use bash","sha":"`+sha(t, "#!/bin/sh\n")+`","branch":"main"}`)
	if kind, at := modeAt(d, "run.sh"); kind != "executable" || at != sha(t, "#!/bin/bash\n") {
		t.Errorf("run.sh is %s %s, want the new content and still executable", kind, at)
	}
	got := d.get("write_file", `{`+here+`"path":"dot.gif","content":"`+base64.StdEncoding.EncodeToString([]byte(pngBytes))+`","encoding":"base64","message":"Binary"}`)
	if at := got["files"].([]any)[0].(map[string]any)["sha"]; at != sha(t, pngBytes) {
		t.Errorf("the blob is %v, git says %s", at, sha(t, pngBytes))
	}
	d.get("delete_file", `{`+here+`"path":"dot.gif","message":"Remove","sha":"`+sha(t, pngBytes)+`"}`)
	if _, err := d.call("get_file", `{`+here+`"path":"dot.gif"}`); mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("after delete_file: %v", err)
	}
}

func TestTheFirstCommit(t *testing.T) {
	d := newHub(t, fileWorld())
	d.get("write_file", `{"owner":"octo","repo":"empty","path":"README.md","content":"first\n","message":"Begin"}`)
	if got := d.get("get_file", `{"owner":"octo","repo":"empty","path":"README.md"}`); got["text"] != "first\n" {
		t.Errorf("the first file is %v", got)
	}
}

func TestCommittingSeveralFiles(t *testing.T) {
	d := newHub(t, fileWorld())
	d.get("create_branch", `{`+here+`"branch":"work/a#b","from":"main"}`)
	d.get("commit_files", `{`+here+`"branch":"work/a#b","message":"All at once","files":[
		{"path":"run.sh","content":"#!/bin/zsh\n","sha":"`+sha(t, "#!/bin/sh\n")+`"},
		{"path":"tool","content":"x","executable":true},
		{"path":"logo.png","delete":true,"sha":"`+sha(t, pngBytes)+`"},
		{"path":"bin","content":"`+base64.StdEncoding.EncodeToString([]byte(latinBytes))+`","encoding":"base64"}]}`)
	kinds := map[string]any{}
	for _, e := range d.get("get_tree", `{`+here+`"ref":"work/a#b"}`)["entries"].([]any) {
		kinds[e.(map[string]any)["path"].(string)] = e.(map[string]any)["kind"]
	}
	if kinds["run.sh"] != "executable" || kinds["tool"] != "executable" || kinds["logo.png"] != nil || kinds["bin"] != "file" || kinds["latest"] != "symlink" || kinds["lib"] != "submodule" {
		t.Errorf("the tree is %v", kinds)
	}
	if commits := d.get("list_commits", `{`+here+`"ref":"work/a#b"}`)["commits"].([]any); len(commits) != 2 {
		t.Errorf("there are %d commits, want one more than before", len(commits))
	}
	_, err := d.call("commit_files", `{`+here+`"branch":"work/a#b","message":"m","files":[{"path":"a","content":"1"},{"path":"tool","content":"2"}]}`)
	if mapping.CodeOf(err) != mapping.Conflict || !strings.Contains(err.Error(), "tool exists already") {
		t.Errorf("one change of two is refused: %v", err)
	}
	if _, err := d.call("get_file", `{`+here+`"path":"a","ref":"work/a#b"}`); mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("half of a refused commit was made: %v", err)
	}
}

func TestIssuesAndPulls(t *testing.T) {
	w := fileWorld()
	w.Repositories[0].Labels = []githubfake.Label{{Name: "bug"}, {Name: "type: odd/one"}}
	d := newHub(t, w)
	n := d.get("create_issue", `{`+here+`"title":"Broken","body":"It\u202e is","labels":["bug"]}`)
	if n["number"] != 1.0 || n["state"] != "open" {
		t.Fatalf("created %v", n)
	}
	if got := d.get("get_issue", `{`+here+`"number":1}`); got["body"] != "It is" {
		t.Errorf("body is %q, want it without the mark that turns text around", got["body"])
	}
	d.get("add_labels", `{`+here+`"number":1,"labels":["type: odd/one"]}`)
	if got := d.get("remove_label", `{`+here+`"number":1,"name":"type: odd/one"}`); len(got["labels"].([]any)) != 1 {
		t.Errorf("labels are %v, want bug alone", got)
	}
	d.get("add_issue_comment", `{`+here+`"number":1,"body":"Me too"}`)
	if got := d.get("list_issue_comments", `{`+here+`"number":1}`)["comments"].([]any); len(got) != 1 {
		t.Errorf("comments are %v", got)
	}
	if got := d.get("update_issue", `{`+here+`"number":1,"state":"closed","state_reason":"completed"}`); got["state"] != "closed" {
		t.Errorf("updated to %v", got)
	}

	p := d.get("create_pull", `{`+here+`"title":"Say it","head":"feature/x","base":"main","draft":false}`)
	if p["number"] != 2.0 {
		t.Fatalf("created %v", p)
	}
	if _, err := d.call("create_pull", `{`+here+`"title":"Say it","head":"evil:x","base":"main"}`); mapping.CodeOf(err) != mapping.Denied {
		t.Errorf("the head of a repository that is not allowed: %v", err)
	}
	d.get("request_reviewers", `{`+here+`"number":2,"reviewers":["hubot"]}`)
	d.get("update_pull", `{`+here+`"number":2,"body":"Please"}`)
	if _, err := d.call("merge_pull", `{`+here+`"number":2,"sha":"`+module+`"}`); mapping.CodeOf(err) != mapping.Conflict {
		t.Errorf("merging another head than was seen: %v", err)
	}
	if got := d.get("merge_pull", `{`+here+`"number":2,"sha":"`+p["head_sha"].(string)+`"}`); got["merged"] != true {
		t.Errorf("merged: %v", got)
	}
	if got := d.get("get_file", `{`+here+`"path":"README.md"}`); got["text"] != "of feature/x\n" {
		t.Errorf("after the merge main has %q", got["text"])
	}
}
