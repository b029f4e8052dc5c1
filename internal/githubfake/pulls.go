package githubfake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

func pullRoutes() []route {
	const one = "/repos/{owner}/{repo}/pulls/{pull_number}"
	return []route{
		read("/repos/{owner}/{repo}/pulls", "pull_requests=read", listPulls),
		operation("POST", "/repos/{owner}/{repo}/pulls", "pull_requests=write", createPull),
		read(one, "pull_requests=read", showPull),
		operation("PATCH", one, "pull_requests=write", updatePull),
		read(one+"/files", "pull_requests=read", listPullFiles),
		read(one+"/commits", "pull_requests=read", listPullCommits),
		read(one+"/merge", "pull_requests=read", isMerged),
		operation("PUT", one+"/merge", "contents=write", mergePull),
		operation("PUT", one+"/update-branch", "pull_requests=write", updateBranch),
		read(one+"/requested_reviewers", "pull_requests=read", listReviewers),
		operation("POST", one+"/requested_reviewers", "pull_requests=write", requestReviewers),
		operation("DELETE", one+"/requested_reviewers", "pull_requests=write", dropReviewers),
	}
}

// A pull is what a pull request is beyond its issue.
type pull struct {
	head, base string // shas, as they are while it is open
	merged     *time.Time
	mergedAs   string
	asked      []string // logins whose review is wanted
	reviews    []*review
	remarks    []*remark
}

// propose makes a pull request of an issue.
func (g *GitHub) propose(r *repo, i *issue) error {
	p := &pull{}
	i.pull = p
	for _, v := range i.Pull.Reviews {
		p.reviews = append(p.reviews, &review{v, g.id(), i.created})
	}
	for _, m := range i.Pull.Remarks {
		p.remarks = append(p.remarks, &remark{Remark: m, id: g.id(), created: i.created})
	}
	if _, found := r.git.ref("refs/heads/" + i.Pull.Head); !found {
		return fmt.Errorf("issue %d: no branch %q", i.number, i.Pull.Head)
	}
	r.pulls = append(r.pulls, i)
	r.refresh()
	return nil
}

// refresh moves what follows a branch: open pull requests, and their refs.
func (r *repo) refresh() {
	for _, i := range r.pulls {
		if i.closed != nil && i.pull.head != "" {
			continue
		}
		if head, found := r.git.ref("refs/heads/" + i.Pull.Head); found {
			i.pull.head = head.sha
		}
		if base, found := r.git.ref("refs/heads/" + i.Pull.Base); found {
			i.pull.base = base.sha
		}
		_, _ = r.git.write(nil, "update-ref", fmt.Sprintf("refs/pull/%d/head", i.number), i.pull.head)
	}
}

// fork is where a pull request's branch left its base.
func (r *repo) fork(p *pull) string {
	out, err := r.git.read("merge-base", p.base, p.head)
	if err != nil {
		return p.base
	}
	return trimmed(out)
}

func (x *exchange) pull() *issue {
	if i := x.issue("pull_number"); i != nil && i.pull != nil {
		return i
	}
	return nil
}

