package githubfake

import (
	"cmp"
	"fmt"
	"time"
)

func reviewRoutes() []route {
	const one = "/repos/{owner}/{repo}/pulls/{pull_number}"
	return []route{
		read(one+"/reviews", "pull_requests=read", listReviews),
		operation("POST", one+"/reviews", "pull_requests=write", createReview),
		read(one+"/comments", "pull_requests=read", listRemarks),
		operation("POST", one+"/comments", "pull_requests=write", createRemark),
		operation("POST", one+"/comments/{comment_id}/replies", "pull_requests=write", replyToRemark),
	}
}

type review struct {
	Review
	id      int64
	created time.Time
}

// A remark is a review comment.
type remark struct {
	Remark
	id, review, answers int64 // 0 is none
	created             time.Time
}

func (x *exchange) reviewFields(i *issue, v *review) object {
	page := fmt.Sprintf("%s/pull/%d#pullrequestreview-%d", x.repo.site(), i.number, v.id)
	at := fmt.Sprintf("%s/pulls/%d", x.at(x.repo), i.number)
	return object{
		"id": v.id, "node_id": fmt.Sprintf("PRR_%d", v.id), "user": x.user(x.hub.login(v.By)), "body": v.Body, "state": cmp.Or(v.State, "COMMENTED"),
		"html_url": page, "pull_request_url": at, "_links": object{"html": object{"href": page}, "pull_request": object{"href": at}},
		"submitted_at": stamp(v.created), "commit_id": i.pull.head, "author_association": "MEMBER",
	}
}

func listReviews(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	list := []any{}
	for _, v := range page(x, i.pull.reviews) {
		list = append(list, x.reviewFields(i, v))
	}
	return ok(list)
}

func createReview(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b struct {
		Body, Event string
		Comments    []remarkBody
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	states := map[string]string{"": "PENDING", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
	if x.hub.login(i.By) == x.who && (b.Event == "APPROVE" || b.Event == "REQUEST_CHANGES") {
		return fail(422, "Can not approve or request changes on your own pull request")
	}
	v := &review{Review{By: x.who, State: states[b.Event], Body: b.Body}, x.hub.id(), time.Now().UTC()}
	i.pull.reviews = append(i.pull.reviews, v)
	for _, c := range b.Comments {
		i.pull.remarks = append(i.pull.remarks, &remark{Remark{x.who, c.Path, c.Body, c.Line}, x.hub.id(), v.id, 0, v.created})
	}
	return ok(x.reviewFields(i, v))
}

type remarkBody struct {
	Path, Body string
	Line       int
}

func (x *exchange) remarkFields(i *issue, m *remark) object {
	at := fmt.Sprintf("%s/pulls/comments/%d", x.at(x.repo), m.id)
	page := fmt.Sprintf("%s/pull/%d#discussion_r%d", x.repo.site(), i.number, m.id)
	pull := fmt.Sprintf("%s/pulls/%d", x.at(x.repo), i.number)
	href := func(s string) object { return object{"href": s} }
	o := object{
		"url": at, "id": m.id, "node_id": fmt.Sprintf("PRRC_%d", m.id), "pull_request_review_id": nil, "diff_hunk": "@@ -1 +1 @@", "path": m.Path,
		"commit_id": i.pull.head, "original_commit_id": i.pull.head, "user": x.user(x.hub.login(m.By)), "body": m.Body, "created_at": stamp(m.created),
		"updated_at": stamp(m.created), "html_url": page, "pull_request_url": pull, "author_association": "MEMBER", "line": m.Line, "side": "RIGHT",
		"_links": object{"self": href(at), "html": href(page), "pull_request": href(pull)},
	}
	if m.review != 0 {
		o["pull_request_review_id"] = m.review
	}
	if m.answers != 0 {
		o["in_reply_to_id"] = m.answers
	}
	return o
}

func listRemarks(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	list := []any{}
	for _, m := range page(x, i.pull.remarks) {
		list = append(list, x.remarkFields(i, m))
	}
	return ok(list)
}

func createRemark(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b remarkBody
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	m := &remark{Remark{x.who, b.Path, b.Body, b.Line}, x.hub.id(), 0, 0, time.Now().UTC()}
	i.pull.remarks = append(i.pull.remarks, m)
	return created(x.remarkFields(i, m))
}

func replyToRemark(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b remarkBody
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	for _, to := range i.pull.remarks {
		if fmt.Sprint(to.id) == x.args["comment_id"] {
			m := &remark{Remark{x.who, to.Path, b.Body, to.Line}, x.hub.id(), 0, to.id, time.Now().UTC()}
			i.pull.remarks = append(i.pull.remarks, m)
			return created(x.remarkFields(i, m))
		}
	}
	return notFound()
}
