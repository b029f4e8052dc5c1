package github_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/internal/vendorrules"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// What users of other servers for GitHub have reported, kind by kind.

// A list of pull requests with long texts does not fill a model's context.
func TestAListOfLongTextsIsShort(t *testing.T) {
	w := world()
	r := &w.Repositories[0]
	for range 30 {
		r.Issues = append(r.Issues, githubfake.Issue{Title: "Long", Body: strings.Repeat("word ", 4000), Pull: &githubfake.Pull{Head: "topic", Base: "main"}})
	}
	h := newHub(t, w)
	if n := len(h.must("list_pulls", hello(`{}`)).JSON); n > 8000 {
		t.Errorf("a list of 30 pull requests has %d bytes, want at most 8000", n)
	}
	if n := len(h.must("list_issues", hello(`{}`)).JSON); n > 8000 {
		t.Errorf("a list of 30 issues has %d bytes, want at most 8000", n)
	}
}

// B67: what was asked for is what is sent, and the next page is reached.
func TestALimitIsSent(t *testing.T) {
	h := newHub(t, world())
	h.Forget()
	r := h.must("list_issues", hello(`{"limit": 1, "state": "all"}`))
	if q := h.Requests()[0].Query; !strings.Contains(q, "per_page=1") {
		t.Errorf("the request was %s, want per_page=1", q)
	}
	items, _ := field(t, r, "issues").([]any)
	if len(items) != 1 || field(t, r, "has_more") != true {
		t.Fatalf("a page of one item is %s", r.JSON)
	}
	next := h.must("list_issues", hello(`{"limit": 1, "state": "all", "cursor": "`+text(t, r, "next_cursor")+`"}`))
	if number(t, next, "issues", 0, "number") == number(t, r, "issues", 0, "number") {
		t.Errorf("the second page is the first one")
	}
}

// B69: an issue whose label has no description, that has no text and whose author
// is gone, is listed.
func TestNullsAreListed(t *testing.T) {
	h := newHub(t, world())
	if r := h.must("list_issues", hello(`{}`)); !strings.Contains(string(r.JSON), "From nobody") {
		t.Errorf("the issue is not in %s", r.JSON)
	}
	for _, key := range []string{"get_issue", "list_issue_comments"} {
		h.must(key, hello(`{"number": 2}`))
	}
	h.must("list_issue_comments", hello(`{"number": 1}`))
}

// Pages add up to the whole, without gaps and without repeats, however small they
// are.
func TestPagesAddUp(t *testing.T) {
	w := world()
	w.Limit = 1 << 20
	r := &w.Repositories[0]
	for i := range 25 {
		r.Issues = append(r.Issues, githubfake.Issue{Title: fmt.Sprintf("Issue %d of the list", i)})
		r.Issues[0].Comments = append(r.Issues[0].Comments, githubfake.Comment{Body: fmt.Sprintf("Comment %d", i)})
		r.Labels = append(r.Labels, githubfake.Label{Name: fmt.Sprintf("label %d", i)})
	}
	h := newHub(t, w)
	for _, c := range []struct{ key, args, list, of string }{
		{"list_branches", hello(`{}`), "branches", "name"}, {"list_issues", hello(`{}`), "issues", "number"}, {"list_commits", hello(`{"ref": "topic"}`), "commits", "sha"},
		{"list_issue_comments", hello(`{"number": 1}`), "comments", "id"}, {"list_labels", hello(`{}`), "labels", "name"}, {"list_directory", hello(`{}`), "entries", "path"},
		{"get_tree", hello(`{}`), "entries", "path"}, {"list_pull_files", hello(`{"number": 3}`), "files", "path"}, {"search_issues", `{"query": "list"}`, "issues", "number"},
	} {
		whole := h.all(c.key, c.args, 100, 1<<20, c.list, c.of)
		if len(whole) == 0 {
			t.Errorf("%s is empty", c.key)
		}
		for _, by := range [][2]int{{1, 1 << 20}, {3, 1 << 20}, {7, 1500}, {100, 1700}} {
			if got := h.all(c.key, c.args, by[0], int64(by[1]), c.list, c.of); !slices.Equal(got, whole) {
				t.Errorf("%s in pages of %d items and %d bytes is %v, want %v", c.key, by[0], by[1], got, whole)
			}
		}
	}
}

