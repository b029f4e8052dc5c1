package github

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A discussion is what people said below an issue or a pull request, as far as it
// is shown together with it.
type discussion struct {
	First  []comment `json:"first_comments,omitempty"`
	Cursor string    `json:"comments_cursor,omitempty"`
}

// firstComments is how many comments are shown unless the call says otherwise.
const firstComments = 10

func commentsParam() param {
	return may("comments", "How many of its first comments to show; "+strconv.Itoa(firstComments)+" by default.", `{"type":"integer","minimum":0,"maximum":100}`).local()
}

// discussed makes a shape of an issue or a pull request with its first comments:
// who reads the one nearly always has to read the others. Of returns how many
// there are, and where they go.
func discussed[G, T any](trim func(*G) T, of func(*T) (count int, d *discussion)) shape {
	return shape{output: schemaOf[T](), run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		var got G
		if _, err := r.do(ctx, x, &got); err != nil {
			return nil, r.failed(ctx, err)
		}
		t := trim(&got)
		result := &mapping.Result{}
		if count, d := of(&t); count > 0 {
			text, err := encode(t)
			if err != nil {
				return nil, err
			}
			if err := r.discuss(ctx, result, d, r.call.Budget-int64(len(text))-reserve); err != nil {
				return nil, err
			}
		}
		result.JSON, err = encode(t)
		return result, err
	}}
}

// discuss fills in the first comments, as many whole ones as there is room for,
// and where [[list_issue_comments]] goes on.
func (r *request) discuss(ctx context.Context, result *mapping.Result, d *discussion, room int64) error {
	wanted := r.number("comments", firstComments)
	if wanted == 0 {
		return nil
	}
	var got []*github.IssueComment
	query := url.Values{"per_page": {strconv.Itoa(wanted)}}
	x := exchange{method: http.MethodGet, path: r.path("/issues/%s/comments", r.text("number")), query: query, max: r.call.MaxBytes}
	resp, err := r.do(ctx, x, &got)
	if code := mapping.CodeOf(err); code == mapping.Denied || code == mapping.NotFound {
		result.Note = "the token may not read the comments"
		return nil
	} else if err != nil {
		return err
	}
	for _, c := range got {
		text, err := encode(trimComment(c))
		if err != nil {
			return err
		}
		if room -= int64(len(text)) + 1; room < 0 {
			result.Truncated = true
			break
		}
		d.First = append(d.First, trimComment(c))
	}
	shown := len(d.First)
	if shown == len(got) && nextOf(resp) == nil {
		return nil
	}
	next := cursor{Of: r.fingerprintOf("list_issue_comments", "owner", "repo", "number"), Skip: shown % pageSize}
	next.Page = map[string]string{"page": strconv.Itoa(shown/pageSize + 1)}
	d.Cursor = next.String()
	result.Note = "there are more comments: [[list_issue_comments]] has them, with the same number and comments_cursor as its cursor"
	return nil
}