// pullFields is a pull-request-simple.
func (x *exchange) pullFields(i *issue) object {
	at, page := fmt.Sprintf("%s/pulls/%d", x.at(x.repo), i.number), fmt.Sprintf("%s/pull/%d", x.repo.site(), i.number)
	issueAt := fmt.Sprintf("%s/issues/%d", x.at(x.repo), i.number)
	statuses := x.at(x.repo) + "/statuses/" + i.pull.head
	href := func(s string) object { return object{"href": s} }
	o := object{
		"url": at, "id": i.id, "node_id": fmt.Sprintf("PR_%d", i.id), "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch",
		"issue_url": issueAt, "commits_url": at + "/commits", "review_comments_url": at + "/comments",
		"review_comment_url": x.at(x.repo) + "/pulls/comments{/number}", "comments_url": issueAt + "/comments", "statuses_url": statuses,
		"number": i.number, "state": i.state(), "locked": i.Locked, "title": i.Title, "user": x.user(x.hub.login(i.By)), "body": orNull(i.Body),
		"labels": x.labelsOf(x.repo, i), "milestone": x.milestone(x.repo, i.Milestone), "created_at": stamp(i.created), "updated_at": stamp(i.updated),
		"closed_at": when(i.closed), "merged_at": when(i.pull.merged), "merge_commit_sha": orNull(i.pull.mergedAs), "assignee": nil,
		"assignees": x.users(i.Assignees), "requested_reviewers": x.users(i.pull.asked), "requested_teams": []any{}, "draft": i.Pull.Draft,
		"head": x.side(i.Pull.Head, i.pull.head), "base": x.side(i.Pull.Base, i.pull.base), "author_association": "OWNER", "auto_merge": nil,
		"active_lock_reason": nil,
		"_links": object{
			"self": href(at), "html": href(page), "issue": href(issueAt), "comments": href(issueAt + "/comments"), "review_comments": href(at + "/comments"),
			"review_comment": href(x.at(x.repo) + "/pulls/comments{/number}"), "commits": href(at + "/commits"), "statuses": href(statuses),
		},
	}
	if len(i.Assignees) > 0 {
		o["assignee"] = x.user(i.Assignees[0])
	}
	return o
}

func (x *exchange) side(branch, sha string) object {
	return object{
		"label": x.repo.Owner + ":" + branch, "ref": branch, "sha": sha, "user": x.user(x.repo.Owner), "repo": x.repository(x.repo),
	}
}

// pullInFull is a pull-request.
func (x *exchange) pullInFull(i *issue) object {
	o := x.pullFields(i)
	fork := x.repo.fork(i.pull)
	files := x.repo.git.diff(fork, i.pull.head)
	added, removed := total(files)
	for k, v := range (object{
		"merged": i.pull.merged != nil, "mergeable": nil, "rebaseable": nil, "mergeable_state": "unknown", "merged_by": nil,
		"comments": len(i.comments), "review_comments": len(i.pull.remarks), "maintainer_can_modify": false,
		"commits": len(x.repo.git.commits(fork+".."+i.pull.head, "")), "additions": added, "deletions": removed, "changed_files": len(files),
	}) {
		o[k] = v
	}
	if i.pull.merged != nil {
		o["merged_by"] = x.user(x.hub.world.Me)
	} else if i.closed == nil {
		_, clean := x.repo.merged(i.pull)
		o["mergeable"], o["mergeable_state"] = clean, "clean"
		if !clean {
			o["mergeable_state"] = "dirty"
		}
	}
	return o
}

func listPulls(x *exchange) reply {
	all := slices.Clone(x.repo.pulls)
	keep := func(fits func(*issue) bool) {
		all = slices.DeleteFunc(all, func(i *issue) bool { return !fits(i) })
	}
	if s := cmp.Or(x.get("state"), "open"); s != "all" {
		keep(func(i *issue) bool { return i.state() == s })
	}
	if base := x.get("base"); base != "" {
		keep(func(i *issue) bool { return i.Pull.Base == base })
	}
	if head := x.get("head"); head != "" {
		keep(func(i *issue) bool { return x.repo.Owner+":"+i.Pull.Head == head })
	}
	order(x, all)
	list := []any{}
	for _, i := range page(x, all) {
		list = append(list, x.pullFields(i))
	}
	return ok(list)
}

// GitHub's limits on the diff of a pull request.
const (
	diffFiles = 300
	diffLines = 20_000
	pullFiles = 3000
)

func showPull(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	fork := x.repo.fork(i.pull)
	if x.wants("diff") || x.wants("patch") {
		files := x.repo.git.diff(fork, i.pull.head)
		added, removed := total(files)
		if len(files) > diffFiles || added+removed > diffLines {
			return tooLong(len(files) > diffFiles)
		}
	}
	if text, asked := x.diffText(fork, i.pull.head); asked {
		return text
	}
	return ok(x.pullInFull(i))
}

