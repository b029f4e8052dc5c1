package github

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// searchRows find things by words, in allowed repositories only.
func searchRows() []row {
	owner := may("owner", "Only repositories of this user or organization.", aText).local()
	repo := may("repo", "Only this repository of owner.", aText).local()
	order := may("order", "desc if left out.", oneOf("asc", "desc"))
	return []row{
		{
			name: "search_code", set: "search", noun: "code", verb: "search", needs: "contents: read",
			summary: "Files of default branches that contain words.",
			use:     "Use when you look for words or names in code.",
			avoid:   "Do not use for a file you know; use [[get_file]] instead.",
			text:    "Qualifiers: path:, language:, extension:, filename:.",
			at:      "GET /search/code",
			params:  []param{need("query", "Words and qualifiers; all must hold.", aText).local(), owner, repo},
			shape: found("files", "", func(c *github.CodeResult) (string, codeHit) {
				return c.GetRepository().GetFullName(), codeHit{c.GetRepository().GetFullName(), c.GetPath(), c.GetSHA(), fragments(c)}
			}),
		},
		{
			name: "search_repositories", set: "search", noun: "repository", verb: "search", needs: "metadata: read",
			summary: "Repositories by name, description or topic.",
			use:     "Use when you need to find a repository.",
			avoid:   "Do not use for one you know; use [[get_repository]] instead.",
			text:    "Qualifiers: topic:, language:, stars:>N, archived:false.",
			at:      "GET /search/repositories",
			params: []param{
				may("query", "Words and qualifiers; all must hold.", aText).local(), owner,
				may("sort", "Best match if left out.", oneOf("stars", "forks", "updated")), order,
			},
			shape: found("repositories", "", func(r *github.Repository) (string, repoHit) {
				t := trimRepo(r)
				return t.Name, repoHit{t.Name, excerpt(t.Description, 300), t.DefaultBranch, t.Visibility, t.Language, t.Stars, t.PushedAt}
			}),
		},
		{
			name: "search_issues", set: "search", noun: "issue", verb: "search", needs: "issues: read",
			summary: "Issues or pull requests by words, across repositories.",
			use:     "Use when you look for issues or pull requests by words or several conditions.",
			avoid:   "Do not use for all issues of one repository; use [[list_issues]] or [[list_pulls]] instead.",
			text:    "Qualifiers: is:open, label:, author:, in:title, created:>DATE.",
			at:      "GET /search/issues",
			params: []param{
				may("query", "Words and qualifiers; all must hold.", aText).local(), owner, repo,
				may("type", "Issues if left out.", oneOf("issue", "pull_request")).local(),
				may("sort", "Best match if left out.", oneOf("created", "updated", "comments")), order,
			},
			shape: found("issues", "issue", func(i *github.Issue) (string, issueHit) {
				repo := repoOf(i.GetRepositoryURL())
				return repo, issueHit{repo, trimIssueLine(i)}
			}),
		},
		{
			name: "search_commits", set: "search", extra: true, noun: "commit", verb: "search", needs: "contents: read",
			summary: "Commits of default branches by words in their messages.",
			use:     "Use when you look for a commit by its message.",
			avoid:   "Do not use for the history; use [[list_commits]] instead.",
			text:    "Qualifiers: author:, committer-date:>DATE.",
			at:      "GET /search/commits",
			params: []param{
				need("query", "Words and qualifiers; all must hold.", aText).local(), owner, repo,
				may("sort", "Best match if left out.", oneOf("author-date", "committer-date")), order,
			},
			shape: found("commits", "", func(c *github.CommitResult) (string, commitHit) {
				repo := c.GetRepository().GetFullName()
				return repo, commitHit{repo, trimCommitLine(&github.RepositoryCommit{SHA: c.SHA, Commit: c.Commit, Author: c.Author})}
			}),
		},
	}
}

type codeHit struct {
	Repo  string   `json:"repo"`
	Path  string   `json:"path"`
	SHA   string   `json:"sha"`
	Lines []string `json:"fragments,omitempty"`
}

