package github

import (
	"github.com/google/go-github/v66/github"
)

// pullRows are about pull requests, their reviews and their checks.
func pullRows() []row {
	number := need("number", "Pull request number.", aNumber)
	return []row{
		{
			name: "get_pull", set: "pulls", noun: "pull request", verb: "get", needs: "pull_requests: read",
			summary: "One pull request: text, branches, mergeability, size, first comments.",
			use:     "Use when you know a pull request's number and need its text and state.",
			avoid:   "Do not use for its changes; use [[get_pull_diff]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}",
			params:  []param{number, commentsParam()},
			shape:   discussed(trimPull, func(p *pull) (int, *discussion) { return p.Comments, &p.discussion }),
		},
		{
			name: "list_pulls", set: "pulls", noun: "pull request", verb: "list", needs: "pull_requests: read",
			summary: "Pull requests of one repository without their texts, newest first.",
			use:     "Use when you need the pull requests of a repository by state or branch.",
			avoid:   "Do not use to find words; use [[search_issues]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls",
			params: []param{
				may("state", "Open ones if left out.", oneOf("open", "closed", "all")),
				may("base", "Only those into this branch.", aText),
				may("head", "Only those from this branch, as OWNER:BRANCH.", aText),
				may("sort", "By created if left out.", oneOf("created", "updated")),
				may("direction", "desc if left out.", oneOf("asc", "desc")),
			},
			shape: many("pulls", trimPullLine),
		},
		{
			name: "get_pull_diff", set: "pulls", noun: "pull request's diff", verb: "get", needs: "pull_requests: read",
			summary: "The unified diff of a pull request, in pages of whole files.",
			use:     "Use when you need the changed lines of a pull request.",
			avoid:   "Do not use for the names of changed files alone; use [[list_pull_files]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}/files",
			params:  []param{number, may("file", "Only this path.", aText).local(), may("cursor", "next_cursor of the page before.", aText).local()},
			shape:   diffShape(),
		},
		{
			name: "list_pull_files", set: "pulls", noun: "pull request's file", verb: "list", needs: "pull_requests: read",
			summary: "Files that a pull request changes, with counts and without patches.",
			use:     "Use when you need which files a pull request touches.",
			avoid:   "Do not use for the changed lines; use [[get_pull_diff]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}/files",
			params:  []param{number}, shape: many("files", trimFileLine),
		},
		{
			name: "list_pull_commits", set: "pulls", extra: true, noun: "pull request's commit", verb: "list", needs: "pull_requests: read",
			summary: "Commits of a pull request, oldest first.",
			use:     "Use when you need how a pull request came about.",
			avoid:   "Do not use for the history of a branch; use [[list_commits]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}/commits",
			params:  []param{number}, shape: many("commits", trimCommitLine),
		},
		{
			name: "list_pull_reviews", set: "pulls", noun: "review", verb: "list", needs: "pull_requests: read",
			summary: "Reviews of a pull request: verdict and text.",
			use:     "Use when you need who approved or asked for changes.",
			avoid:   "Do not use for the discussion below it; use [[list_issue_comments]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}/reviews",
			params:  []param{number}, shape: many("reviews", trimReview),
		},
		{
			name: "list_review_comments", set: "pulls", extra: true, noun: "review comment", verb: "list", needs: "pull_requests: read",
			summary: "Comments on lines of a pull request's diff.",
			use:     "Use when you need what reviewers said of single lines.",
			avoid:   "Do not use for verdicts; use [[list_pull_reviews]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}/comments",
			params:  []param{number}, shape: many("comments", trimReviewComment),
		},
		{
			name: "get_pull_checks", set: "pulls", noun: "pull request's check", verb: "get", needs: "checks: read, statuses: read",
			summary: "Check runs and commit statuses of a pull request's head.",
			text:    "The id of a check of github-actions is its job's, for [[get_job_log]].",
			use:     "Use when you need to know whether CI passed, and which check failed.",
			avoid:   "Do not use for a job's output; use [[get_job_log]] instead.",
			at:      "GET /repos/{owner}/{repo}/pulls/{number}",
			params:  []param{number}, shape: checksShape(),
		},
	}
}

