package github_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A movingHub is a GitHub with one repository, 1000, whose name changes.
type movingHub struct {
	name   string
	former []string
}

func (h *movingHub) answer(r *http.Request) *http.Response {
	if r.URL.Host == "logs.example" {
		return reply(r, http.StatusOK, "the log of "+h.name+r.Header.Get("Authorization")+"\n")
	}
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	named := kind == "repos" && (rest == h.name || strings.HasPrefix(rest, h.name+"/"))
	if kind == "repositories" {
		rest = strings.TrimPrefix(rest, "1000")
	} else if named {
		rest = strings.TrimPrefix(rest, h.name)
	} else {
		for _, old := range h.former {
			if below, found := strings.CutPrefix(rest, old); found {
				return reply(r, http.StatusMovedPermanently, `{"message":"Moved Permanently"}`, "Location", "https://api.github.com/repositories/1000"+below)
			}
		}
		return reply(r, http.StatusNotFound, `{"message":"Not Found"}`)
	}
	if rest == "" {
		return reply(r, http.StatusOK, `{"id":1000,"full_name":"`+h.name+`"}`)
	}
	if strings.HasSuffix(rest, "/logs") {
		return reply(r, http.StatusFound, "", "Location", "https://logs.example/5")
	}
	return reply(r, http.StatusOK, fmt.Sprintf(`{"number":1,"title":"of %s"}`, h.name))
}

