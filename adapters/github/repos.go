package github

import (
	"github.com/google/go-github/v66/github"
)

// repoRows are about repositories as a whole, their branches and tags.
func repoRows() []row {
	return []row{
		{
			name: "get_me", set: "context", noun: "token's user", verb: "get",
			summary: "The user that the token belongs to.",
			use:     "Use when you need to know who you act as on GitHub.",
			at:      "GET /user", shape: one(trimUser),
		},
		{
			name: "get_repository", set: "repos", noun: "repository", verb: "get", needs: "metadata: read",
			summary: "A repository's description, default branch, visibility and counts.",
			use:     "Use when you need the default branch or basic facts of a repository you know.",
			avoid:   "Do not use to find repositories; use [[search_repositories]] instead.",
			at:      "GET /repos/{owner}/{repo}", shape: one(trimRepo),
		},
		{
			name: "list_branches", set: "repos", noun: "branch", verb: "list", needs: "contents: read",
			summary: "Branches with the commits they point at.",
			use:     "Use when you need the names of branches.",
			avoid:   "Do not use for their history; use [[list_commits]] instead.",
			at:      "GET /repos/{owner}/{repo}/branches", shape: many("branches", trimBranch),
		},
		{
			name: "list_tags", set: "repos", extra: true, noun: "tag", verb: "list", needs: "contents: read",
			summary: "Tags with the commits they point at.",
			use:     "Use when you need the names of tags.",
			avoid:   "Do not use for release notes; use [[list_releases]] instead.",
			at:      "GET /repos/{owner}/{repo}/tags", shape: many("tags", trimTag),
		},
		{
			name: "list_contributors", set: "repos", extra: true, noun: "contributor", verb: "list", needs: "metadata: read",
			summary: "Who contributed how many commits, most first.",
			use:     "Use when you need the people behind a repository.",
			avoid:   "Do not use for single commits; use [[list_commits]] instead.",
			at:      "GET /repos/{owner}/{repo}/contributors", shape: many("contributors", trimContributor),
		},
	}
}

type user struct {
	Login string `json:"login"`
	ID    int64  `json:"id"`
	Name  string `json:"name,omitempty"`
	Type  string `json:"type,omitempty"`
}

func trimUser(u *github.User) user {
	return user{Login: u.GetLogin(), ID: u.GetID(), Name: clean(u.GetName()), Type: u.GetType()}
}

type repository struct {
	Name          string   `json:"full_name"`
	Description   string   `json:"description,omitempty"`
	DefaultBranch string   `json:"default_branch,omitempty"`
	Visibility    string   `json:"visibility,omitempty"`
	Language      string   `json:"language,omitempty"`
	Topics        []string `json:"topics,omitempty"`
	Stars         int      `json:"stars"`
	Forks         int      `json:"forks"`
	OpenIssues    int      `json:"open_issues"`
	Archived      bool     `json:"archived,omitempty"`
	ForkOf        string   `json:"fork_of,omitempty"`
	PushedAt      string   `json:"pushed_at,omitempty"`
	URL           string   `json:"url"`
}

func trimRepo(r *github.Repository) repository {
	visibility := r.GetVisibility()
	if visibility == "" && r.Private != nil {
		visibility = map[bool]string{true: "private", false: "public"}[r.GetPrivate()]
	}
	return repository{
		Name: r.GetFullName(), Description: clean(r.GetDescription()), DefaultBranch: r.GetDefaultBranch(),
		Visibility: visibility, Language: r.GetLanguage(), Topics: r.Topics, Stars: r.GetStargazersCount(),
		Forks: r.GetForksCount(), OpenIssues: r.GetOpenIssuesCount(), Archived: r.GetArchived(),
		ForkOf: r.GetParent().GetFullName(), PushedAt: when(r.PushedAt), URL: r.GetHTMLURL(),
	}
}

type branch struct {
	Name      string `json:"name"`
	SHA       string `json:"sha"`
	Protected bool   `json:"protected,omitempty"`
}

func trimBranch(b *github.Branch) branch {
	return branch{Name: clean(b.GetName()), SHA: b.GetCommit().GetSHA(), Protected: b.GetProtected()}
}

func trimTag(t *github.RepositoryTag) branch {
	return branch{Name: clean(t.GetName()), SHA: t.GetCommit().GetSHA()}
}

type contributor struct {
	Login   string `json:"login"`
	Commits int    `json:"commits"`
}

func trimContributor(c *github.Contributor) contributor {
	login := c.GetLogin()
	if login == "" {
		login = clean(c.GetName())
	}
	return contributor{login, c.GetContributions()}
}

// when writes a time as GitHub does; "" where there is none.
func when(t *github.Timestamp) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}
