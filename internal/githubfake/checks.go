package githubfake

import (
	"cmp"
	"fmt"
)

func checkRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/commits/{ref...}/check-runs", "checks=read", listChecks),
		read("/repos/{owner}/{repo}/commits/{ref...}/status", "statuses=read", showStatus),
		read("/repos/{owner}/{repo}/commits/{ref...}/statuses", "statuses=read", listStatuses),
	}
}

// checksAt are the checks of a commit, runs or statuses.
func (x *exchange) checksAt(sha string, statuses bool) []int {
	var all []int
	for n, c := range x.repo.Checks {
		at, _ := x.repo.git.resolve(cmp.Or(c.Branch, x.repo.Default))
		if at == sha && (c.Status != "") == statuses {
			all = append(all, n)
		}
	}
	return all
}

func (x *exchange) commitOf(param string) (string, reply, bool) {
	if refused, empty := x.emptyGit(); empty {
		return "", refused, false
	}
	sha, found := x.repo.git.resolve(x.args[param])
	if !found {
		return "", fail(422, "No commit found for SHA: "+x.args[param]), false
	}
	return sha, reply{}, true
}

func listChecks(x *exchange) reply {
	sha, refused, found := x.commitOf("ref")
	if !found {
		return refused
	}
	all := x.checksAt(sha, false)
	list := []any{}
	for _, n := range page(x, all) {
		c, id := x.repo.Checks[n], x.repo.id*1000+int64(n)
		at := fmt.Sprintf("%s/check-runs/%d", x.at(x.repo), id)
		o := object{
			"id": id, "name": c.Name, "node_id": fmt.Sprintf("CR_%d", id), "head_sha": sha, "external_id": "", "url": at, "html_url": x.repo.site() + "/runs/" + fmt.Sprint(id),
			"details_url": x.repo.site() + "/runs/" + fmt.Sprint(id), "status": "completed", "conclusion": c.Conclusion, "started_at": stamp(began()),
			"completed_at": stamp(began()), "check_suite": object{"id": id}, "app": nil, "pull_requests": []any{},
			"output": object{"title": orNull(c.Name), "summary": orNull(c.Summary), "text": nil, "annotations_count": 0, "annotations_url": at + "/annotations"},
		}
		if c.Conclusion == "" {
			o["status"], o["conclusion"], o["completed_at"] = "in_progress", nil, nil
		}
		list = append(list, o)
	}
	return ok(object{"total_count": len(all), "check_runs": list})
}

func (x *exchange) statuses(sha string) ([]any, string) {
	list, state := []any{}, "success"
	all := x.checksAt(sha, true)
	if len(all) == 0 {
		state = "pending"
	}
	for _, n := range all {
		c, id := x.repo.Checks[n], x.repo.id*1000+int64(n)
		if c.Status == "pending" && state == "success" || c.Status == "failure" || c.Status == "error" {
			state = cmp.Or(map[string]string{"error": "failure"}[c.Status], c.Status)
		}
		list = append(list, object{
			"id": id, "node_id": fmt.Sprintf("SC_%d", id), "state": c.Status, "context": c.Name, "description": orNull(c.Summary), "target_url": nil, "avatar_url": nil,
			"url": x.at(x.repo) + "/statuses/" + sha, "created_at": stamp(began()), "updated_at": stamp(began()),
		})
	}
	return list, state
}

func showStatus(x *exchange) reply {
	sha, refused, found := x.commitOf("ref")
	if !found {
		return refused
	}
	list, state := x.statuses(sha)
	return ok(object{
		"state": state, "statuses": page(x, list), "sha": sha, "total_count": len(list), "repository": x.minimal(x.repo), "commit_url": x.commitURL(sha),
		"url": x.commitURL(sha) + "/status",
	})
}

func listStatuses(x *exchange) reply {
	sha, refused, found := x.commitOf("ref")
	if !found {
		return refused
	}
	list, _ := x.statuses(sha)
	for _, s := range list {
		s.(object)["creator"] = x.user(x.hub.world.Me)
	}
	return ok(page(x, list))
}