// A repository is followed to a new name that is allowed, and no farther: what is
// known of its number is not believed once its name has changed again.
func TestARepositoryThatMoves(t *testing.T) {
	h := &movingHub{name: "octo/hello"}
	a := madeUp(t, bridgegithub.Options{Token: "t"}, h.answer)
	move := func(to string) { h.former, h.name = append(h.former, h.name), to }
	reads := func(repo, want string) {
		t.Helper()
		r, err := a.call("get_issue", `{"owner":"octo","repo":"`+repo+`","number":1}`)
		if want == "" {
			if mapping.CodeOf(err) != mapping.Conflict {
				t.Errorf("octo/%s, which is %s now: %v, %v; want that it has moved", repo, h.name, r, err)
			}
			return
		}
		if err != nil || !strings.Contains(string(r.JSON), want) {
			t.Errorf("octo/%s, which is %s now: %v, %v", repo, h.name, r, err)
		}
	}
	knows := func(repo string) {
		t.Helper()
		if _, err := a.call("get_repository", `{"owner":"octo","repo":"`+repo+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	knows("hello")
	reads("hello", "of octo/hello")
	move("evil/hello")
	reads("hello", "")
	move("octo/new")
	reads("hello", "") // nobody has asked for octo/new
	knows("new")
	reads("hello", "of octo/new")
	if r, err := a.call("get_job_log", `{"owner":"octo","repo":"hello","job_id":5}`); err != nil || !strings.Contains(string(r.JSON), `the log of octo/new"`) {
		t.Errorf("the log of a job in a repository that was renamed: %v, %v", r, err)
	}
	knows("hello") // GitHub redirects the repository itself too
	move("evil/new")
	reads("hello", "")
	reads("new", "")
	for _, r := range a.seen {
		if !strings.HasPrefix(r.URL.Path, "/repos/octo/") && r.URL.Host != "logs.example" {
			t.Errorf("%s was asked for", r.URL)
		}
	}
}

// What GitHub tells of forks, submodules, links and files of a release points at
// other repositories and hosts. None of it is asked for.
func TestNothingThatIsPointedAtIsAskedFor(t *testing.T) {
	const sha = "1234567890123456789012345678901234567890"
	const elsewhere = `"repo":{"id":2,"full_name":"evil/hello","url":"https://api.github.com/repos/evil/hello"},"url":"https://api.github.com/repos/evil/hello","html_url":"https://evil.example/"`
	const pointing = `"git_url":"https://api.github.com/repos/evil/hello/git/blobs/` + sha + `","download_url":"https://evil.example/x","contents_url":"https://evil.example/x","blob_url":"https://evil.example/x","raw_url":"https://evil.example/x",` +
		`"url":"https://api.github.com/repos/evil/hello","html_url":"https://evil.example/"`
	object := `{"number":1,"id":1,"state":"open","title":"t","comments":1,"tag_name":"v1","sha":"` + sha + `","commit":{"tree":{"sha":"` + sha + `"}},"parents":[{"sha":"` + sha + `",` + pointing + `}],` +
		`"comments_url":"https://api.github.com/repos/evil/hello/issues/1/comments","diff_url":"https://evil.example/d","head":{"label":"evil:main","ref":"main","sha":"` + sha + `",` + elsewhere + `},` +
		`"base":{"label":"octo:main","ref":"main","sha":"` + sha + `","repo":{"full_name":"octo/hello"}},"assets":[{"name":"a.zip",` + pointing + `,"browser_download_url":"https://evil.example/a.zip"}],` +
		`"zipball_url":"https://evil.example/z","tarball_url":"https://evil.example/t",` + pointing + `,"type":"submodule","submodule_git_url":"../../evil/hello.git","target":"../../evil/hello/README.md"}`
	list := `[{"name":"link","path":"link","type":"symlink","target":"/etc/passwd","sha":"` + sha + `",` + pointing + `},{"name":"sub","path":"sub","type":"submodule","submodule_git_url":"https://evil.example/x.git","sha":"` + sha + `",` + pointing + `}]`
	link := strings.Replace(object, `"type":"submodule"`, `"type":"symlink"`, 1)
	for _, c := range []struct{ key, args, body string }{
		{"get_pull", `"number":1`, object},
		{"get_pull_diff", `"number":1`, "diff --git a/x b/x\n"},
		{"get_pull_checks", `"number":1`, object},
		{"list_pull_files", `"number":1`, "[" + object + "]"},
		{"list_pull_commits", `"number":1`, "[" + object + "]"},
		{"list_pulls", `"head":"evil:main"`, "[" + object + "]"},
		{"get_issue", `"number":1`, object},
		{"get_commit", `"ref":"` + sha + `"`, object},
		{"compare_commits", `"base":"main","head":"` + sha + `"`, object},
		{"get_file", `"path":"sub","ref":"pull/1/head"`, object},
		{"get_file", `"path":"link","ref":"refs/pull/1/head"`, link},
		{"read_files", `"paths":["sub","link"],"ref":"` + sha + `"`, object},
		{"list_directory", `"path":"","ref":"pull/1/head"`, list},
		{"get_tree", `"ref":"pull/1/head"`, object},
		{"get_release", `"tag":"v1"`, object},
		{"list_releases", ``, "[" + object + "]"},
		{"update_pull", `"number":1,"state":"closed"`, object},
	} {
		a := madeUp(t, bridgegithub.Options{Repositories: []string{"octo/hello", "octo/other"}, Token: "t"}, func(r *http.Request) *http.Response {
			if strings.HasSuffix(r.URL.Path, "/comments") {
				return reply(r, http.StatusOK, "[]")
			}
			return reply(r, http.StatusOK, c.body)
		})
		args := `{"owner":"octo","repo":"hello",` + c.args + `}`
		r, err := a.call(c.key, strings.Replace(args, ",}", "}", 1))
		if a.count() == 0 || err != nil && c.key != "get_pull_checks" && c.key != "get_tree" {
			t.Errorf("%s %s: %v, %v after %d requests", c.key, c.args, r, err, a.count())
		}
		for _, req := range a.seen {
			if req.URL.Host != "api.github.com" || !strings.HasPrefix(req.URL.EscapedPath(), "/repos/octo/hello/") || strings.Contains(req.URL.Path, "evil") {
				t.Errorf("%s %s asked for %s", c.key, c.args, req.URL)
			}
		}
	}
	for _, c := range []struct{ key, args string }{
		{"compare_commits", `"base":"main","head":"evil:main"`}, {"compare_commits", `"base":"evil:hello:main","head":"main"`}, {"compare_commits", `"base":"main...evil","head":"main"`},
		{"get_file", `"path":"x","ref":"evil:main"`}, {"get_commit", `"ref":"evil:main"`}, {"list_commits", `"ref":"evil:main"`}, {"get_tree", `"ref":"evil:main"`},
		{"create_pull", `"title":"t","head":"evil:main","base":"main"`}, {"create_branch", `"branch":"b","from":"evil:main"`}, {"dispatch_workflow", `"workflow":"ci.yml","ref":"evil:main"`},
		{"list_runs", `"branch":"main","status":"evil","cursor":"x"`},
	} {
		a := madeUp(t, bridgegithub.Options{Token: "t"}, func(r *http.Request) *http.Response {
			t.Errorf("%s %s asked for %s", c.key, c.args, r.URL)
			return reply(r, http.StatusOK, object)
		})
		if _, err := a.call(c.key, `{"owner":"octo","repo":"hello",`+c.args+`}`); err == nil {
			t.Errorf("%s %s is taken", c.key, c.args)
		}
	}
}