// tooLong is GitHub's answer for a diff over its limits.
func tooLong(files bool) reply {
	message := fmt.Sprintf("Sorry, the diff exceeded the maximum number of lines (%d)", diffLines)
	if files {
		message = fmt.Sprintf("Sorry, the diff exceeded the maximum number of files (%d). Consider using 'List pull requests files' API or locally cloning the repository instead.", diffFiles)
	}
	return reply{status: 406, body: object{
		"message": message, "errors": []object{{"resource": "PullRequest", "field": "diff", "code": "too_large"}},
		"documentation_url": docs + "/pulls/pulls#list-pull-requests-files", "status": "406",
	}}
}

func listPullFiles(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	files := x.repo.git.diff(x.repo.fork(i.pull), i.pull.head)
	return ok(x.diffEntries(page(x, files[:min(len(files), pullFiles)]), i.pull.head))
}

func listPullCommits(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	all := x.repo.git.commits(x.repo.fork(i.pull)+".."+i.pull.head, "")
	slices.Reverse(all)
	list := []any{}
	for _, c := range page(x, all[:min(len(all), 250)]) {
		list = append(list, x.commit(x.repo, c))
	}
	return ok(list)
}

func listPullsOfCommit(x *exchange) reply {
	sha, found := x.repo.git.resolve(x.args["ref"])
	if !found {
		return fail(422, "No commit found for SHA: "+x.args["ref"])
	}
	list := []any{}
	for _, i := range x.repo.pulls {
		if slices.Contains(x.repo.git.ancestors(i.pull.head), sha) && !slices.Contains(x.repo.git.ancestors(i.pull.base), sha) {
			list = append(list, x.pullFields(i))
		}
	}
	return ok(page(x, list))
}

func createPull(x *exchange) reply {
	var b struct {
		Title, Head, Base, Body string
		Draft                   bool
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	b.Head = strings.TrimPrefix(b.Head, x.repo.Owner+":")
	if b.Title == "" {
		return invalid("PullRequest", "title", "missing_field", "")
	}
	for field, branch := range map[string]string{"head": b.Head, "base": b.Base} {
		if _, found := x.repo.git.ref("refs/heads/" + branch); !found {
			return invalid("PullRequest", field, "invalid", "")
		}
	}
	for _, other := range x.repo.pulls {
		if other.closed == nil && other.Pull.Head == b.Head && other.Pull.Base == b.Base {
			return invalid("PullRequest", "", "custom", "A pull request already exists for "+x.repo.Owner+":"+b.Head+".")
		}
	}
	now := time.Now().UTC().Truncate(time.Second)
	i := &issue{Issue: Issue{Title: b.Title, Body: b.Body, By: x.who, Pull: &Pull{Head: b.Head, Base: b.Base, Draft: b.Draft}}, id: x.hub.id(), number: len(x.repo.issues) + 1, created: now, updated: now}
	if err := x.hub.propose(x.repo, i); err != nil {
		return fail(500, err.Error())
	}
	if len(x.repo.git.commits(x.repo.fork(i.pull)+".."+i.pull.head, "")) == 0 {
		x.repo.pulls = x.repo.pulls[:len(x.repo.pulls)-1]
		return invalid("PullRequest", "", "custom", "No commits between "+b.Base+" and "+b.Head)
	}
	x.repo.issues = append(x.repo.issues, i)
	return created(x.pullInFull(i))
}

func updatePull(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var e edit
	if refused, fine := x.decode(&e); !fine {
		return refused
	}
	if e.Base != nil {
		if _, found := x.repo.git.ref("refs/heads/" + *e.Base); !found {
			return invalid("PullRequest", "base", "invalid", "")
		}
		i.Pull.Base = *e.Base
		x.repo.refresh()
	}
	if i.pull.merged != nil && e.State != nil && *e.State == "open" {
		return invalid("PullRequest", "state", "invalid", "state cannot be changed. The pull request cannot be reopened.")
	}
	if refused, fine := x.edit(i, e); !fine {
		return refused
	}
	return ok(x.pullInFull(i))
}
