package githubfake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

func issueRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/issues", "issues=read", listIssues),
		operation("POST", "/repos/{owner}/{repo}/issues", "issues=write", createIssue),
		read("/repos/{owner}/{repo}/issues/{issue_number}", "issues=read", showIssue),
		operation("PATCH", "/repos/{owner}/{repo}/issues/{issue_number}", "issues=write", updateIssue),
		read("/repos/{owner}/{repo}/issues/{issue_number}/comments", "issues=read", listComments),
		operation("POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments", "issues=write", createComment),
		operation("PATCH", "/repos/{owner}/{repo}/issues/comments/{comment_id}", "issues=write", updateComment),
		read("/repos/{owner}/{repo}/issues/{issue_number}/sub_issues", "issues=read", func(x *exchange) reply { return ok([]any{}) }),
	}
}

// An issue as it is now.
type issue struct {
	Issue
	id               int64
	number           int
	created, updated time.Time
	closed           *time.Time
	reason           string // why it was closed
	comments         []*comment
	pull             *pull // nil for an issue
}

type comment struct {
	Comment
	id      int64
	created time.Time
}

// open gives a seed its number.
func (g *GitHub) open(r *repo, seed Issue) error {
	n := len(r.issues) + 1
	at := began().Add(time.Duration(n) * time.Hour)
	i := &issue{Issue: seed, id: g.id(), number: n, created: at, updated: at}
	if seed.Closed {
		i.closed, i.reason = &at, "completed"
	}
	for k, c := range seed.Comments {
		i.comments = append(i.comments, &comment{c, g.id(), at.Add(time.Duration(k) * time.Minute)})
	}
	if seed.Pull != nil {
		if err := g.propose(r, i); err != nil {
			return err
		}
	}
	r.issues = append(r.issues, i)
	return nil
}

// issue finds what a path names by its number.
func (x *exchange) issue(param string) *issue {
	n := count(x.args[param])
	if n < 1 || n > len(x.repo.issues) {
		return nil
	}
	return x.repo.issues[n-1]
}

func (x *exchange) issueFields(r *repo, i *issue) object {
	at := fmt.Sprintf("%s/issues/%d", x.at(r), i.number)
	page := fmt.Sprintf("%s/issues/%d", r.site(), i.number)
	o := object{
		"id": i.id, "node_id": fmt.Sprintf("I_%d", i.id), "url": at, "repository_url": x.at(r), "labels_url": at + "/labels{/name}",
		"comments_url": at + "/comments", "events_url": at + "/events", "html_url": page, "number": i.number, "state": i.state(), "state_reason": orNull(i.reason),
		"title": i.Title, "body": orNull(i.Body), "user": x.user(x.hub.login(i.By)), "labels": x.labelsOf(r, i), "assignee": nil,
		"assignees": x.users(i.Assignees), "milestone": x.milestone(r, i.Milestone), "locked": i.Locked, "active_lock_reason": nil,
		"comments": len(i.comments), "closed_at": when(i.closed), "created_at": stamp(i.created), "updated_at": stamp(i.updated),
		"author_association": "OWNER",
	}
	if len(i.Assignees) > 0 {
		o["assignee"] = x.user(i.Assignees[0])
	}
	if i.pull != nil {
		page = fmt.Sprintf("%s/pull/%d", r.site(), i.number)
		o["html_url"] = page
		o["pull_request"] = object{
			"url": fmt.Sprintf("%s/pulls/%d", x.at(r), i.number), "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch",
			"merged_at": when(i.pull.merged),
		}
		o["draft"] = i.Pull.Draft
	}
	return o
}

func (i *issue) state() string {
	if i.closed != nil {
		return "closed"
	}
	return "open"
}

func when(t *time.Time) any {
	if t == nil {
		return nil
	}
	return stamp(*t)
}

func listIssues(x *exchange) reply {
	all := slices.Clone(x.repo.issues)
	keep := func(fits func(*issue) bool) {
		all = slices.DeleteFunc(all, func(i *issue) bool { return !fits(i) })
	}
	if s := cmp.Or(x.get("state"), "open"); s != "all" {
		keep(func(i *issue) bool { return i.state() == s })
	}
	for name := range strings.SplitSeq(x.get("labels"), ",") {
		if name != "" {
			keep(func(i *issue) bool { return slices.Contains(i.Labels, name) })
		}
	}
	if who := x.get("creator"); who != "" {
		keep(func(i *issue) bool { return x.hub.login(i.By) == who })
	}
	switch who := x.get("assignee"); who {
	case "", "*":
		keep(func(i *issue) bool { return who == "" || len(i.Assignees) > 0 })
	case "none":
		keep(func(i *issue) bool { return len(i.Assignees) == 0 })
	default:
		keep(func(i *issue) bool { return slices.Contains(i.Assignees, who) })
	}
	if since, err := time.Parse(time.RFC3339, x.get("since")); err == nil {
		keep(func(i *issue) bool { return !i.updated.Before(since) })
	}
	order(x, all)
	list := []any{}
	for _, i := range page(x, all) {
		list = append(list, x.issueFields(x.repo, i))
	}
	return ok(list)
}

