package githubfake

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"time"
)

func actionRoutes() []route {
	const actions = "/repos/{owner}/{repo}/actions"
	return []route{
		read(actions+"/workflows", "actions=read", listWorkflows),
		read(actions+"/workflows/{workflow_id}", "actions=read", showWorkflow),
		read(actions+"/workflows/{workflow_id}/runs", "actions=read", listRuns),
		operation("POST", actions+"/workflows/{workflow_id}/dispatches", "actions=write", dispatch),
		read(actions+"/runs", "actions=read", listRuns),
		read(actions+"/runs/{run_id}", "actions=read", showRun),
		read(actions+"/runs/{run_id}/jobs", "actions=read", listJobs),
		read(actions+"/runs/{run_id}/artifacts", "actions=read", listArtifacts),
		operation("POST", actions+"/runs/{run_id}/rerun", "actions=write", rerun),
		operation("POST", actions+"/runs/{run_id}/rerun-failed-jobs", "actions=write", rerun),
		operation("POST", actions+"/runs/{run_id}/cancel", "actions=write", cancel),
		read(actions+"/jobs/{job_id}", "actions=read", showJob),
		read(actions+"/jobs/{job_id}/logs", "actions=read", showJobLog),
	}
}

type run struct {
	Run
	id       int64
	number   int
	attempt  int
	sha      string
	workflow int // its index among the repository's
	jobs     []*job
	at       time.Time
}

type job struct {
	Job
	id int64
}

// start gives a seed its number.
func (g *GitHub) start(r *repo, seed Run) error {
	w := slices.IndexFunc(r.Workflows, func(w Workflow) bool { return w.Name == seed.Workflow })
	sha, found := r.git.resolve(cmp.Or(seed.Branch, r.Default))
	if w < 0 || !found {
		return fmt.Errorf("run %d: no workflow %q or no branch %q", len(r.runs)+1, seed.Workflow, seed.Branch)
	}
	n := &run{Run: seed, id: g.id(), number: len(r.runs) + 1, attempt: 1, sha: sha, workflow: w, at: began().Add(time.Duration(len(r.runs)) * time.Hour)}
	for _, j := range seed.Jobs {
		n.jobs = append(n.jobs, &job{j, g.id()})
	}
	r.runs = append(r.runs, n)
	return nil
}

func (x *exchange) workflowID(n int) int64 { return x.repo.id*100 + int64(n) }

func (x *exchange) workflowFields(n int) object {
	w := x.repo.Workflows[n]
	return object{
		"id": x.workflowID(n), "node_id": fmt.Sprintf("W_%d", x.workflowID(n)), "name": w.Name, "path": ".github/workflows/" + w.File, "state": "active",
		"created_at": stamp(x.repo.created), "updated_at": stamp(x.repo.created), "url": fmt.Sprintf("%s/actions/workflows/%d", x.at(x.repo), x.workflowID(n)),
		"html_url": x.repo.site() + "/blob/main/.github/workflows/" + w.File, "badge_url": x.repo.site() + "/workflows/" + escape(w.Name) + "/badge.svg",
	}
}

func listWorkflows(x *exchange) reply {
	list := []any{}
	for n := range x.repo.Workflows {
		list = append(list, x.workflowFields(n))
	}
	return ok(object{"total_count": len(list), "workflows": page(x, list)})
}

// workflow finds one by its number or the name of its file; -1 if there is none.
func (x *exchange) workflow() int {
	for n, w := range x.repo.Workflows {
		if x.args["workflow_id"] == fmt.Sprint(x.workflowID(n)) || x.args["workflow_id"] == path.Base(w.File) {
			return n
		}
	}
	return -1
}

func showWorkflow(x *exchange) reply {
	n := x.workflow()
	if n < 0 {
		return notFound()
	}
	return ok(x.workflowFields(n))
}

func (x *exchange) runFields(n *run) object {
	at, page := fmt.Sprintf("%s/actions/runs/%d", x.at(x.repo), n.id), fmt.Sprintf("%s/actions/runs/%d", x.repo.site(), n.id)
	c := x.repo.git.commit(n.sha)
	status, conclusion := cmp.Or(n.Status, "completed"), any(cmp.Or(n.Conclusion, "success"))
	if status != "completed" {
		conclusion = nil
	}
	w := x.repo.Workflows[n.workflow]
	return object{
		"id": n.id, "name": w.Name, "node_id": fmt.Sprintf("WFR_%d", n.id), "head_branch": cmp.Or(n.Branch, x.repo.Default), "head_sha": n.sha,
		"path": ".github/workflows/" + w.File, "run_number": n.number, "run_attempt": n.attempt, "event": cmp.Or(n.Event, "push"), "status": status,
		"conclusion": conclusion, "workflow_id": x.workflowID(n.workflow), "url": at, "html_url": page, "pull_requests": []any{},
		"created_at": stamp(n.at), "updated_at": stamp(n.at), "run_started_at": stamp(n.at), "actor": x.user(x.hub.world.Me), "triggering_actor": x.user(x.hub.world.Me),
		"jobs_url": at + "/jobs", "logs_url": at + "/logs", "check_suite_url": x.at(x.repo) + "/check-suites/1", "artifacts_url": at + "/artifacts",
		"cancel_url": at + "/cancel", "rerun_url": at + "/rerun", "workflow_url": fmt.Sprintf("%s/actions/workflows/%d", x.at(x.repo), x.workflowID(n.workflow)),
		"head_commit": object{
			"id": c.sha, "tree_id": c.tree, "message": c.message, "timestamp": c.committer.Date, "author": object{"name": c.author.Name, "email": c.author.Email},
			"committer": object{"name": c.committer.Name, "email": c.committer.Email},
		},
		"repository": x.minimal(x.repo), "head_repository": x.minimal(x.repo), "display_title": c.message,
	}
}

