package github

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxCompletions is how many values a client gets at most.
const maxCompletions = 100

// Complete proposes owners and repositories of the allow-list, and refs, paths,
// tags and numbers that GitHub has.
func (a *Adapter) Complete(ctx context.Context, c mapping.Completion) (mapping.Completions, error) {
	if err := a.usable(); err != nil {
		return mapping.Completions{}, err
	}
	if c.Argument == "owner" {
		return prefixed(a.allow.owners(), c.Prefix), nil
	}
	client, err := a.clientFor(c.Caller)
	if err != nil {
		return mapping.Completions{}, err
	}
	r := &request{client: client, adapter: a, call: mapping.Call{MaxBytes: 4 << 20}}
	if c.Argument == "repo" {
		return r.completeRepo(ctx, c)
	}
	if err := r.in(c.Known["owner"], c.Known["repo"]); err != nil {
		return mapping.Completions{}, nil //nolint:nilerr // nothing is proposed below what is not allowed
	}
	names, err := r.proposals(ctx, c)
	if code := mapping.CodeOf(err); code == mapping.NotFound || code == mapping.Conflict || code == mapping.Invalid {
		return mapping.Completions{}, nil
	}
	if err != nil {
		return mapping.Completions{}, a.worded(ctx, err)
	}
	return prefixed(names, c.Prefix), nil
}

func (r *request) proposals(ctx context.Context, c mapping.Completion) ([]string, error) {
	switch c.Argument {
	case "ref":
		return r.refsFrom(ctx, c.Prefix)
	case "path":
		return r.pathsFrom(ctx, c.Prefix, c.Known["ref"])
	case "tag":
		var got []*github.RepositoryRelease
		_, err := r.get(ctx, r.path("/releases"), url.Values{"per_page": {"100"}}, &got)
		return each(got, (*github.RepositoryRelease).GetTagName), err
	case "number":
		path := "/issues"
		if strings.Contains(c.Resource, "/pulls/") || c.Prompt != "" {
			path = "/pulls"
		}
		var got []*github.Issue // of a pull request only the number is looked at
		_, err := r.get(ctx, r.path(path), url.Values{"per_page": {"100"}, "state": {"all"}}, &got)
		return each(got, func(i *github.Issue) string { return strconv.Itoa(i.GetNumber()) }), err
	case "run_id":
		var got github.WorkflowRuns
		_, err := r.get(ctx, r.path("/actions/runs"), url.Values{"per_page": {"100"}, "status": {"failure"}}, &got)
		return each(got.WorkflowRuns, func(w *github.WorkflowRun) string { return fmt.Sprint(w.GetID()) }), err
	}
	return nil, nil
}

func each[T any](list []T, name func(T) string) []string {
	names := make([]string, 0, len(list))
	for _, v := range list {
		names = append(names, name(v))
	}
	return names
}

// prefixed keeps the names that begin so, in their order.
func prefixed(names []string, prefix string) mapping.Completions {
	prefix = strings.ToLower(prefix)
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(strings.ToLower(n), prefix) })
	total := len(names)
	return mapping.Completions{Values: names[:min(total, maxCompletions)], Total: total, More: total > maxCompletions}
}

// owners are those that the list names.
func (l *allowList) owners() []string {
	var names []string
	for _, g := range l.allow {
		if !strings.Contains(g.owner, "*") && !slices.Contains(names, g.owner) {
			names = append(names, g.owner)
		}
	}
	slices.Sort(names)
	return names
}

// completeRepo proposes what the list names, and where it leaves a choice what a
// search finds.
func (r *request) completeRepo(ctx context.Context, c mapping.Completion) (mapping.Completions, error) {
	owner := strings.ToLower(c.Known["owner"])
	var names []string
	open := false
	for _, g := range r.adapter.allow.allow {
		if mapping.MatchGlob(g.owner, owner) && strings.Contains(g.repo, "*") {
			open = true
		} else if g.owner == owner {
			names = append(names, g.repo)
		}
	}
	if open && ownerForm.MatchString(owner) {
		q, err := r.adapter.allow.scoped(strings.TrimSpace(c.Prefix+" fork:true"), owner, "", false)
		if err != nil {
			return mapping.Completions{}, nil //nolint:nilerr // a prefix that cannot be searched for completes nothing
		}
		var got hits[github.Repository]
		if _, err := r.get(ctx, "search/repositories", url.Values{"q": {q}, "per_page": {"100"}}, &got); err != nil {
			return mapping.Completions{}, r.adapter.worded(ctx, err)
		}
		for _, repo := range got.Items {
			if r.adapter.allow.allowsName(repo.GetFullName()) {
				names = append(names, repo.GetName())
			}
		}
	}
	slices.Sort(names)
	return prefixed(slices.Compact(names), c.Prefix), nil
}

// refsFrom are branches and tags that begin so.
func (r *request) refsFrom(ctx context.Context, prefix string) ([]string, error) {
	var names []string
	for _, kind := range []string{"heads/", "tags/"} {
		if prefix != "" && checkRef("ref", strings.TrimSuffix(prefix, "/")) != nil {
			return nil, nil
		}
		var got []*github.Reference
		if _, err := r.get(ctx, r.path("/git/matching-refs/%s", rest(kind+prefix)), nil, &got); err != nil {
			return nil, err
		}
		for _, ref := range got {
			names = append(names, strings.TrimPrefix(ref.GetRef(), "refs/"+kind))
		}
	}
	return names, nil
}

// pathsFrom lists the directory that a path has got to.
func (r *request) pathsFrom(ctx context.Context, prefix, ref string) ([]string, error) {
	dir := ""
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		dir = prefix[:i]
	}
	dir, err := checkPath(dir)
	if err != nil {
		return nil, err
	}
	if ref != "" && checkRef("ref", ref) != nil {
		return nil, nil
	}
	at := place{dir, strings.TrimPrefix(ref, "refs/")}
	c, err := r.content(ctx, r.path("/contents/%s", rest(at.path)), at)
	if err != nil {
		return nil, err
	}
	return each(c.dir, func(f *github.RepositoryContent) string {
		if f.GetType() == "dir" {
			return f.GetPath() + "/"
		}
		return f.GetPath()
	}), nil
}
