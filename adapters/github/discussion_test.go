package github_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// talkative is a world whose first issue and pull request have so many comments.
func talkative(comments, size int) githubfake.World {
	w := world()
	for i := range w.Repositories[0].Issues {
		list := make([]githubfake.Comment, comments)
		for k := range list {
			list[k].Body = fmt.Sprintf("comment %d %s", k, strings.Repeat("x", size))
		}
		w.Repositories[0].Issues[i].Comments = list
	}
	return w
}

type discussed struct {
	Body     string
	Comments json.RawMessage         // a number, or a page of a list
	First    []struct{ Body string } `json:"first_comments"`
	Cursor   string                  `json:"comments_cursor"`
	Next     string                  `json:"next_cursor"`
}

// What is shown with an issue and what its cursor leads to are all comments, each
// once and in order.
func TestDiscussionsGoOn(t *testing.T) {
	for _, c := range []struct {
		name           string
		comments, size int
		args           string
		first          int
	}{
		{"none", 0, 0, `{"number":1}`, 0},
		{"a few", 4, 10, `{"number":1}`, 4},
		{"just as many as are shown", 10, 10, `{"number":1}`, 10},
		{"more", 45, 10, `{"number":1}`, 10},
		{"of a pull request", 45, 10, `{"number":3}`, 10},
		{"as many as a page of the list", 45, 10, `{"number":1,"comments":30}`, 30},
		{"all that are asked for", 45, 10, `{"number":3,"comments":40}`, 40},
		{"not asked for", 45, 10, `{"number":1,"comments":0}`, 0},
		{"larger than an answer", 12, 30_000, `{"number":1}`, 1},
		{"each larger than an answer", 3, 59_000, `{"number":1}`, 0},
	} {
		h := newHub(t, talkative(c.comments, c.size))
		key := "get_issue"
		if strings.Contains(c.args, `"number":3`) {
			key = "get_pull"
		}
		r := h.must(key, hello(c.args))
		var got discussed
		if err := json.Unmarshal(r.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.First) != c.first || got.Body == "" || len(r.JSON) > 60_000 {
			t.Errorf("%s: %d comments in %d bytes, want %d", c.name, len(got.First), len(r.JSON), c.first)
		}
		goesOn := c.first < c.comments && !strings.Contains(c.args, `"comments":0`)
		if (got.Cursor != "") != goesOn || strings.Contains(r.Note, "[[list_issue_comments]]") != goesOn {
			t.Errorf("%s: cursor %q, note %q", c.name, got.Cursor, r.Note)
		}
		seen := got.First
		for next := got.Cursor; next != ""; {
			number := strings.TrimSuffix(strings.Split(c.args, ",")[0], "}")
			var page struct {
				Comments []struct{ Body string }
				Next     string `json:"next_cursor"`
			}
			if err := json.Unmarshal(h.must("list_issue_comments", hello(number+`,"cursor":"`+next+`"}`)).JSON, &page); err != nil {
				t.Fatal(err)
			}
			seen, next = append(seen, page.Comments...), page.Next
		}
		for k, one := range seen {
			if !strings.HasPrefix(one.Body, fmt.Sprintf("comment %d ", k)) {
				t.Fatalf("%s: comment %d is %.20q", c.name, k, one.Body)
			}
		}
		if goesOn && len(seen) != c.comments {
			t.Errorf("%s: %d comments in all, want %d", c.name, len(seen), c.comments)
		}
	}
}

// An address of an issue shows its discussion, as much as it says.
func TestDiscussionsHaveAddresses(t *testing.T) {
	h := newHub(t, talkative(45, 10))
	for path, want := range map[string]int{"octo/hello/issues/1": 10, "octo/hello/issues/1?comments=25": 25, "octo/hello/pulls/3?comments=1": 1, "octo/hello/pulls/3": 10} {
		r, err := h.read(path)
		var got discussed
		if err != nil || json.Unmarshal(r.JSON, &got) != nil || len(got.First) != want || got.Cursor == "" {
			t.Errorf("%s: %d comments, %v; want %d", path, len(got.First), err, want)
		}
	}
	for _, path := range []string{"octo/hello/issues/1?comments=101", "octo/hello/issues/1?comments=x", "octo/hello/issues/1?comments=-1"} {
		if r, err := h.read(path); err == nil {
			t.Errorf("%s: %s", path, r.JSON)
		}
	}
}

// Who may read a pull request but not its comments still gets it, and is told.
func TestDiscussionsThatMayNotBeRead(t *testing.T) {
	h := newHub(t, talkative(3, 10))
	denied := githubfake.Denied("issues=read")
	denied.Path = "/issues/3/comments"
	h.Fail(denied)
	r := h.must("get_pull", hello(`{"number":3}`))
	if text(t, r, "title") != "Say world" || !strings.Contains(r.Note, "comments") {
		t.Errorf("%s, %q", r.JSON, r.Note)
	}
	h.Mend()
	broken := complaint(500, "broken")
	broken.Path = denied.Path
	h.Fail(broken)
	if r, err := h.call("get_pull", hello(`{"number":3}`)); mapping.CodeOf(err) != mapping.Unavailable {
		t.Errorf("comments that break off: %v, %v", r, err)
	}
}
