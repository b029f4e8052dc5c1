package github

import (
	"context"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// pullWriteRows change pull requests.
func pullWriteRows() []row {
	number := need("number", "Pull request number.", aNumber)
	return []row{
		{
			name: "create_pull", set: "pulls", noun: "pull request", verb: "create", needs: "pull_requests: write", effect: mapping.Writes,
			summary: "Open a pull request.",
			use:     "Use when a branch is to be proposed for merging.",
			avoid:   "Do not use to make the branch; use [[create_branch]] instead.",
			at:      "POST /repos/{owner}/{repo}/pulls",
			params: []param{
				need("title", "Title.", aText), need("head", "Branch with the changes.", aText), need("base", "Branch to merge into.", aText),
				may("body", "Text, in Markdown.", aText), may("draft", "Not ready for review yet.", aFlag),
			},
			shape: createPull(),
		},
		{
			name: "update_pull", set: "pulls", noun: "pull request", verb: "update", needs: "pull_requests: write", effect: mapping.Destroys, idempotent: true,
			summary: "Change a pull request: text, state, base.",
			use:     "Use when a pull request is to be edited, closed or reopened.",
			avoid:   "Do not use to merge it; use [[merge_pull]] instead.",
			at:      "PATCH /repos/{owner}/{repo}/pulls/{number}",
			params: []param{
				number, may("title", "New title.", aText), may("body", "New text, in place of the old.", aText),
				may("state", "New state.", oneOf("open", "closed")), may("base", "New branch to merge into.", aText),
			},
			shape: one(trimPullDone),
		},
		{
			name: "merge_pull", set: "pulls", noun: "pull request", verb: "", needs: "contents: write", effect: mapping.Destroys,
			summary: "Merge a pull request.",
			use:     "Use when a pull request is to be merged and its checks have passed.",
			avoid:   "Do not use to close it without merging; use [[update_pull]] instead.",
			at:      "PUT /repos/{owner}/{repo}/pulls/{number}/merge",
			params: []param{
				number, need("sha", "head_sha of the pull request, so that nothing unseen is merged.", aText),
				may("merge_method", "merge if left out.", oneOf("merge", "squash", "rebase")),
				may("commit_title", "First line of the commit's message.", aText), may("commit_message", "Rest of it.", aText),
			},
			shape: one(trimMerge),
		},
		{
			name: "request_reviewers", set: "pulls", noun: "reviewer", verb: "create", needs: "pull_requests: write", effect: mapping.Writes, idempotent: true,
			summary: "Ask people or teams to review a pull request.",
			use:     "Use when a pull request needs reviewers.",
			avoid:   "Do not use to see what they said; use [[list_pull_reviews]] instead.",
			at:      "POST /repos/{owner}/{repo}/pulls/{number}/requested_reviewers",
			params:  []param{number, may("reviewers", "Logins.", someText), may("team_reviewers", "Names of teams.", someText)},
			shape:   one(trimPullDone),
		},
	}
}

// A pullDone is what a write tells of a pull request.
type pullDone struct {
	Number    int      `json:"number"`
	State     string   `json:"state"`
	Draft     bool     `json:"draft,omitempty"`
	HeadSHA   string   `json:"head_sha"`
	Reviewers []string `json:"requested_reviewers,omitempty"`
	URL       string   `json:"url"`
}

func trimPullDone(p *github.PullRequest) pullDone {
	return pullDone{p.GetNumber(), trimPullLine(p).State, p.GetDraft(), p.GetHead().GetSHA(), logins(p.RequestedReviewers), p.GetHTMLURL()}
}

type merged struct {
	Merged bool   `json:"merged"`
	SHA    string `json:"sha"`
}

func trimMerge(m *github.PullRequestMergeResult) merged { return merged{m.GetMerged(), m.GetSHA()} }

// createPull lets a head of a fork be named only if the fork is allowed.
func createPull() shape {
	s := one(trimPullDone)
	create := s.run
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		if owner, _, found := strings.Cut(r.text("head"), ":"); found && !r.adapter.allow.allows(owner, r.repo) {
			return nil, r.adapter.allow.refusal(owner, r.repo)
		}
		return create(ctx, r)
	}
	return s
}
