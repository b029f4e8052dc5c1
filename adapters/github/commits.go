package github

import (
	"context"
	"net/url"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// historyRows are about commits.
func historyRows() []row {
	ref := need("ref", "Branch, tag or SHA.", aText)
	return []row{
		{
			name: "list_commits", set: "repos", noun: "commit", verb: "list", needs: "contents: read",
			summary: "Commits, newest first.",
			use:     "Use when you need the history of a branch, a path or an author.",
			avoid:   "Do not use for what one commit changed; use [[get_commit]] instead.",
			at:      "GET /repos/{owner}/{repo}/commits",
			params: []param{
				may("ref", "Branch, tag or SHA to start from; default branch if left out.", aText).as("sha"),
				may("path", "Only commits that touch this path.", aText),
				may("author", "Only commits of this login or email.", aText),
				may("since", "Not before this ISO 8601 time.", aTime),
				may("until", "Not after this ISO 8601 time.", aTime),
			},
			shape: many("commits", trimCommitLine),
		},
		{
			name: "get_commit", set: "repos", noun: "commit", verb: "get", needs: "contents: read",
			summary: "One commit: message, author, changed files with patches.",
			use:     "Use when you need what one commit changed.",
			avoid:   "Do not use for the history; use [[list_commits]] instead.",
			at:      "GET /repos/{owner}/{repo}/commits/{ref}",
			params:  []param{ref},
			shape:   commitShape(),
		},
		{
			name: "compare_commits", set: "repos", noun: "comparison", verb: "get", needs: "contents: read",
			summary: "Commits and changed files between two refs.",
			use:     "Use when you need what head has that base has not.",
			avoid:   "Do not use for a pull request; use [[get_pull_diff]] instead.",
			at:      "GET /repos/{owner}/{repo}/compare/{basehead}",
			params: []param{
				need("base", "Branch, tag or SHA to compare with.", aText).local(),
				need("head", "Branch, tag or SHA that is compared.", aText).local(),
			},
			shape: compareShape(),
		},
	}
}

type commitLine struct {
	SHA     string `json:"sha"`
	Message string `json:"message"`
	Author  string `json:"author,omitempty"`
	Date    string `json:"date,omitempty"`
}

func trimCommitLine(c *github.RepositoryCommit) commitLine {
	line := trimCommitHead(c)
	line.Message = firstLine(line.Message)
	return line
}

// trimCommitHead keeps the whole message.
func trimCommitHead(c *github.RepositoryCommit) commitLine {
	author := c.GetAuthor().GetLogin()
	if author == "" { // not a user of GitHub, or one who is gone
		author = clean(c.GetCommit().GetAuthor().GetName())
	}
	date := ""
	if a := c.GetCommit().GetAuthor(); a != nil {
		date = when(a.Date)
	}
	return commitLine{SHA: c.GetSHA(), Message: clean(c.GetCommit().GetMessage()), Author: author, Date: date}
}

type changedFile struct {
	Path      string `json:"path"`
	Status    string `json:"status"`
	Was       string `json:"was,omitempty"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Patch     string `json:"patch,omitempty"`
	NoPatch   bool   `json:"no_patch,omitempty"` // binary, or too large for GitHub to show
}

func trimFile(f *github.CommitFile) changedFile {
	return changedFile{
		Path: f.GetFilename(), Status: f.GetStatus(), Was: f.GetPreviousFilename(), Additions: f.GetAdditions(), Deletions: f.GetDeletions(),
		Patch: f.GetPatch(), NoPatch: f.GetPatch() == "" && f.GetStatus() != "renamed" && f.GetChanges() != 0 || f.GetPatch() == "" && f.GetStatus() == "modified",
	}
}

// A commitAnswer is one page of a commit's files with its head.
type commitAnswer struct {
	commitLine
	Parents   []string      `json:"parents,omitempty"`
	Additions int           `json:"additions"`
	Deletions int           `json:"deletions"`
	Files     []changedFile `json:"files"`
	HasMore   bool          `json:"has_more"`
	Next      string        `json:"next_cursor,omitempty"`
}

// commitShape reads a commit. Its files come in pages of GitHub's, and in as many
// of ours as the budget makes of them.
func commitShape() shape {
	s := shape{output: schemaOf[commitAnswer](), pages: pageSize}
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		ref, err := r.ref("ref")
		if err != nil {
			return nil, err
		}
		var got github.RepositoryCommit
		f, err := r.files(ctx, r.path("/commits/%s", ref), &got)
		if err != nil {
			return nil, r.unknownRef(ctx, err, ref)
		}
		out := commitAnswer{commitLine: trimCommitHead(&got), Additions: got.GetStats().GetAdditions(), Deletions: got.GetStats().GetDeletions()}
		for _, p := range got.Parents {
			out.Parents = append(out.Parents, p.GetSHA())
		}
		room := int(r.call.Budget) - escapedSize(out.Message) - reserve
		out.Files, out.Next = f.within(got.Files, room)
		out.HasMore = out.Next != ""
		return f.answer(out, out.Next)
	}
	return s
}

type compareAnswer struct {
	Status  string        `json:"status"`
	Ahead   int           `json:"ahead_by"`
	Behind  int           `json:"behind_by"`
	Base    string        `json:"merge_base,omitempty"`
	Commits []commitLine  `json:"commits"`
	Files   []changedFile `json:"files"`
	HasMore bool          `json:"has_more"`
	Next    string        `json:"next_cursor,omitempty"`
}

func compareShape() shape {
	s := shape{output: schemaOf[compareAnswer](), pages: pageSize}
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		base, err := r.ref("base")
		if err != nil {
			return nil, err
		}
		head, err := r.ref("head")
		if err != nil {
			return nil, err
		}
		var got github.CommitsComparison
		f, err := r.files(ctx, r.path("/compare/%s", base+"..."+head), &got)
		if err != nil {
			return nil, r.unknownRef(ctx, err, base, head)
		}
		out := compareAnswer{
			Status: got.GetStatus(), Ahead: got.GetAheadBy(), Behind: got.GetBehindBy(), Base: got.GetMergeBaseCommit().GetSHA(),
			Commits: []commitLine{},
		}
		room := int(r.call.Budget - reserve)
		if f.at.Skip == 0 {
			for _, c := range got.Commits {
				line := trimCommitLine(c)
				room -= escapedSize(line.Message) + escapedSize(line.Author) + 140
				out.Commits = append(out.Commits, line)
			}
		}
		out.Files, out.Next = f.within(got.Files, max(room, int(r.call.Budget/3)))
		out.HasMore = out.Next != ""
		result, err := f.answer(out, out.Next)
		if err == nil && len(got.Files) == maxCompared {
			result.Note = "GitHub lists the first 300 files of a comparison only; [[get_commit]] has those of one commit"
		}
		return result, err
	}
	return s
}

// maxCompared is how many files GitHub lists of a comparison.
const maxCompared = 300

// A filePage is where in which page of changed files a call is.
type filePage struct {
	r    *request
	at   cursor
	more url.Values // GitHub's next page
	cut  bool
}

// files asks for a page of something that has changed files.
func (r *request) files(ctx context.Context, path string, v any) (*filePage, error) {
	at, err := r.cursor()
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	at.ask(query, r.limit())
	resp, err := r.get(ctx, path, query, v)
	if err != nil {
		return nil, err
	}
	return &filePage{r: r, at: at, more: nextOf(resp)}, nil
}

// within trims as many whole files as there is room for, at least one, and
// returns the cursor behind them.
func (f *filePage) within(files []*github.CommitFile, room int) ([]changedFile, string) {
	list := []changedFile{}
	next := cursor{Of: f.r.fingerprint(), Page: f.at.Page, Skip: min(f.at.Skip, len(files))}
	for _, file := range files[next.Skip:] {
		t := trimFile(file)
		size := escapedSize(t.Patch) + escapedSize(t.Path) + escapedSize(t.Was) + 150
		if size > room && len(list) > 0 {
			f.cut = true
			return list, next.String()
		}
		if size > room { // the first, and too large by itself
			t.Patch = cutEscaped(t.Patch, max(room-300, 0)) + "\n[cut; the patch is longer]"
			f.cut = true
		}
		room -= size
		list = append(list, t)
		next.Skip++
	}
	if f.more == nil {
		return list, ""
	}
	return list, f.r.after(f.more).String()
}

// answer makes the result of such a page.
func (f *filePage) answer(v any, next string) (*mapping.Result, error) {
	result, err := answer(v)
	if err != nil {
		return nil, err
	}
	result.Truncated = f.cut
	if next != "" {
		result.Next = f.r.next("cursor", quoted(next))
	}
	return result, nil
}