// all follows Next to the end and tells one field of each item.
func (h *hub) all(key, args string, limit int, budget int64, list, of string) []string {
	h.t.Helper()
	c := newCall(h.t, key, args)
	c.Budget = budget
	c.Args = append(c.Args, mapping.Arg{Name: "limit", Value: encoded(h.t, limit)})
	var all []string
	for range 200 {
		r, err := h.Adapter.Call(h.t.Context(), c)
		if err != nil {
			h.t.Fatalf("%s: %v", key, err)
		}
		items, _ := field(h.t, r, list).([]any)
		for _, i := range items {
			o, _ := i.(map[string]any)
			all = append(all, fmt.Sprint(o[of]))
		}
		if r.Next == nil {
			return all
		}
		c.Args = r.Next.Args
	}
	h.t.Fatalf("%s has no end", key)
	return nil
}

// A cursor is good for the call that it came from, and for no other.
func TestACursorIsBound(t *testing.T) {
	h := newHub(t, world())
	mark := text(t, h.must("list_branches", hello(`{"limit": 2}`)), "next_cursor")
	for what, args := range map[string]string{
		"another size": `{"limit": 3, "cursor": "` + mark + `"}`, "one letter more": `{"limit": 2, "cursor": "` + mark + `A"}`, "nonsense": `{"limit": 2, "cursor": "!"}`,
	} {
		_, err := h.call("list_branches", hello(args))
		refused(t, what, err, mapping.Invalid, "cursor")
	}
	_, err := h.call("list_issues", hello(`{"limit": 2, "cursor": "`+mark+`"}`))
	refused(t, "another tool", err, mapping.Invalid, "cursor")
}

// A tree that GitHub could not list in whole says so.
func TestAnIncompleteTreeSaysSo(t *testing.T) {
	h := newHub(t, world())
	h.Fail(githubfake.Fault{Path: "/git/trees/", Status: 200, Body: `{"sha": "1234567890123456789012345678901234567890", "truncated": true,
		"url": "https://api.github.example/x", "tree": [{"path": "a", "mode": "100644", "type": "blob", "sha": "1234567890123456789012345678901234567890", "size": 1}]}`})
	r := h.must("get_tree", hello(`{}`))
	if field(t, r, "incomplete") != true || !strings.Contains(r.Note, "path") {
		t.Errorf("a tree that was cut is told as %s with the note %q", r.JSON, r.Note)
	}
}

// What GitHub's search wants is added once, and what it leaves out is said.
func TestSearchSaysWhatIsMissing(t *testing.T) {
	h := newHub(t, world())
	for args, want := range map[string]string{
		`{"query": "noon"}`: "is:issue", `{"query": "noon is:issue"}`: "is:issue", `{"query": "world is:pr"}`: "is:pr", `{"query": "world", "type": "pull_request"}`: "is:pr",
	} {
		h.Forget()
		h.must("search_issues", args)
		q := h.Requests()[0].Query
		if n := strings.Count(q, "is%3A"); n != 1 || !strings.Contains(q, strings.ReplaceAll(want, ":", "%3A")) {
			t.Errorf("%s was sent as %s, want %s once", args, q, want)
		}
	}
	h.Fail(githubfake.Fault{Path: "/search/code", Status: 200, Body: `{"total_count": 1, "incomplete_results": true, "items": []}`})
	r := h.must("search_code", `{"query": "package"}`)
	if field(t, r, "incomplete") != true || r.Note == "" {
		t.Errorf("a search that GitHub did not finish is told as %s with the note %q", r.JSON, r.Note)
	}
}

// A search never shows what is not allowed, whatever GitHub finds.
func TestSearchShowsNothingElse(t *testing.T) {
	h := newHub(t, world())
	for _, c := range []struct{ key, args string }{
		{"search_issues", `{"query": "breaks"}`}, {"search_code", `{"query": "package"}`}, {"search_commits", `{"query": "canary"}`}, {"search_repositories", `{"query": "secret"}`},
	} {
		if r, err := h.call(c.key, c.args); err == nil && strings.Contains(content(r), "evil") {
			t.Errorf("%s shows %s", c.key, content(r))
		}
	}
}

// What is no time is refused: GitHub ignores it and lists everything.
func TestATimeIsATime(t *testing.T) {
	h := newHub(t, world())
	for _, key := range []string{"list_issues", "list_commits"} {
		_, err := h.call(key, hello(`{"since": "yesterday"}`))
		refused(t, key, err, mapping.Invalid, "since", "yesterday", "2026-01-31")
		for given, sent := range map[string]string{"2025-06-01": "2025-06-01T00:00:00Z", "2025-06-01T12:00:00+02:00": "2025-06-01T10:00:00Z"} {
			h.Forget()
			h.must(key, hello(`{"since": "`+given+`"}`))
			if q := h.Requests()[0].Query; !strings.Contains(q, "since="+url.QueryEscape(sent)) {
				t.Errorf("%s since %s was sent as %s", key, given, q)
			}
		}
	}
}

