package githubfake

import (
	"fmt"
	"slices"
	"strings"
)

func labelRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/labels", "issues=read", listLabels),
		read("/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues=read", listLabelsOf),
		operation("POST", "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues=write", addLabels),
		operation("PUT", "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues=write", setLabels),
		operation("DELETE", "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", "issues=write", removeLabel),
		read("/repos/{owner}/{repo}/milestones", "issues=read", listMilestones),
		read("/repos/{owner}/{repo}/assignees", "issues=read", listAssignees),
	}
}

// label is a label of the repository by its name, made if there is none.
func (x *exchange) label(r *repo, name string) object {
	at := slices.IndexFunc(r.Labels, func(l Label) bool { return strings.EqualFold(l.Name, name) })
	if at < 0 {
		at = len(r.Labels)
		r.Labels = append(r.Labels, Label{Name: name})
	}
	l := r.Labels[at]
	if l.Color == "" {
		l.Color = "ededed"
	}
	return object{
		"id": r.id*1000 + int64(at), "node_id": fmt.Sprintf("LA_%d_%d", r.id, at), "url": x.at(r) + "/labels/" + escape(l.Name),
		"name": l.Name, "color": l.Color, "default": false, "description": orNull(l.Description),
	}
}

func (x *exchange) labelsOf(r *repo, i *issue) []object {
	list := []object{}
	for _, name := range i.Labels {
		list = append(list, x.label(r, name))
	}
	return list
}

// labelNames reads labels in either form: a name, or an object with one.
func (x *exchange) labelNames(labels []any) []string {
	names := []string{}
	for _, l := range labels {
		name, isText := l.(string)
		if o, isObject := l.(object); !isText && isObject {
			name, _ = o["name"].(string)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func listLabels(x *exchange) reply {
	list := []any{}
	for _, l := range page(x, x.repo.Labels) {
		list = append(list, x.label(x.repo, l.Name))
	}
	return ok(list)
}

func listLabelsOf(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	return ok(page(x, x.labelsOf(x.repo, i)))
}

func addLabels(x *exchange) reply { return x.relabel(false) }

func setLabels(x *exchange) reply { return x.relabel(true) }

func (x *exchange) relabel(instead bool) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	var b struct{ Labels []any }
	if strings.HasPrefix(trimmed(x.body), "[") {
		if refused, fine := x.decode(&b.Labels); !fine {
			return refused
		}
	} else if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if instead {
		i.Labels = nil
	}
	for _, name := range x.labelNames(b.Labels) {
		if !slices.Contains(i.Labels, name) {
			i.Labels = append(slices.Clip(i.Labels), name)
		}
	}
	return ok(x.labelsOf(x.repo, i))
}

func removeLabel(x *exchange) reply {
	i := x.issue("issue_number")
	if i == nil {
		return notFound()
	}
	at := slices.Index(i.Labels, x.args["name"])
	if at < 0 {
		return fail(404, "Label does not exist")
	}
	i.Labels = slices.Delete(slices.Clone(i.Labels), at, at+1)
	return ok(x.labelsOf(x.repo, i))
}

// milestone is one by its number, null for 0.
func (x *exchange) milestone(r *repo, n int) any {
	if n == 0 {
		return nil
	}
	at, page := fmt.Sprintf("%s/milestones/%d", x.at(r), n), fmt.Sprintf("%s/milestone/%d", r.site(), n)
	open, closed := 0, 0
	for _, i := range r.issues {
		if i.Milestone == n && i.closed == nil {
			open++
		} else if i.Milestone == n {
			closed++
		}
	}
	return object{
		"url": at, "html_url": page, "labels_url": at + "/labels", "id": r.id*100 + int64(n), "node_id": fmt.Sprintf("MI_%d_%d", r.id, n), "number": n,
		"state": "open", "title": r.Milestones[n-1], "description": nil, "creator": x.user(x.hub.world.Me), "open_issues": open, "closed_issues": closed,
		"created_at": stamp(r.created), "updated_at": stamp(r.created), "closed_at": nil, "due_on": nil,
	}
}

func listMilestones(x *exchange) reply {
	list := []any{}
	for n := range x.repo.Milestones {
		list = append(list, x.milestone(x.repo, n+1))
	}
	return ok(page(x, list))
}

func listAssignees(x *exchange) reply {
	return ok(page(x, []any{x.user(x.hub.world.Me)}))
}
