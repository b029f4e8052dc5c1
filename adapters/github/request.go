package github

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A request is one call on its way: who asks, for which repository, with which
// arguments.
type request struct {
	*client
	adapter *Adapter
	row     row
	call    mapping.Call
	args    map[string]json.RawMessage
	links   map[place]*content // listings of directories, by place
	owner   string
	repo    string
}

// newRequest reads what every row has: the repository, which must be allowed.
func (a *Adapter) newRequest(row row, c mapping.Call) (*request, error) {
	client, err := a.clientFor(c.Caller)
	if err != nil {
		return nil, err
	}
	c.Budget = min(c.Budget, c.MaxBytes)
	r := &request{client: client, adapter: a, row: row, call: c, args: map[string]json.RawMessage{}}
	for _, arg := range c.Args {
		r.args[arg.Name] = arg.Value
	}
	if !row.inRepo() {
		return r, nil
	}
	return r, r.in(r.text("owner"), r.text("repo"))
}

// in sets the repository. Where only one is allowed it need not be named.
func (r *request) in(owner, repo string) error {
	if o, n, one := r.adapter.allow.only(); one && owner == "" && repo == "" {
		owner, repo = o, n
	}
	if !r.adapter.allow.allows(owner, repo) {
		return r.adapter.allow.refusal(owner, repo)
	}
	r.owner, r.repo = owner, repo
	return nil
}

func (r *request) text(name string) string {
	var s string
	if raw, given := r.args[name]; given && json.Unmarshal(raw, &s) != nil {
		return string(raw) // a number
	}
	return s
}

func (r *request) flag(name string) bool { return string(r.args[name]) == "true" }

func (r *request) number(name string, otherwise int) int {
	var n int
	if raw, given := r.args[name]; !given || json.Unmarshal(raw, &n) != nil {
		return otherwise
	}
	return n
}

func (r *request) list(name string) []string {
	var l []string
	if raw, given := r.args[name]; given && json.Unmarshal(raw, &l) != nil {
		return []string{r.text(name)}
	}
	return l
}

// where is the repository in words.
func (r *request) where() string { return r.owner + "/" + r.repo }

// path is a path below the repository. Each %s becomes one segment, however many
// slashes are in it, unless it is a [whole].
func (r *request) path(format string, segments ...any) string {
	escaped := make([]any, len(segments))
	for i, s := range segments {
		if text, ok := s.(whole); ok {
			escaped[i] = string(text)
			continue
		}
		escaped[i] = url.PathEscape(fmt.Sprint(s))
	}
	return "repos/" + url.PathEscape(r.owner) + "/" + url.PathEscape(r.repo) + fmt.Sprintf(format, escaped...)
}

// whole is a piece of a path that is escaped already.
type whole string

// rest escapes a path of several segments.
func rest(path string) whole {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return whole(strings.Join(parts, "/"))
}

// get reads JSON.
func (r *request) get(ctx context.Context, path string, query url.Values, v any) (*github.Response, error) {
	return r.do(ctx, exchange{method: http.MethodGet, path: path, query: query, max: r.call.MaxBytes}, v)
}

// exchange fills the row's path, query and body with the arguments.
func (r *request) exchange() (exchange, error) {
	method, path, _ := strings.Cut(r.row.at, " ")
	x := exchange{method: method, query: url.Values{}, max: r.call.MaxBytes}
	body := map[string]json.RawMessage{}
	path = strings.NewReplacer("{owner}", url.PathEscape(r.owner), "{repo}", url.PathEscape(r.repo)).Replace(strings.TrimPrefix(path, "/"))
	for _, p := range r.row.params {
		raw, given := r.args[p.name]
		if !given {
			continue
		}
		name := p.wire
		if name == "" {
			name = p.name
		}
		value := r.text(p.name)
		if p.name == "ref" || p.name == "tag" {
			if err := checkRef(p.name, value); err != nil {
				return x, err
			}
		}
		if hole := "{" + p.name + "}"; strings.Contains(path, hole) {
			if value == "" {
				return x, &mapping.Error{Code: mapping.Invalid, Problem: p.name + " is empty"}
			}
			path = strings.ReplaceAll(path, hole, url.PathEscape(value))
			continue
		}
		switch {
		case name == "-":
		case p.schema == aTime:
			at, err := timeOf(p.name, value)
			if err != nil {
				return x, err
			}
			x.query.Set(name, at)
		case method == http.MethodGet:
			x.query.Set(name, joined(raw))
		default:
			body[name] = raw
		}
	}
	x.path = path
	if len(body) > 0 {
		x.body = body
	}
	return x, nil
}

// timeOf reads a time or a day. What is neither would be ignored by GitHub, and
// its answer would be taken for what was asked for.
func timeOf(name, text string) (string, error) {
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC().Format(time.RFC3339), nil
		}
	}
	return "", &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("%s %q is not a time", name, excerpt(text, 80)), Allowed: "a time is written as 2026-01-31T12:00:00Z, or a day as 2026-01-31"}
}

// joined is a value as a query has it.
func joined(raw json.RawMessage) string {
	var text string
	var list []string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		return strings.Join(list, ",")
	}
	return string(raw)
}

// checkRef refuses what is no name of a branch, a tag or a commit, but would be
// read as something else: a way up, or a place in another repository's network.
func checkRef(name, ref string) error {
	bad := ref == "" || len(ref) > 1000 || strings.Contains(ref, "..") || strings.ContainsAny(ref, ":\\") ||
		strings.HasPrefix(ref, "/") || strings.HasSuffix(ref, "/") || strings.Contains(ref, "//") ||
		slices.Contains(strings.Split(ref, "/"), ".") || strings.IndexFunc(ref, unicode.IsControl) >= 0
	if bad {
		return &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("%s %q cannot be a name in git", name, excerpt(ref, 80)), Next: "give the name of a branch or tag, or a commit's SHA"}
	}
	return nil
}

// ref is an optional argument that names a commit, without the refs/ that GitHub
// does not take everywhere.
func (r *request) ref(name string) (string, error) {
	ref := r.text(name)
	if ref == "" {
		return "", nil
	}
	return strings.TrimPrefix(ref, "refs/"), checkRef(name, ref)
}

// answer makes a result of a trimmed answer.
func answer(v any) (*mapping.Result, error) {
	text, err := encode(v)
	return &mapping.Result{JSON: text}, err
}

// encode writes JSON for a reader, not for a web page: < and & stay as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// trimHeads is a branch as it is called without its place among the refs.
func trimHeads(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")
}
