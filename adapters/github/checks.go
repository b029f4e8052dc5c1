package github

import (
	"context"
	"net/url"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A checksAnswer is one page of check runs with the older commit statuses.
type checksAnswer struct {
	SHA      string       `json:"sha"`
	Total    int          `json:"total"`
	Checks   []checkLine  `json:"checks"`
	State    string       `json:"status_state,omitempty"`
	Statuses []statusLine `json:"statuses,omitempty"`
	HasMore  bool         `json:"has_more"`
	Next     string       `json:"next_cursor,omitempty"`
}

type checkLine struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	App        string `json:"app,omitempty"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion,omitempty"`
	Title      string `json:"title,omitempty"`
}

type statusLine struct {
	Context     string `json:"context"`
	State       string `json:"state"`
	Description string `json:"description,omitempty"`
}

func trimCheck(c *github.CheckRun) checkLine {
	return checkLine{c.GetID(), clean(c.GetName()), c.GetApp().GetSlug(), c.GetStatus(), c.GetConclusion(), excerpt(c.GetOutput().GetTitle(), 200)}
}

// checksShape reads what CI says of the head of a pull request.
func checksShape() shape {
	s := shape{output: schemaOf[checksAnswer](), pages: pageSize}
	s.run = func(ctx context.Context, r *request) (*mapping.Result, error) {
		at, err := r.cursor()
		if err != nil {
			return nil, err
		}
		var p github.PullRequest
		if _, err := r.get(ctx, r.path("/pulls/%s", r.text("number")), nil, &p); err != nil {
			return nil, r.missing(err)
		}
		sha := p.GetHead().GetSHA()
		query := url.Values{}
		at.ask(query, r.limit())
		var runs github.ListCheckRunsResults
		resp, err := r.get(ctx, r.path("/commits/%s/check-runs", sha), query, &runs)
		if err != nil {
			return nil, r.missing(err)
		}
		result := &mapping.Result{}
		out := checksAnswer{SHA: sha, Total: runs.GetTotal(), Checks: []checkLine{}}
		for _, c := range runs.CheckRuns {
			out.Checks = append(out.Checks, trimCheck(c))
		}
		if at.Page == nil {
			var combined github.CombinedStatus
			_, err := r.get(ctx, r.path("/commits/%s/status", sha), url.Values{"per_page": {"100"}}, &combined)
			if code := mapping.CodeOf(err); code == mapping.Denied || code == mapping.NotFound {
				result.Note = "the token may not read commit statuses, so there may be more than these checks"
			} else if err != nil {
				return nil, err
			}
			for _, st := range combined.Statuses {
				out.Statuses = append(out.Statuses, statusLine{clean(st.GetContext()), st.GetState(), excerpt(st.GetDescription(), 200)})
			}
			if out.Statuses != nil {
				out.State = combined.GetState()
			}
		}
		if more := nextOf(resp); more != nil {
			out.HasMore, out.Next = true, r.after(more).String()
			result.Next = r.next("cursor", quoted(out.Next))
		}
		result.JSON, err = encode(out)
		return result, err
	}
	return s
}