// order sorts as sort and direction say: newest first by default.
func order(x *exchange, all []*issue) {
	slices.SortStableFunc(all, func(a, b *issue) int {
		d := 0
		switch x.get("sort") {
		case "updated":
			d = a.updated.Compare(b.updated)
		case "comments":
			d = len(a.comments) - len(b.comments)
		}
		d = cmp.Or(d, a.number-b.number)
		if x.get("direction") == "asc" {
			return d
		}
		return -d
	})
}

func showIssue(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	o := x.issueFields(x.repo, i)
	o["closed_by"] = nil
	if i.closed != nil {
		o["closed_by"] = x.user(x.hub.world.Me)
	}
	return ok(o)
}

// An edit is the body of a write to an issue or a pull request: what is absent
// stays as it is.
type edit struct {
	Title       *string
	Body        *string
	State       *string
	StateReason *string `json:"state_reason"`
	Labels      *[]any
	Assignees   *[]string
	Milestone   json.RawMessage
	Base        *string
}

func createIssue(x *exchange) reply {
	var e edit
	if refused, fine := x.decode(&e); !fine {
		return refused
	}
	if e.Title == nil || *e.Title == "" {
		return invalid("Issue", "title", "missing_field", "")
	}
	now := time.Now().UTC().Truncate(time.Second)
	i := &issue{Issue: Issue{By: x.who}, id: x.hub.id(), number: len(x.repo.issues) + 1, created: now, updated: now}
	if refused, fine := x.edit(i, e); !fine {
		return refused
	}
	x.repo.issues = append(x.repo.issues, i)
	return created(x.issueFields(x.repo, i))
}

func updateIssue(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	var e edit
	if refused, fine := x.decode(&e); !fine {
		return refused
	}
	if refused, fine := x.edit(i, e); !fine {
		return refused
	}
	return ok(x.issueFields(x.repo, i))
}

// edit does what a body asks for.
func (x *exchange) edit(i *issue, e edit) (reply, bool) {
	if e.Milestone != nil {
		n := count(string(e.Milestone))
		if n > len(x.repo.Milestones) || n < 1 && string(e.Milestone) != "null" {
			return invalid("Issue", "milestone", "invalid", ""), false
		}
		i.Milestone = n
	}
	if e.State != nil {
		x.turn(i, *e.State)
	}
	if e.StateReason != nil {
		i.reason = *e.StateReason
	}
	if e.Title != nil {
		i.Title = *e.Title
	}
	if e.Body != nil {
		i.Body = *e.Body
	}
	if e.Labels != nil {
		i.Labels = x.labelNames(*e.Labels)
	}
	if e.Assignees != nil {
		i.Assignees = *e.Assignees
	}
	i.updated = time.Now().UTC().Truncate(time.Second)
	return reply{}, true
}

// turn opens or closes.
func (x *exchange) turn(i *issue, state string) {
	switch {
	case state == "open" && i.closed != nil:
		i.closed, i.reason = nil, "reopened"
	case state == "closed" && i.closed == nil:
		now := time.Now().UTC().Truncate(time.Second)
		i.closed, i.reason = &now, "completed"
	}
}

func (x *exchange) commentFields(i *issue, c *comment) object {
	id := strconv.FormatInt(c.id, 10)
	return object{
		"id": c.id, "node_id": "IC_" + id, "url": x.at(x.repo) + "/issues/comments/" + id,
		"html_url": fmt.Sprintf("%s/issues/%d#issuecomment-%s", x.repo.site(), i.number, id), "user": x.user(x.hub.login(c.By)), "body": c.Body,
		"created_at": stamp(c.created), "updated_at": stamp(c.created), "issue_url": fmt.Sprintf("%s/issues/%d", x.at(x.repo), i.number),
		"author_association": "OWNER",
	}
}

func listComments(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	list := []any{}
	for _, c := range page(x, i.comments) {
		list = append(list, x.commentFields(i, c))
	}
	return ok(list)
}

func createComment(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	var b Comment
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if b.Body == "" {
		return invalid("IssueComment", "body", "missing_field", "")
	}
	if i.Locked {
		return fail(403, "Unable to create comment because issue is locked.")
	}
	c := &comment{Comment{By: x.who, Body: b.Body}, x.hub.id(), time.Now().UTC()}
	i.comments = append(i.comments, c)
	return created(x.commentFields(i, c))
}

func updateComment(x *exchange) reply {
	var b Comment
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	for _, i := range x.repo.issues {
		for _, c := range i.comments {
			if strconv.FormatInt(c.id, 10) == x.args["comment_id"] {
				c.Body = b.Body
				return ok(x.commentFields(i, c))
			}
		}
	}
	return notFound()
}
