package github

import (
	"github.com/google/go-github/v66/github"
)

// issueRows are about issues and what is said in them.
func issueRows() []row {
	number := need("number", "Issue number.", aNumber)
	return []row{
		{
			name: "get_issue", set: "issues", noun: "issue", verb: "get", needs: "issues: read",
			summary: "One issue with its body and its first comments.",
			use:     "Use when you know an issue's number and need its text, its state and what people answered.",
			avoid:   "Do not use for a long discussion to its end; use [[list_issue_comments]] instead.",
			at:      "GET /repos/{owner}/{repo}/issues/{number}",
			params:  []param{number, commentsParam()},
			shape:   discussed(trimIssue, func(i *issue) (int, *discussion) { return i.Comments, &i.discussion }),
		},
		{
			name: "list_issues", set: "issues", noun: "issue", verb: "list", needs: "issues: read",
			summary: "Issues of one repository without their bodies, newest first.",
			text:    "Pull requests are among them, marked is_pull.",
			use:     "Use when you need the issues of a repository by state, label or person.",
			avoid:   "Do not use to find words; use [[search_issues]] instead.",
			at:      "GET /repos/{owner}/{repo}/issues",
			params: []param{
				may("state", "Open ones if left out.", oneOf("open", "closed", "all")),
				may("labels", "Only issues with all of these labels.", someText),
				may("assignee", "A login, none or *.", aText),
				may("creator", "A login.", aText),
				may("since", "Changed since this ISO 8601 time.", aTime),
				may("sort", "By created if left out.", oneOf("created", "updated", "comments")),
				may("direction", "desc if left out.", oneOf("asc", "desc")),
			},
			shape: many("issues", trimIssueLine),
		},
		{
			name: "list_issue_comments", set: "issues", noun: "comment", verb: "list", needs: "issues: read",
			summary: "Comments on an issue or pull request, oldest first.",
			use:     "Use when you need the discussion of an issue or a pull request.",
			avoid:   "Do not use for its own text; use [[get_issue]] instead.",
			at:      "GET /repos/{owner}/{repo}/issues/{number}/comments",
			params:  []param{number, may("since", "Changed since this ISO 8601 time.", aTime)},
			shape:   many("comments", trimComment),
		},
		{
			name: "list_labels", set: "issues", extra: true, noun: "label", verb: "list", needs: "issues: read",
			summary: "The labels that issues and pull requests can have.",
			use:     "Use when you need the names of labels.",
			avoid:   "Do not use for issues with a label; use [[list_issues]] instead.",
			at:      "GET /repos/{owner}/{repo}/labels", shape: many("labels", trimLabel),
		},
		{
			name: "list_milestones", set: "issues", extra: true, noun: "milestone", verb: "list", needs: "issues: read",
			summary: "Milestones with their counts of issues.",
			use:     "Use when you need the names or progress of milestones.",
			avoid:   "Do not use for the issues of one; use [[search_issues]] instead.",
			at:      "GET /repos/{owner}/{repo}/milestones",
			params:  []param{may("state", "Open ones if left out.", oneOf("open", "closed", "all"))},
			shape:   many("milestones", trimMilestone),
		},
	}
}

type issueLine struct {
	Number    int      `json:"number"`
	Title     string   `json:"title"`
	State     string   `json:"state"`
	Author    string   `json:"author,omitempty"`
	Labels    []string `json:"labels,omitempty"`
	Comments  int      `json:"comments"`
	Updated   string   `json:"updated_at,omitempty"`
	IsPull    bool     `json:"is_pull,omitempty"`
	Assignees []string `json:"assignees,omitempty"`
}

func trimIssueLine(i *github.Issue) issueLine {
	return issueLine{
		Number: i.GetNumber(), Title: excerpt(i.GetTitle(), 300), State: i.GetState(), Author: i.GetUser().GetLogin(),
		Labels: labelNames(i.Labels), Comments: i.GetComments(), Updated: when(i.UpdatedAt), IsPull: i.IsPullRequest(),
		Assignees: logins(i.Assignees),
	}
}

type issue struct {
	issueLine
	Body      string `json:"body,omitempty"`
	Reason    string `json:"state_reason,omitempty"`
	Milestone string `json:"milestone,omitempty"`
	Locked    bool   `json:"locked,omitempty"`
	Created   string `json:"created_at,omitempty"`
	Closed    string `json:"closed_at,omitempty"`
	URL       string `json:"url"`
	discussion
}

func trimIssue(i *github.Issue) issue {
	return issue{
		issueLine: trimIssueLine(i), Body: clean(i.GetBody()), Reason: i.GetStateReason(),
		Milestone: clean(i.GetMilestone().GetTitle()), Locked: i.GetLocked(),
		Created: when(i.CreatedAt), Closed: when(i.ClosedAt), URL: i.GetHTMLURL(),
	}
}

type comment struct {
	ID      int64  `json:"id"`
	Author  string `json:"author,omitempty"`
	Role    string `json:"role,omitempty"`
	Created string `json:"created_at,omitempty"`
	Body    string `json:"body"`
}

func trimComment(c *github.IssueComment) comment {
	return comment{ID: c.GetID(), Author: c.GetUser().GetLogin(), Role: role(c.GetAuthorAssociation()), Created: when(c.CreatedAt), Body: clean(c.GetBody())}
}

// role is what the author has to do with the repository; "" is nothing.
func role(association string) string {
	if association == "NONE" {
		return ""
	}
	return association
}

type label struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

func trimLabel(l *github.Label) label {
	return label{clean(l.GetName()), clean(l.GetDescription())}
}

type milestone struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	State  string `json:"state"`
	Open   int    `json:"open_issues"`
	Closed int    `json:"closed_issues"`
	Due    string `json:"due_on,omitempty"`
}

func trimMilestone(m *github.Milestone) milestone {
	return milestone{m.GetNumber(), clean(m.GetTitle()), m.GetState(), m.GetOpenIssues(), m.GetClosedIssues(), when(m.DueOn)}
}

func labelNames(labels []*github.Label) []string {
	var names []string
	for _, l := range labels {
		names = append(names, clean(l.GetName()))
	}
	return names
}

func logins(users []*github.User) []string {
	var names []string
	for _, u := range users {
		names = append(names, u.GetLogin())
	}
	return names
}