func listRuns(x *exchange) reply {
	all := slices.Clone(x.repo.runs)
	keep := func(fits func(*run) bool) {
		all = slices.DeleteFunc(all, func(n *run) bool { return !fits(n) })
	}
	if x.args["workflow_id"] != "" {
		w := x.workflow()
		if w < 0 {
			return notFound()
		}
		keep(func(n *run) bool { return n.workflow == w })
	}
	if b := x.get("branch"); b != "" {
		keep(func(n *run) bool { return cmp.Or(n.Branch, x.repo.Default) == b })
	}
	if s := x.get("status"); s != "" {
		keep(func(n *run) bool {
			return s == cmp.Or(n.Status, "completed") || n.Status == "" && s == cmp.Or(n.Conclusion, "success")
		})
	}
	if e := x.get("event"); e != "" {
		keep(func(n *run) bool { return cmp.Or(n.Event, "push") == e })
	}
	if sha := x.get("head_sha"); sha != "" {
		keep(func(n *run) bool { return n.sha == sha })
	}
	slices.Reverse(all)
	list := []any{}
	for _, n := range page(x, all) {
		list = append(list, x.runFields(n))
	}
	return ok(object{"total_count": len(all), "workflow_runs": list})
}

func (x *exchange) run() *run {
	for _, n := range x.repo.runs {
		if fmt.Sprint(n.id) == x.args["run_id"] {
			return n
		}
	}
	return nil
}

func showRun(x *exchange) reply {
	n := x.run()
	if n == nil {
		return notFound()
	}
	return ok(x.runFields(n))
}

func (x *exchange) jobFields(n *run, j *job) object {
	at, page := fmt.Sprintf("%s/actions/jobs/%d", x.at(x.repo), j.id), fmt.Sprintf("%s/actions/runs/%d/job/%d", x.repo.site(), n.id, j.id)
	steps := []object{}
	for k, s := range j.Steps {
		steps = append(steps, object{
			"name": s.Name, "status": "completed", "conclusion": cmp.Or(s.Conclusion, "success"), "number": k + 1, "started_at": stamp(n.at), "completed_at": stamp(n.at),
		})
	}
	return object{
		"id": j.id, "run_id": n.id, "run_url": fmt.Sprintf("%s/actions/runs/%d", x.at(x.repo), n.id), "run_attempt": n.attempt, "node_id": fmt.Sprintf("J_%d", j.id),
		"head_sha": n.sha, "url": at, "html_url": page, "status": "completed", "conclusion": cmp.Or(j.Conclusion, "success"), "created_at": stamp(n.at),
		"started_at": stamp(n.at), "completed_at": stamp(n.at), "name": j.Name, "steps": steps, "check_run_url": fmt.Sprintf("%s/check-runs/%d", x.at(x.repo), j.id),
		"labels": []string{"ubuntu-latest"}, "runner_id": 1, "runner_name": "runner 1", "runner_group_id": 1, "runner_group_name": "default",
		"workflow_name": x.repo.Workflows[n.workflow].Name, "head_branch": cmp.Or(n.Branch, x.repo.Default),
	}
}

func listJobs(x *exchange) reply {
	n := x.run()
	if n == nil {
		return notFound()
	}
	list := []any{}
	for _, j := range page(x, n.jobs) {
		list = append(list, x.jobFields(n, j))
	}
	return ok(object{"total_count": len(n.jobs), "jobs": list})
}

func (x *exchange) job() (*run, *job) {
	for _, n := range x.repo.runs {
		for _, j := range n.jobs {
			if fmt.Sprint(j.id) == x.args["job_id"] {
				return n, j
			}
		}
	}
	return nil, nil
}

func showJob(x *exchange) reply {
	n, j := x.job()
	if j == nil {
		return notFound()
	}
	return ok(x.jobFields(n, j))
}

func listArtifacts(x *exchange) reply {
	if x.run() == nil {
		return notFound()
	}
	return ok(object{"total_count": 0, "artifacts": []any{}})
}

func dispatch(x *exchange) reply {
	w := x.workflow()
	if w < 0 {
		return notFound()
	}
	var b struct {
		Ref    string
		Inputs map[string]any
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if _, found := x.repo.git.resolve(b.Ref); !found || b.Ref == "" {
		return fail(422, "No ref found for: "+b.Ref)
	}
	seed := Run{Workflow: x.repo.Workflows[w].Name, Branch: b.Ref, Event: "workflow_dispatch", Status: "queued"}
	if err := x.hub.start(x.repo, seed); err != nil {
		return fail(422, err.Error())
	}
	return nothing()
}

func rerun(x *exchange) reply {
	n := x.run()
	if n == nil {
		return notFound()
	}
	if cmp.Or(n.Status, "completed") != "completed" {
		return fail(403, "This workflow is already running")
	}
	n.Status, n.attempt = "queued", n.attempt+1
	return created(object{})
}

func cancel(x *exchange) reply {
	n := x.run()
	if n == nil {
		return notFound()
	}
	if cmp.Or(n.Status, "completed") == "completed" {
		return fail(409, "Cannot cancel a workflow run that is completed.")
	}
	n.Status, n.Conclusion = "completed", "cancelled"
	return reply{status: 202, body: object{}}
}