// fragments are the places that fit, shortened.
func fragments(c *github.CodeResult) []string {
	var list []string
	for _, m := range c.TextMatches[:min(len(c.TextMatches), 3)] {
		list = append(list, excerpt(m.GetFragment(), 200))
	}
	return list
}

type repoHit struct {
	Name          string `json:"full_name"`
	Description   string `json:"description,omitempty"`
	DefaultBranch string `json:"default_branch,omitempty"`
	Visibility    string `json:"visibility,omitempty"`
	Language      string `json:"language,omitempty"`
	Stars         int    `json:"stars"`
	PushedAt      string `json:"pushed_at,omitempty"`
}

type issueHit struct {
	Repo string `json:"repo"`
	issueLine
}

type commitHit struct {
	Repo string `json:"repo"`
	commitLine
}

// repoOf is OWNER/REPO of the URL of a repository in the API.
func repoOf(url string) string {
	parts := strings.Split(url, "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts[len(parts)-2:], "/")
}

// A hits is what a search answers.
type hits[G any] struct {
	Total      int  `json:"total_count"`
	Incomplete bool `json:"incomplete_results"`
	Items      []*G `json:"items"`
}

// maxFound is how many results of a search GitHub shows at most.
const maxFound = 1000

// found makes a shape of a search. Trim returns the repository that a result is
// of: one that is not allowed is left out, whatever GitHub made of the query. Of
// is what results must be: "issue" or "pull_request" by the argument type.
func found[G, T any](property, of string, trim func(*G) (repo string, t T)) shape {
	s := shape{output: pageSchema[T](property), pages: pageSize}
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		text := r.text("query")
		if of != "" {
			text = withType(text, r.text("type"))
		}
		advanced := of != "" && r.adapter.host.operators()
		if advanced { // else it is not said which syntax is read
			x.query.Set("advanced_search", "true")
		}
		q, err := r.adapter.allow.scoped(text, r.text("owner"), r.text("repo"), advanced)
		if err != nil {
			return nil, err
		}
		x.query.Set("q", q)
		if property == "files" {
			x.accept = "application/vnd.github.text-match+json"
		}
		return paged(ctx, r, x, property, func(ctx context.Context, x exchange) (batch[T], error) {
			var got hits[G]
			resp, err := r.do(ctx, x, &got)
			if err != nil {
				return batch[T]{}, unseen(err)
			}
			b := batch[T]{next: nextOf(resp), incomplete: got.Incomplete}
			for _, item := range got.Items {
				if repo, t := trim(item); r.adapter.allow.allowsName(repo) {
					b.items = append(b.items, t)
				}
			}
			if len(b.items) == len(got.Items) { // else the number tells of what is not allowed
				b.total = &got.Total
			}
			if b.next == nil && got.Total > maxFound {
				b.note = "GitHub shows the first 1000 results only; narrow the query for the others"
			}
			return b, nil
		})
	}
	return s
}

// unseen says what GitHub means where it refuses a scope: it searches none of the
// repositories if there is one that the token may not see.
func unseen(err error) error {
	var f *refused
	if !errors.As(err, &f) || f.status != http.StatusUnprocessableEntity || !strings.Contains(f.words.Detail, "cannot be searched") {
		return err
	}
	return &mapping.Error{
		Code: mapping.NotFound, Problem: "a repository that would be searched does not exist, or the token may not see it",
		Next: "name one repository by owner and repo, and tell the user", Err: err,
	}
}

// withType says once what is searched for, which GitHub asks for.
func withType(query, kind string) string {
	for part := range strings.FieldsSeq(strings.ToLower(query)) {
		switch part {
		case "is:issue", "is:pr", "is:pull-request", "type:issue", "type:pr":
			return query
		}
	}
	if kind == "pull_request" {
		return query + " is:pr"
	}
	return query + " is:issue"
}
