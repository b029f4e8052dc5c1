package github_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// changing is a hub with one pull request that adds so many files.
func changing(t *testing.T, files int, text func(i int) string) *hub {
	t.Helper()
	changes := map[string]githubfake.File{"logo.png": {Data: []byte(pngBytes)}}
	for i := range files {
		changes[fmt.Sprintf("dir/%04d.txt", i)] = githubfake.Text(text(i))
	}
	return newHub(t, githubfake.World{Repositories: []githubfake.Repository{{
		Owner: "octo", Name: "hello", Commits: []githubfake.Commit{
			{Message: "Begin", Files: map[string]githubfake.File{"README.md": githubfake.Text("a\n"), "old.txt": githubfake.Text("some\nlines\nthat\nmove\n")}},
			{Branch: "work", From: "main", Message: "Work", Files: changes},
		},
		Issues: []githubfake.Issue{{Title: "Work", Pull: &githubfake.Pull{Head: "work", Base: "main"}}},
	}}})
}

// whole follows a call's continuations to the end and calls each for every answer.
func (d *hub) whole(c mapping.Call, args string, each func(json.RawMessage)) int {
	d.t.Helper()
	for n := 1; ; n++ {
		r, err := d.callWith(c, args)
		if err != nil || n > 200 {
			d.t.Fatalf("answer %d of %s: %v", n, c.Key, err)
		}
		if int64(len(r.JSON)) > c.Budget {
			d.t.Errorf("answer %d of %s has %d bytes, budget %d", n, c.Key, len(r.JSON), c.Budget)
		}
		each(r.JSON)
		if r.Next == nil {
			return n
		}
		c.Args, args = r.Next.Args, "{}"
	}
}

// A diff comes in whole files, however large it is and whether GitHub shows it or
// not, and no file twice.
func TestDiffsOfAnySize(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   int
		lines   int
		rebuilt bool
	}{
		{"small", 3, 2, false},
		{"several pages", 120, 30, false},
		{"more files than GitHub shows", 320, 2, true},
		{"more lines than GitHub shows", 90, 300, true},
	} {
		d := changing(t, c.files, func(i int) string { return strings.Repeat(fmt.Sprintf("line of %d\n", i), c.lines) })
		seen := map[string]int{}
		d.whole(mapping.Call{Key: "get_pull_diff", Budget: 20_000}, `{"owner":"octo","repo":"hello","number":1}`, func(text json.RawMessage) {
			var got struct {
				Diff    string
				Rebuilt bool
			}
			if err := json.Unmarshal(text, &got); err != nil || got.Rebuilt != c.rebuilt {
				t.Fatalf("%s: %v, rebuilt %v, want %v", c.name, err, got.Rebuilt, c.rebuilt)
			}
			for line := range strings.Lines(got.Diff) {
				if path, found := strings.CutPrefix(line, "diff --git a/"); found {
					seen[strings.Fields(path)[0]]++
				}
			}
			if added := strings.Count(got.Diff, "\n+line of"); added%c.lines != 0 {
				t.Errorf("%s: %d added lines are no whole files", c.name, added)
			}
		})
		if len(seen) != c.files+1 {
			t.Errorf("%s: %d files, want %d", c.name, len(seen), c.files+1)
		}
		for path, n := range seen {
			if n != 1 {
				t.Errorf("%s: %s comes %d times", c.name, path, n)
			}
		}
	}
}

func TestOneFileOfADiff(t *testing.T) {
	d := changing(t, 320, func(i int) string { return fmt.Sprintf("line of %d\n", i) })
	var diff strings.Builder
	d.whole(mapping.Call{Key: "get_pull_diff", Budget: 60_000}, `{"owner":"octo","repo":"hello","number":1,"file":"dir/0310.txt"}`, func(text json.RawMessage) {
		var got struct{ Diff string }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		diff.WriteString(got.Diff)
	})
	if !strings.Contains(diff.String(), "+line of 310\n") || strings.Count(diff.String(), "diff --git") != 1 {
		t.Errorf("the diff is %q", diff.String())
	}
	if _, err := d.call("get_pull_diff", `{"owner":"octo","repo":"hello","number":1,"file":"nope"}`); err != nil && mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("a file that is not in it: %v", err)
	}
}

// Every list pages to the union of all, nothing twice, each page within its budget.
func TestListsPageToTheEnd(t *testing.T) {
	var issues []githubfake.Issue
	for i := range 75 {
		issues = append(issues, githubfake.Issue{Title: fmt.Sprintf("%d %s", i, strings.Repeat("long ", 40)), Body: strings.Repeat("body ", 4000), By: githubfake.Ghost})
	}
	d := newHub(t, githubfake.World{Repositories: []githubfake.Repository{{Owner: "octo", Name: "hello", Commits: []githubfake.Commit{{Message: "Begin"}}, Issues: issues}}})
	for _, args := range []string{`"limit":1`, `"limit":7`, `"limit":100`, ``} {
		seen := map[float64]bool{}
		pages := d.whole(mapping.Call{Key: "list_issues", Budget: 5_000}, strings.TrimSuffix(`{"owner":"octo","repo":"hello",`+args, ",")+`}`, func(text json.RawMessage) {
			var got struct {
				Issues []struct{ Number float64 }
				More   bool   `json:"has_more"`
				Next   string `json:"next_cursor"`
			}
			if err := json.Unmarshal(text, &got); err != nil || got.More != (got.Next != "") {
				t.Fatalf("%s: %v", text, err)
			}
			for _, i := range got.Issues {
				if seen[i.Number] {
					t.Errorf("limit %s: issue %v comes twice", args, i.Number)
				}
				seen[i.Number] = true
			}
		})
		if len(seen) != 75 {
			t.Errorf("limit %s: %d issues in %d pages, want 75", args, len(seen), pages)
		}
	}
	r, err := d.call("list_issues", `{"owner":"octo","repo":"hello","limit":2}`)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Next string `json:"next_cursor"`
	}
	if err := json.Unmarshal(r.JSON, &got); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{`"limit":2,"cursor":"` + got.Next + `x"`, `"limit":3,"cursor":"` + got.Next + `"`, `"limit":2,"state":"closed","cursor":"` + got.Next + `"`, `"cursor":"%"`} {
		if _, err := d.call("list_issues", `{"owner":"octo","repo":"hello",`+args+`}`); mapping.CodeOf(err) != mapping.Invalid {
			t.Errorf("%s: %v, want a refusal", args, err)
		}
	}
}

// The files of a commit and of a comparison come in pages, each within its budget.
func TestChangedFilesPage(t *testing.T) {
	d := changing(t, 120, func(i int) string { return strings.Repeat(fmt.Sprintf("\t\"line\" of %d\n", i), 20) })
	for _, c := range []struct{ key, args string }{
		{"get_commit", `{"owner":"octo","repo":"hello","ref":"work"}`},
		{"get_commit", `{"owner":"octo","repo":"hello","ref":"work","limit":7}`},
		{"compare_commits", `{"owner":"octo","repo":"hello","base":"main","head":"work"}`},
	} {
		seen := map[string]int{}
		pages := d.whole(mapping.Call{Key: c.key, Budget: 10_000}, c.args, func(text json.RawMessage) {
			var got struct{ Files []struct{ Path string } }
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			for _, f := range got.Files {
				seen[f.Path]++
			}
		})
		for path, n := range seen {
			if n != 1 {
				t.Errorf("%s: %s comes %d times", c.key, path, n)
			}
		}
		if len(seen) != 121 || pages < 5 {
			t.Errorf("%s %s: %d files in %d pages, want 121 in several", c.key, c.args, len(seen), pages)
		}
	}
}
