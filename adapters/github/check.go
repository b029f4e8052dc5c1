package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxChecked is how many repositories a check looks at.
const maxChecked = 20

// Check finds out whether GitHub can be reached, whose token it is, and whether
// the repositories that are named can be seen.
func (a *Adapter) Check(ctx context.Context) ([]mapping.Finding, error) {
	if err := a.usable(); err != nil {
		return nil, err
	}
	if a.options.CallerTokens {
		return []mapping.Finding{{OK: true, Text: "callers bring their tokens, so nothing was asked of GitHub"}}, nil
	}
	client, err := a.clientFor(mapping.Caller{})
	if err != nil {
		return nil, err
	}
	r := &request{client: client, adapter: a, call: mapping.Call{MaxBytes: 1 << 20}}
	found := []mapping.Finding{r.checkToken(ctx)}
	if !found[0].OK {
		return found, nil
	}
	for _, g := range a.allow.allow {
		if g.exact() && len(found) <= maxChecked {
			found = append(found, r.checkRepo(ctx, g))
		}
	}
	return found, nil
}

func (r *request) checkToken(ctx context.Context) mapping.Finding {
	if !r.logged {
		if _, err := r.get(ctx, "rate_limit", nil, nil); err != nil {
			return bad("GitHub cannot be asked: ", err)
		}
		return mapping.Finding{OK: true, Text: "GitHub answers; without a token it shows public repositories only, and few requests an hour", Mend: "give a token to raise the limit"}
	}
	var u github.User
	resp, err := r.get(ctx, "user", nil, &u)
	if err != nil {
		if mapping.CodeOf(err) == mapping.Denied { // a token of an app is nobody's
			return mapping.Finding{OK: true, Text: "GitHub accepts the token, which is no user's"}
		}
		return bad("GitHub cannot be asked: ", err)
	}
	text := "GitHub accepts the token of " + clean(u.GetLogin())
	if scopes := resp.Header.Get("X-OAuth-Scopes"); scopes != "" {
		return mapping.Finding{OK: true, Text: text + "; it is a classic token with the scopes " + clean(scopes), Mend: "a fine-grained token can be limited to the repositories that are served"}
	}
	return mapping.Finding{OK: true, Text: text}
}

func (r *request) checkRepo(ctx context.Context, g glob) mapping.Finding {
	name := g.owner + "/" + g.repo
	if err := r.in(g.owner, g.repo); err != nil {
		return mapping.Finding{Text: name + " is allowed and denied", Mend: "take it out of one of the two lists"}
	}
	var repo github.Repository
	if _, err := r.get(ctx, r.path(""), nil, &repo); err != nil {
		return bad(name+" cannot be read: ", err)
	}
	if repo.GetArchived() {
		return mapping.Finding{OK: true, Text: name + " can be read; it is archived, so nothing can be written"}
	}
	return mapping.Finding{OK: true, Text: name + " can be read"}
}

func bad(what string, err error) mapping.Finding {
	f := mapping.Finding{Text: what + "it cannot be reached", Mend: "look at host, the network and a proxy"}
	var e *mapping.Error
	if errors.As(err, &e) {
		f.Text = what + e.Problem
		f.Mend = strings.TrimSpace(fmt.Sprintf("%s %s", e.Allowed, e.Next))
	}
	return f
}