type pullLine struct {
	Number  int      `json:"number"`
	Title   string   `json:"title"`
	State   string   `json:"state"`
	Draft   bool     `json:"draft,omitempty"`
	Author  string   `json:"author,omitempty"`
	Head    string   `json:"head"`
	Base    string   `json:"base"`
	Labels  []string `json:"labels,omitempty"`
	Updated string   `json:"updated_at,omitempty"`
}

func trimPullLine(p *github.PullRequest) pullLine {
	state := p.GetState()
	if p.GetMerged() || p.MergedAt != nil {
		state = "merged"
	}
	head := p.GetHead().GetRef()
	if label := p.GetHead().GetLabel(); p.GetHead().GetRepo().GetFullName() != p.GetBase().GetRepo().GetFullName() && label != "" {
		head = label // of a fork
	}
	return pullLine{
		Number: p.GetNumber(), Title: excerpt(p.GetTitle(), 300), State: state, Draft: p.GetDraft(), Author: p.GetUser().GetLogin(),
		Head: clean(head), Base: clean(p.GetBase().GetRef()), Labels: labelNames(p.Labels), Updated: when(p.UpdatedAt),
	}
}

type pull struct {
	pullLine
	Body      string   `json:"body,omitempty"`
	HeadSHA   string   `json:"head_sha"`
	BaseSHA   string   `json:"base_sha"`
	Mergeable *bool    `json:"mergeable,omitempty"`
	MergeWhy  string   `json:"mergeable_state,omitempty"`
	Commits   int      `json:"commits"`
	Files     int      `json:"changed_files"`
	Additions int      `json:"additions"`
	Deletions int      `json:"deletions"`
	Comments  int      `json:"comments"`
	Reviewers []string `json:"requested_reviewers,omitempty"`
	Assignees []string `json:"assignees,omitempty"`
	Created   string   `json:"created_at,omitempty"`
	Merged    string   `json:"merged_at,omitempty"`
	URL       string   `json:"url"`
	discussion
}

func trimPull(p *github.PullRequest) pull {
	return pull{
		pullLine: trimPullLine(p), Body: clean(p.GetBody()), HeadSHA: p.GetHead().GetSHA(), BaseSHA: p.GetBase().GetSHA(),
		Mergeable: p.Mergeable, MergeWhy: p.GetMergeableState(), Commits: p.GetCommits(), Files: p.GetChangedFiles(),
		Additions: p.GetAdditions(), Deletions: p.GetDeletions(), Comments: p.GetComments() + p.GetReviewComments(),
		Reviewers: logins(p.RequestedReviewers), Assignees: logins(p.Assignees),
		Created: when(p.CreatedAt), Merged: when(p.MergedAt), URL: p.GetHTMLURL(),
	}
}

type fileLine struct {
	Path      string `json:"path"`
	Status    string `json:"status"`
	Was       string `json:"was,omitempty"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
}

func trimFileLine(f *github.CommitFile) fileLine {
	return fileLine{f.GetFilename(), f.GetStatus(), f.GetPreviousFilename(), f.GetAdditions(), f.GetDeletions()}
}

type review struct {
	ID        int64  `json:"id"`
	Author    string `json:"author,omitempty"`
	Role      string `json:"role,omitempty"`
	State     string `json:"state"`
	Submitted string `json:"submitted_at,omitempty"`
	Commit    string `json:"commit,omitempty"`
	Body      string `json:"body,omitempty"`
}

func trimReview(v *github.PullRequestReview) review {
	return review{v.GetID(), v.GetUser().GetLogin(), role(v.GetAuthorAssociation()), v.GetState(), when(v.SubmittedAt), v.GetCommitID(), clean(v.GetBody())}
}

type reviewComment struct {
	ID      int64  `json:"id"`
	Author  string `json:"author,omitempty"`
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	ReplyTo int64  `json:"reply_to,omitempty"`
	Created string `json:"created_at,omitempty"`
	Body    string `json:"body"`
}

func trimReviewComment(c *github.PullRequestComment) reviewComment {
	line := c.GetLine()
	if line == 0 {
		line = c.GetOriginalLine()
	}
	return reviewComment{c.GetID(), c.GetUser().GetLogin(), c.GetPath(), line, c.GetInReplyTo(), when(c.CreatedAt), clean(c.GetBody())}
}
