package github

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// actionRows are about workflows and their runs.
func actionRows() []row {
	run := need("run_id", "Id of the run.", aNumber)
	return []row{
		{
			name: "list_workflows", set: "actions", extra: true, noun: "workflow", verb: "list", needs: "actions: read",
			summary: "Workflows with their files.",
			use:     "Use when you need the id or file of a workflow.",
			avoid:   "Do not use for what ran; use [[list_runs]] instead.",
			at:      "GET /repos/{owner}/{repo}/actions/workflows",
			shape: wrapped("workflows", "workflows", func(w *github.Workflow) workflow {
				return workflow{w.GetID(), clean(w.GetName()), w.GetPath(), w.GetState()}
			}),
		},
		{
			name: "list_runs", set: "actions", extra: true, noun: "workflow run", verb: "list", needs: "actions: read",
			summary: "Workflow runs, newest first.",
			use:     "Use when you need which workflows ran, and how they ended.",
			avoid:   "Do not use for the jobs of a run; use [[list_jobs]] instead.",
			at:      "GET /repos/{owner}/{repo}/actions/runs",
			params: []param{
				may("branch", "Only runs of this branch.", aText),
				may("event", "Only runs that this event began, such as push.", aText),
				may("status", "Only runs in this state or with this conclusion.", oneOf("completed", "in_progress", "queued", "success", "failure", "cancelled", "timed_out", "action_required", "neutral", "skipped")),
			},
			shape: wrapped("workflow_runs", "runs", trimRun),
		},
		{
			name: "get_run", set: "actions", extra: true, noun: "workflow run", verb: "get", needs: "actions: read",
			summary: "One workflow run.",
			use:     "Use when you know a run's id and need its state.",
			avoid:   "Do not use for its jobs; use [[list_jobs]] instead.",
			at:      "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
			params:  []param{run}, shape: one(trimRun),
		},
		{
			name: "list_jobs", set: "actions", extra: true, noun: "job", verb: "list", needs: "actions: read",
			summary: "Jobs of a workflow run's latest attempt, with the step that failed.",
			use:     "Use when you need which job of a run failed.",
			avoid:   "Do not use for what it printed; use [[get_job_log]] instead.",
			at:      "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
			params:  []param{run}, shape: wrapped("jobs", "jobs", trimJob),
		},
		{
			name: "get_job_log", set: "actions", noun: "job's log", verb: "get", needs: "actions: read",
			summary: "The end of a job's log, and the lines of the step that failed.",
			use:     "Use when you need to know why a job of GitHub Actions failed.",
			avoid:   "Do not use for which checks failed; use [[get_pull_checks]] instead.",
			at:      "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
			params: []param{
				need("job_id", "Id of the job, or of its check.", aNumber).local(),
				may("tail", "Lines from the end, of the failed step too; 100 if left out.", `{"type":"integer","minimum":1,"maximum":2000}`).local(),
			},
			shape: shape{output: schemaOf[logAnswer](), run: jobLog},
		},
	}
}

type workflow struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Path  string `json:"path"`
	State string `json:"state"`
}

type workflowRun struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Title      string `json:"title,omitempty"`
	Event      string `json:"event"`
	Branch     string `json:"branch,omitempty"`
	SHA        string `json:"sha"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion,omitempty"`
	Attempt    int    `json:"attempt"`
	Actor      string `json:"actor,omitempty"`
	Created    string `json:"created_at,omitempty"`
	URL        string `json:"url"`
}

func trimRun(r *github.WorkflowRun) workflowRun {
	return workflowRun{
		ID: r.GetID(), Name: clean(r.GetName()), Title: excerpt(r.GetDisplayTitle(), 200), Event: r.GetEvent(), Branch: clean(r.GetHeadBranch()),
		SHA: r.GetHeadSHA(), Status: r.GetStatus(), Conclusion: r.GetConclusion(), Attempt: r.GetRunAttempt(), Actor: r.GetActor().GetLogin(),
		Created: when(r.CreatedAt), URL: r.GetHTMLURL(),
	}
}

type job struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion,omitempty"`
	FailedStep string `json:"failed_step,omitempty"`
	Started    string `json:"started_at,omitempty"`
	Completed  string `json:"completed_at,omitempty"`
}

func trimJob(j *github.WorkflowJob) job {
	out := job{
		ID: j.GetID(), Name: clean(j.GetName()), Status: j.GetStatus(), Conclusion: j.GetConclusion(),
		Started: when(j.StartedAt), Completed: when(j.CompletedAt),
	}
	if s := failedStep(j); s != nil {
		out.FailedStep = clean(s.GetName())
	}
	return out
}

// failedStep is the first step that failed, nil if none did.
func failedStep(j *github.WorkflowJob) *github.TaskStep {
	for _, s := range j.Steps {
		if c := s.GetConclusion(); c == "failure" || c == "timed_out" || c == "cancelled" {
			return s
		}
	}
	return nil
}

// wrapped makes a shape of pages that GitHub wraps into an object with their
// number, under a name of theirs.
func wrapped[G, T any](theirs, property string, trim func(*G) T) shape {
	s := shape{output: pageSchema[T](property), pages: pageSize}
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		return paged(ctx, r, x, property, func(ctx context.Context, x exchange) (batch[T], error) {
			var got map[string]json.RawMessage
			resp, err := r.do(ctx, x, &got)
			if err != nil {
				return batch[T]{}, r.missing(err)
			}
			b := batch[T]{next: nextOf(resp)}
			var items []*G
			if err := json.Unmarshal(got[theirs], &items); err != nil {
				return b, fmt.Errorf("read %s: %w", theirs, err)
			}
			for _, g := range items {
				b.items = append(b.items, trim(g))
			}
			var total int
			if json.Unmarshal(got["total_count"], &total) == nil {
				b.total = &total
			}
			return b, nil
		})
	}
	return s
}