// Text that hides something from a reader does not reach the model.
func TestHiddenTextIsTakenOut(t *testing.T) {
	w := world()
	hidden := "See\U000e0048\U000e0069 this\u200b is \u202eevil\u202c"
	w.Repositories[0].Issues[0].Title, w.Repositories[0].Issues[0].Body = hidden, hidden
	w.Repositories[0].Issues[0].Comments[0].Body = hidden
	w.Repositories[0].Issues[2].Pull.Reviews[0].Body = hidden
	w.Repositories[0].Releases[0].Body = hidden
	h := newHub(t, w)
	for _, u := range []use{
		{"get_issue", hello(`{"number": 1}`), nil}, {"list_issues", hello(`{}`), nil}, {"list_issue_comments", hello(`{"number": 1}`), nil},
		{"list_pull_reviews", hello(`{"number": 3}`), nil}, {"get_release", hello(`{"tag": "v1.0"}`), nil}, {"search_issues", `{"query": "this"}`, nil},
	} {
		got := string(h.must(u.key, u.args).JSON)
		if strings.ContainsAny(got, "\U000e0048\U000e0069\u200b\u202e\u202c") || strings.Contains(got, `\u202e`) || !strings.Contains(got, "evil") {
			t.Errorf("%s tells %q", u.key, got)
		}
	}
}

// Numbers beyond 2^53 keep their digits, in answers and in arguments.
func TestLargeNumbersAreExact(t *testing.T) {
	h := newHub(t, world())
	id := number(t, h.must("list_issue_comments", hello(`{"number": 1}`)), "comments", 0, "id")
	if !strings.HasPrefix(id, "900719925474") || len(id) != 16 {
		t.Errorf("the comment's id is %s, want one of the fake's, which are beyond 2^53", id)
	}
	h.must("get_run", hello(`{"run_id": `+h.run()+`}`))
}

// A link is told for what it is, and writing to it is refused.
func TestALinkIsNotOverwritten(t *testing.T) {
	h := newHub(t, world())
	r := h.must("get_file", hello(`{"path": "link"}`))
	if text(t, r, "kind") != "symlink" || text(t, r, "target") != "README.md" || text(t, r, "text") != "# Hello\n\nText with <b>&\n" {
		t.Errorf("a link is told as %s", r.JSON)
	}
	_, err := h.call("write_file", hello(`{"path": "link", "content": "x", "message": "Write", "sha": "`+text(t, r, "sha")+`"}`))
	if err == nil {
		t.Errorf("a link was overwritten")
	}
	if again := h.must("get_file", hello(`{"path": "link"}`)); text(t, again, "kind") != "symlink" {
		t.Errorf("the link is now %s", again.JSON)
	}
}

// Every tool is taken by the vendors, and its name leaves room for a prefix.
func TestEveryToolIsTaken(t *testing.T) {
	h := newHub(t, world())
	rules, err := vendorrules.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range h.surface().Tools() {
		if len(tool.Name) > 48 {
			t.Errorf("%s has more than 48 characters", tool.Name)
		}
		for _, problem := range rules.Check(vendorrules.Tool{Name: tool.Name, Description: tool.Description, Input: tool.Input, Output: tool.Output}) {
			t.Errorf("%s: %s", tool.Name, problem)
		}
		var schema struct {
			AdditionalProperties *bool
		}
		if json.Unmarshal(tool.Input, &schema) != nil || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%s takes unknown arguments", tool.Name)
		}
	}
}

// An Enterprise Server answers below /api/v3, and its links lead there.
func TestAnEnterpriseServer(t *testing.T) {
	h := newHub(t, world())
	h.Adapter = opened(t, everything(h.server.URL+"/api/v3"))
	h.Forget()
	h.must("list_branches", hello(`{"limit": 2}`))
	h.must("get_file", hello(`{"path": "README.md"}`))
	h.must("get_job_log", hello(`{"job_id": `+h.job("test")+`}`))
	if n := len(h.all("list_branches", hello(`{}`), 3, 1<<20, "branches", "name")); n != len(hardRefs)+2 {
		t.Errorf("there are %d branches, want %d", n, len(hardRefs)+2)
	}
	for _, r := range h.Requests() {
		if !r.Blob && !strings.HasPrefix(r.Path, "/api/v3/") {
			t.Errorf("%s was asked for, which is not below the API", r.Path)
		}
	}
}
