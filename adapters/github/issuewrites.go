package github

import (
	"context"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// issueWriteRows change issues, which pull requests are too.
func issueWriteRows() []row {
	number := need("number", "Number of the issue or pull request.", aNumber)
	labels := may("labels", "Names of labels.", someText)
	return []row{
		{
			name: "create_issue", set: "issues", noun: "issue", verb: "create", needs: "issues: write", effect: mapping.Writes,
			summary: "Open an issue.",
			use:     "Use when something is to be reported or proposed.",
			avoid:   "Do not use for an answer to an issue; use [[add_issue_comment]] instead.",
			at:      "POST /repos/{owner}/{repo}/issues",
			params: []param{
				need("title", "Title.", aText), may("body", "Text, in Markdown.", aText), labels,
				may("assignees", "Logins.", someText), may("milestone", "Number of a milestone.", aNumber),
			},
			shape: one(trimIssueDone),
		},
		{
			name: "update_issue", set: "issues", noun: "issue", verb: "update", needs: "issues: write", effect: mapping.Destroys, idempotent: true,
			summary: "Change an issue: text, state, labels, people.",
			use:     "Use when an issue is to be edited, closed or reopened.",
			avoid:   "Do not use to add labels to those it has; use [[add_labels]] instead.",
			at:      "PATCH /repos/{owner}/{repo}/issues/{number}",
			params: []param{
				number, may("title", "New title.", aText), may("body", "New text, in place of the old.", aText),
				may("state", "New state.", oneOf("open", "closed")), may("state_reason", "Why.", oneOf("completed", "not_planned", "duplicate", "reopened")),
				may("labels", "All labels that it has then.", someText), may("assignees", "All logins that are assigned then.", someText),
				may("milestone", "Number of a milestone.", aNumber),
			},
			shape: one(trimIssueDone),
		},
		{
			name: "add_issue_comment", set: "issues", noun: "comment", verb: "create", needs: "issues: write", effect: mapping.Writes,
			summary: "Comment on an issue or pull request.",
			use:     "Use when something is to be said below an issue or pull request.",
			avoid:   "Do not use to change its own text; use [[update_issue]] instead.",
			at:      "POST /repos/{owner}/{repo}/issues/{number}/comments",
			params:  []param{number, need("body", "Text, in Markdown.", aText)},
			shape:   one(trimComment),
		},
		{
			name: "add_labels", set: "issues", noun: "label", verb: "create", needs: "issues: write", effect: mapping.Writes, idempotent: true,
			summary: "Add labels to an issue or pull request.",
			use:     "Use when labels are to be added to those it has.",
			avoid:   "Do not use to set all of them; use [[update_issue]] instead.",
			at:      "POST /repos/{owner}/{repo}/issues/{number}/labels",
			params:  []param{number, need("labels", "Names of labels.", someText)},
			shape:   labelsShape(),
		},
		{
			name: "remove_label", set: "issues", noun: "label", verb: "delete", needs: "issues: write", effect: mapping.Destroys, idempotent: true,
			summary: "Take a label off an issue or pull request.",
			use:     "Use when one label is to be taken off.",
			avoid:   "Do not use to set all of them; use [[update_issue]] instead.",
			at:      "DELETE /repos/{owner}/{repo}/issues/{number}/labels/{name}",
			params:  []param{number, need("name", "The label.", aText)},
			shape:   labelsShape(),
		},
	}
}

// An issueDone is what a write tells of an issue.
type issueDone struct {
	Number int      `json:"number"`
	State  string   `json:"state"`
	Labels []string `json:"labels,omitempty"`
	URL    string   `json:"url"`
}

func trimIssueDone(i *github.Issue) issueDone {
	return issueDone{i.GetNumber(), i.GetState(), labelNames(i.Labels), i.GetHTMLURL()}
}

type labelsAnswer struct {
	Labels []string `json:"labels"`
}

// labelsShape tells which labels there are afterwards.
func labelsShape() shape {
	return shape{output: schemaOf[labelsAnswer](), run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		var got []*github.Label
		if _, err := r.do(ctx, x, &got); err != nil {
			return nil, r.missing(err)
		}
		names := labelNames(got)
		if names == nil {
			names = []string{}
		}
		return answer(labelsAnswer{names})
	}}
}

// actionWriteRows start workflows.
func actionWriteRows() []row {
	return []row{
		{
			name: "dispatch_workflow", set: "actions", noun: "workflow", verb: "", needs: "actions: write", effect: mapping.Destroys,
			summary: "Start a workflow that listens to workflow_dispatch.",
			use:     "Use when a workflow is to be run by hand.",
			avoid:   "Do not use to repeat a run; use [[rerun_run]] instead.",
			text:    "GitHub does not tell the id of the run; [[list_runs]] shows it a moment later.",
			at:      "POST /repos/{owner}/{repo}/actions/workflows/{workflow}/dispatches",
			params: []param{
				need("workflow", "Id, or name of its file such as ci.yml.", aText), need("ref", "Branch or tag to run on.", aText),
				may("inputs", "Its inputs by name.", `{"type":"object","additionalProperties":{"type":"string"}}`),
			},
			shape: started(func(r *request, x *exchange) {}),
		},
		{
			name: "rerun_run", set: "actions", noun: "workflow run", verb: "", needs: "actions: write", effect: mapping.Destroys,
			summary: "Run a workflow run again.",
			use:     "Use when a run is to be repeated, or its failed jobs.",
			avoid:   "Do not use to begin a new run; use [[dispatch_workflow]] instead.",
			at:      "POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun",
			params:  []param{need("run_id", "Id of the run.", aNumber), may("failed_only", "Only the jobs that failed.", aFlag).local()},
			shape: started(func(r *request, x *exchange) {
				if r.flag("failed_only") {
					x.path = strings.TrimSuffix(x.path, "rerun") + "rerun-failed-jobs"
				}
			}),
		},
	}
}

type startedAnswer struct {
	Started bool `json:"started"`
}

// started makes a shape of what GitHub begins without telling more.
func started(change func(*request, *exchange)) shape {
	return shape{output: schemaOf[startedAnswer](), run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		change(r, &x)
		if _, err := r.do(ctx, x, nil); err != nil {
			return nil, r.missing(err)
		}
		return answer(startedAnswer{true})
	}}
}
