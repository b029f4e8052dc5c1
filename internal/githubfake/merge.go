package githubfake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// merged is the tree of both sides together, and whether they agree.
func (r *repo) merged(p *pull) (tree string, clean bool) {
	out, err := r.git.read("merge-tree", "--write-tree", p.base, p.head)
	if err != nil {
		return "", false
	}
	tree, _, _ = strings.Cut(string(out), "\n")
	return tree, true
}

func isMerged(x *exchange) reply {
	if i := x.pull(); i == nil || i.pull.merged == nil {
		return notFound()
	}
	return nothing()
}

func mergePull(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b struct {
		Title   string `json:"commit_title"`
		Message string `json:"commit_message"`
		SHA     string
		Method  string `json:"merge_method"`
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if b.SHA != "" && b.SHA != i.pull.head {
		return fail(409, "Head branch was modified. Review and try the merge again.")
	}
	tree, clean := x.repo.merged(i.pull)
	switch {
	case i.closed != nil, i.Pull.Draft, !clean:
		return fail(405, "Pull Request is not mergeable")
	}
	d := x.newCommit(change{}, tree, []string{i.pull.base, i.pull.head})
	d.message = fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s", i.number, x.repo.Owner, i.Pull.Head, i.Title)
	if b.Method == "squash" || b.Method == "rebase" {
		d.parents = d.parents[:1]
		d.message = fmt.Sprintf("%s (#%d)", i.Title, i.number)
	}
	if b.Title != "" {
		d.message = strings.TrimSpace(b.Title + "\n\n" + b.Message)
	}
	sha, err := x.repo.git.commitTree(d)
	if err == nil {
		_, err = x.repo.git.write(nil, "update-ref", "refs/heads/"+i.Pull.Base, sha)
	}
	if err != nil {
		return fail(500, err.Error())
	}
	now := time.Now().UTC().Truncate(time.Second)
	i.closed, i.pull.merged, i.pull.mergedAs = &now, &now, sha
	x.repo.refresh()
	return ok(object{"sha": sha, "merged": true, "message": "Pull Request successfully merged"})
}

func updateBranch(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b struct {
		Expected string `json:"expected_head_sha"`
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if b.Expected != "" && b.Expected != i.pull.head {
		return fail(422, "expected head sha didn’t match current head ref.")
	}
	tree, clean := x.repo.merged(i.pull)
	if !clean {
		return fail(422, "merge conflict between base and head")
	}
	d := x.newCommit(change{Message: "Merge branch '" + i.Pull.Base + "' into " + i.Pull.Head}, tree, []string{i.pull.head, i.pull.base})
	sha, err := x.repo.git.commitTree(d)
	if err == nil {
		_, err = x.repo.git.write(nil, "update-ref", "refs/heads/"+i.Pull.Head, sha)
	}
	if err != nil {
		return fail(500, err.Error())
	}
	x.repo.refresh()
	return reply{status: 202, body: object{"message": "Updating pull request branch.", "url": x.repo.site() + "/pull/" + fmt.Sprint(i.number)}}
}

type reviewers struct {
	Reviewers []string `json:"reviewers"`
	Teams     []string `json:"team_reviewers"`
}

func listReviewers(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	return ok(object{"users": x.users(i.pull.asked), "teams": []any{}})
}

func requestReviewers(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b reviewers
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	for _, login := range b.Reviewers {
		if login == cmp.Or(i.By, x.hub.world.Me) {
			return fail(422, "Review cannot be requested from pull request author.")
		}
		if !slices.Contains(i.pull.asked, login) {
			i.pull.asked = append(i.pull.asked, login)
		}
	}
	return created(x.pullFields(i))
}

func dropReviewers(x *exchange) reply {
	i := x.pull()
	if i == nil {
		return notFound()
	}
	var b reviewers
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	i.pull.asked = slices.DeleteFunc(i.pull.asked, func(l string) bool { return slices.Contains(b.Reviewers, l) })
	return ok(x.pullFields(i))
}
