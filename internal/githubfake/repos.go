package githubfake

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

func repoRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}", "metadata=read", showRepo),
		read("/repos/{owner}/{repo}/branches", "contents=read", listBranches),
		read("/repos/{owner}/{repo}/branches/{branch...}", "contents=read", showBranch),
		read("/repos/{owner}/{repo}/tags", "contents=read", listTags),
		read("/repos/{owner}/{repo}/languages", "metadata=read", showLanguages),
		read("/repos/{owner}/{repo}/contributors", "metadata=read", listContributors),
		read("/repos/{owner}/{repo}/topics", "metadata=read", func(*exchange) reply { return ok(object{"names": []string{}}) }),
	}
}

// repoAddresses are the fields of a repository that are addresses below its own.
func repoAddresses() map[string]string {
	return map[string]string{
		"archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
		"branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}", "comments_url": "/comments{/number}",
		"commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}", "contents_url": "/contents/{+path}",
		"contributors_url": "/contributors", "deployments_url": "/deployments", "downloads_url": "/downloads", "events_url": "/events",
		"forks_url": "/forks", "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
		"issue_comment_url": "/issues/comments{/number}", "issue_events_url": "/issues/events{/number}", "issues_url": "/issues{/number}",
		"keys_url": "/keys{/key_id}", "labels_url": "/labels{/name}", "languages_url": "/languages", "merges_url": "/merges",
		"milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
		"pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers", "statuses_url": "/statuses/{sha}",
		"subscribers_url": "/subscribers", "subscription_url": "/subscription", "tags_url": "/tags", "teams_url": "/teams",
		"trees_url": "/git/trees{/sha}", "hooks_url": "/hooks",
	}
}

func (x *exchange) at(r *repo) string { return x.api + "/repos/" + r.fullName() }

func (r *repo) site() string { return site + "/" + r.fullName() }

// minimal is a minimal-repository.
func (x *exchange) minimal(r *repo) object {
	o := object{
		"id": r.id, "node_id": fmt.Sprintf("R_%d", r.id), "name": r.Name, "full_name": r.fullName(), "owner": x.user(r.Owner), "private": r.Private,
		"html_url": r.site(), "description": orNull(r.Description), "fork": false, "url": x.at(r),
	}
	for k, suffix := range repoAddresses() {
		o[k] = x.at(r) + suffix
	}
	return o
}

// repository is a repository in full.
func (x *exchange) repository(r *repo) object {
	o := x.minimal(r)
	visibility := "public"
	if r.Private {
		visibility = "private"
	}
	open := 0
	for _, i := range r.issues {
		if i.closed == nil {
			open++
		}
	}
	for k, v := range (object{
		"git_url": "git://github.example/" + r.fullName() + ".git", "ssh_url": "git@github.example:" + r.fullName() + ".git",
		"clone_url": r.site() + ".git", "svn_url": r.site(), "mirror_url": nil, "homepage": nil, "language": orNull(r.language()),
		"forks_count": 0, "stargazers_count": 0, "watchers_count": 0, "size": 1, "default_branch": r.Default, "open_issues_count": open,
		"is_template": false, "topics": []string{}, "has_issues": true, "has_projects": false, "has_wiki": false, "has_pages": false,
		"has_downloads": true, "has_discussions": false, "archived": r.Archived, "disabled": false, "visibility": visibility,
		"pushed_at": stamp(r.created), "created_at": stamp(r.created), "updated_at": stamp(r.created), "license": nil,
		"forks": 0, "open_issues": open, "watchers": 0, "allow_forking": true, "web_commit_signoff_required": false,
	}) {
		o[k] = v
	}
	if x.who != "" {
		o["permissions"] = object{"admin": true, "maintain": true, "push": true, "triage": true, "pull": true}
	}
	return o
}

func showRepo(x *exchange) reply {
	o := x.repository(x.repo)
	o["network_count"], o["subscribers_count"] = 0, 0
	return ok(o)
}

// language is that of most files.
func (r *repo) language() string {
	most, count := "", 0
	for name, bytes := range r.languages() {
		if bytes > count {
			most, count = name, bytes
		}
	}
	return most
}

func (r *repo) languages() map[string]int {
	names := map[string]string{".go": "Go", ".js": "JavaScript", ".py": "Python", ".c": "C"}
	all := map[string]int{}
	tip, found := r.git.resolve(r.Default)
	if !found {
		return all
	}
	for _, e := range r.git.tree(r.git.treeOf(tip), true) {
		if name := names[path.Ext(e.path)]; name != "" {
			all[name] += int(e.size)
		}
	}
	return all
}

func showLanguages(x *exchange) reply { return ok(x.repo.languages()) }

func listBranches(x *exchange) reply {
	list := []any{}
	for _, b := range page(x, x.repo.git.refs("refs/heads/")) {
		list = append(list, object{
			"name": strings.TrimPrefix(b.name, "refs/heads/"), "commit": object{"sha": b.sha, "url": x.commitURL(b.sha)}, "protected": false,
		})
	}
	return ok(list)
}

func showBranch(x *exchange) reply {
	b, found := x.repo.git.ref("refs/heads/" + x.args["branch"])
	if !found {
		return fail(404, "Branch not found")
	}
	at := x.at(x.repo) + "/branches/" + escape(x.args["branch"])
	return ok(object{
		"name": x.args["branch"], "commit": x.commit(x.repo, x.repo.git.commit(b.sha)),
		"_links":    object{"self": at, "html": x.repo.site() + "/tree/" + escape(x.args["branch"])},
		"protected": false, "protection": object{"enabled": false}, "protection_url": at + "/protection",
	})
}

func listTags(x *exchange) reply {
	tags := x.repo.git.refs("refs/tags/")
	slices.Reverse(tags)
	list := []any{}
	for _, t := range page(x, tags) {
		name := strings.TrimPrefix(t.name, "refs/tags/")
		list = append(list, object{
			"name": name, "commit": object{"sha": t.commit, "url": x.commitURL(t.commit)}, "node_id": "REF_" + t.sha[:12],
			"zipball_url": x.at(x.repo) + "/zipball/refs/tags/" + escape(name), "tarball_url": x.at(x.repo) + "/tarball/refs/tags/" + escape(name),
		})
	}
	return ok(list)
}

func listContributors(x *exchange) reply {
	if x.repo.git.empty() {
		return nothing()
	}
	tip, _ := x.repo.git.resolve(x.repo.Default)
	count := map[string]int{}
	var logins []string
	for _, c := range x.repo.git.commits(tip, "") {
		if count[c.author.Name]++; count[c.author.Name] == 1 {
			logins = append(logins, c.author.Name)
		}
	}
	slices.SortStableFunc(logins, func(a, b string) int { return count[b] - count[a] })
	list := []any{}
	for _, l := range page(x, logins) {
		u, _ := x.user(l).(object)
		u["contributions"] = count[l]
		list = append(list, u)
	}
	return ok(list)
}
