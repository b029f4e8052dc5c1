package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A refused is an answer of GitHub that is a failure, with its words for a model.
type refused struct {
	status int
	empty  bool // the repository has no commit
	words  *mapping.Error
}

func (r *refused) Error() string { return r.words.Error() }

func (r *refused) Unwrap() error { return r.words }

// A complaint is the body of such an answer.
type complaint struct {
	Message string `json:"message"`
	Errors  []struct {
		Resource, Field, Code, Message string
	} `json:"errors"`
}

// refusal reads an answer that is a failure.
func (g *gate) refusal(resp *http.Response) error {
	var c complaint
	if text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10)); err == nil && json.Unmarshal(text, &c) != nil {
		c = complaint{Message: ""} // a page of a proxy tells a model nothing
	}
	words := g.reason(resp, &c)
	words.Err = fmt.Errorf("GitHub answered %d: %s", resp.StatusCode, c.Message)
	return &refused{resp.StatusCode, c.empty(), words}
}

func (g *gate) reason(resp *http.Response, c *complaint) *mapping.Error {
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		if g.token == "" {
			return &mapping.Error{Code: mapping.Unauthenticated, Problem: "GitHub wants a token for this, and there is none", Next: "ask the user to give a token"}
		}
		return &mapping.Error{Code: mapping.Unauthenticated, Problem: "GitHub does not accept the token; it has expired, was revoked or is mistyped", Next: "do not retry; ask the user for a new token"}
	case http.StatusForbidden, http.StatusTooManyRequests:
		return g.forbidden(resp, c)
	case http.StatusNotFound:
		if c.empty() {
			return errEmpty()
		}
		return &mapping.Error{Code: mapping.NotFound, Problem: "GitHub shows no such thing: it does not exist, or the token may not see it", Allowed: neededBy(resp.Header), Next: "check the name or number; if it is right, ask the user about the token's permissions"}
	case http.StatusGone:
		return &mapping.Error{Code: mapping.NotFound, Problem: "it is gone: deleted, expired or turned off", Detail: clean(c.Message), Next: "do not retry"}
	case http.StatusConflict:
		if c.empty() {
			return errEmpty()
		}
		return &mapping.Error{Code: mapping.Conflict, Problem: "it is in another state than the call needs", Detail: c.text(), Next: "read it again before the next attempt"}
	case http.StatusMethodNotAllowed:
		return &mapping.Error{Code: mapping.Conflict, Problem: "it cannot be done in its present state", Detail: c.text(), Next: "look at the state before the next attempt"}
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
		return &mapping.Error{Code: mapping.Invalid, Problem: "GitHub refused the arguments", Detail: c.text(), Next: "mend what it says and call again"}
	case http.StatusUnavailableForLegalReasons:
		return &mapping.Error{Code: mapping.Denied, Problem: "GitHub has blocked this repository for legal reasons", Next: "do not retry"}
	}
	if resp.StatusCode >= 500 {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "GitHub has a fault of its own at the moment", Next: "try again later", RetryAfter: retryAfter(resp.Header)}
	}
	return &mapping.Error{Code: mapping.Unsupported, Problem: "GitHub cannot answer this", Detail: c.text()}
}

// empty reports whether the complaint is that there is no commit.
func (c *complaint) empty() bool {
	return strings.Contains(strings.ToLower(c.Message), "repository is empty")
}

func errEmpty() *mapping.Error {
	return &mapping.Error{Code: mapping.Conflict, Problem: "the repository is empty: it has no commit yet", Next: "do not retry; a first file has to be written before anything can be read"}
}

// forbidden tells limits, missing permissions and locked repositories apart.
// GitHub says all three with the same two codes.
func (g *gate) forbidden(resp *http.Response, c *complaint) *mapping.Error {
	message := strings.ToLower(c.Message)
	has := func(words string) bool { return strings.Contains(message, words) }
	now := time.Now()
	sso := resp.Header.Get("X-Github-Sso")
	limited := resp.StatusCode == http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "" ||
		has("rate limit") || has("abuse detection")
	switch {
	case g.limits.wait(resourceOf(resp.Request.URL.Path), now) > 0 || limited:
		wait := g.limits.wait(resourceOf(resp.Request.URL.Path), now)
		if wait == 0 {
			wait = time.Minute // what GitHub's documentation asks for where it says nothing
			g.limits.block("", now.Add(wait))
		}
		return errLimited(wait, "GitHub's rate limit is used up")
	case strings.HasPrefix(sso, "required"):
		e := &mapping.Error{Code: mapping.Denied, Problem: "the organization wants the token to be authorized for single sign-on", Next: "ask the user to authorize it"}
		if _, url, found := strings.Cut(sso, "url="); found {
			e.Next += " at " + clean(url)
		}
		return e
	case has("archived"):
		return &mapping.Error{Code: mapping.Conflict, Problem: "the repository is archived, so it can only be read", Next: "do not retry"}
	case has("ip allow list") || has("ip address"):
		return &mapping.Error{Code: mapping.Denied, Problem: "the organization does not let this machine's address in", Next: "do not retry; tell the user"}
	case has("blocked") || has("suspended"):
		return &mapping.Error{Code: mapping.Denied, Problem: "GitHub has blocked this access", Detail: clean(c.Message), Next: "do not retry; tell the user"}
	}
	return &mapping.Error{Code: mapping.Denied, Problem: "the token may not do this", Allowed: neededBy(resp.Header), Detail: clean(c.Message), Next: "do not retry; ask the user for a token with that permission"}
}

// neededBy says which permission GitHub would accept.
func neededBy(h http.Header) string {
	if p := h.Get("X-Accepted-Github-Permissions"); p != "" {
		return "it takes a token with " + strings.ReplaceAll(clean(p), "=", ": ")
	}
	if s := h.Get("X-Accepted-Oauth-Scopes"); s != "" {
		return "it takes a token with one of the scopes " + clean(s)
	}
	return ""
}

// text joins what GitHub complains about.
func (c *complaint) text() string {
	parts := []string{c.Message}
	for _, e := range c.Errors {
		what := e.Message
		if what == "" {
			what = strings.ReplaceAll(e.Code, "_", " ")
		}
		parts = append(parts, strings.TrimSpace(e.Field+" "+what))
	}
	return clean(strings.Join(parts, "; "))
}

// missing says what was not found, in the row's words. GitHub answers the same
// where a token may not see something.
func (r *request) missing(err error) error {
	var f *refused
	if !errors.As(err, &f) || f.status != http.StatusNotFound || f.empty || !r.row.inRepo() {
		return err
	}
	e := *f.words
	e.Problem = fmt.Sprintf("%s has no such %s, or the token may not see it", r.where(), r.row.noun)
	if e.Allowed == "" && r.row.needs != "" {
		e.Allowed = "it takes a token with " + r.row.needs
	}
	return &e
}

// isEmpty reports whether a repository has no commit yet, which GitHub says in
// several ways.
func isEmpty(err error) bool {
	var f *refused
	return errors.As(err, &f) && f.empty
}
