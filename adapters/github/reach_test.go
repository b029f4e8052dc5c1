package github_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The repositories that these tests allow: octo/hello and what begins with pub-.
// The judge below decides by itself what lies within.
const apiHost = "api.github.example"

func reachable() bridgegithub.Options {
	return bridgegithub.Options{
		Repositories: []string{"octo/hello", "octo/pub-*", "!octo/pub-keys"}, Token: token, BaseURL: "https://" + apiHost, Toolsets: []string{"all"},
	}
}

func isInside(owner, repo string) bool {
	owner, repo = strings.ToLower(owner), strings.ToLower(repo)
	return owner == "octo" && (repo == "hello" || strings.HasPrefix(repo, "pub-") && repo != "pub-keys")
}

// A border is where requests would leave. It reads each as a server would, judges
// it, and gives an answer that a hostile or broken server might.
type border struct {
	answer func() (status int, header http.Header, body string)

	mu      sync.Mutex
	count   int
	doing   string
	logs    bool // a job's log is being asked for, which is kept elsewhere
	outside []string
}

// RoundTrip implements http.RoundTripper.
func (w *border) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent bytes.Buffer
	if err := req.Write(&sent); err != nil {
		return nil, err
	}
	got, err := http.ReadRequest(bufio.NewReader(&sent))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	if err != nil {
		w.outside = append(w.outside, fmt.Sprintf("%s: not a request: %v", req.URL, err))
		return nil, err
	}
	if why := w.judge(req.URL.Scheme, got); why != "" {
		w.outside = append(w.outside, fmt.Sprintf("%s %s%s: %s", got.Method, got.Host, got.RequestURI, why))
	}
	status, header, body := w.answer()
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: req,
		ContentLength: int64(len(body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// judge says why a request should not have left.
func (w *border) judge(scheme string, r *http.Request) string {
	if r.Host != apiHost {
		switch {
		case r.Header.Get("Authorization") != "" || strings.Contains(r.RequestURI, token):
			return "the token went to another host"
		case !w.logs:
			return "another host"
		}
		return ""
	}
	if scheme != "https" {
		return "not encrypted"
	}
	plain, err := url.PathUnescape(r.URL.EscapedPath())
	if err != nil {
		return err.Error()
	}
	// What a server that reads dots and doubled slashes would make of it.
	parts := strings.Split(strings.TrimPrefix(path.Clean(plain), "/"), "/")
	switch {
	case parts[0] == "repos" && len(parts) >= 3 && isInside(parts[1], parts[2]):
		return ""
	case parts[0] == "search" && len(parts) == 2:
		return judgeQuery(r.URL.Query()["q"])
	case len(parts) == 1 && parts[0] == "user":
		return ""
	}
	return "outside of the list"
}

// judgeQuery reads a search as GitHub does: quotes keep words together, and any
// of several scopes may hold, so each must be within.
func judgeQuery(q []string) string {
	if len(q) != 1 {
		return "not one query"
	}
	quoted, scopes := false, 0
	text := q[0]
	// Advanced search has alternatives in parentheses. They may come first, as
	// nothing but scopes.
	if group, rest, found := strings.Cut(text, ") "); found && strings.HasPrefix(group, "(") && !strings.Contains(group, `"`) {
		for scope := range strings.SplitSeq(group[1:], " OR ") {
			if why := judgeQuery([]string{scope}); why != "" || strings.Contains(scope, " ") {
				return "a group with more than scopes in it"
			}
		}
		scopes++
		text = rest
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' { // behind the second a new word begins
			quoted = !quoted
			return !quoted
		}
		return !quoted && (r == ' ' || r == '\t' || r == '\n' || r == '\u00a0' || r == '\u3000' || r == '(' || r == ')')
	})
	for i, word := range words {
		if slices.Contains([]string{"OR", "AND", "||", "&&"}, strings.ToUpper(word)) {
			return "an operator"
		}
		key, value, found := strings.Cut(strings.ToLower(word), ":")
		if !found {
			continue
		}
		value = strings.Trim(value, `"`)
		owner, repo, _ := strings.Cut(value, "/")
		switch key = strings.Trim(key, `"`); key {
		case "repo", "user", "org":
			if i > 0 && strings.EqualFold(words[i-1], "NOT") {
				return "everything but a scope"
			}
		}
		switch key {
		case "repo":
			if !isInside(owner, repo) {
				return "a scope outside of the list"
			}
			scopes++
		case "user", "org": // results are looked at one by one
			if value != "octo" {
				return "a scope outside of the list"
			}
			scopes++
		case "enterprise", "owner":
			return "a scope outside of the list"
		}
	}
	if scopes == 0 {
		return "no scope"
	}
	return ""
}

// A dice makes hostile things, the same ones for the same seed.
type dice struct{ *rand.Rand }

func (d dice) pick(from ...string) string { return from[d.IntN(len(from))] }

// text is a hostile text.
func (d dice) text() string {
	var b strings.Builder
	for range 1 + d.IntN(4) {
		b.WriteString(d.pick(
			"..", "../", "/..", "../..", "/../../", ".", "./", "/", "//", `\`, `..\`, "%2e%2e", "%2F", "%2e%2e%2f", "%252e%252e%252f", "%00", "%", "%zz", "\x00", "\r\n",
			"\r\nHost: evil.example\r\n", "?", "?x=", "&q=repo:evil/secret", "#", "@evil.example", ":", ":80", "//evil.example/", "https://evil.example/", "evil", "evil/secret",
			"evil:main", "secret", "octo", "OCTO", "hello", "Hello", "octo/hello", "pub-", "pub-keys", "PUB-KEYS", "repos/evil/secret", "../../evil/secret", "/repos/evil/secret/issues",
			"repositories/2", "user", "user/repos", "orgs/evil", "gists", "graphql", "main", "HEAD", "refs/heads/main", "...", "main...evil:main", "\u2025", "\uff0e\uff0e\uff0f", "\u2215", "\u202e",
			"\u00a0", "\u0000", "*", "?", "{owner}", "{+path}", ";", "=", "+", " ", "\t", "ﬀ", "İ", "K", strings.Repeat("a", 200), "\xff\xfe",
		))
	}
	return b.String()
}

// query is a hostile search.
func (d dice) query() string {
	var parts []string
	for range 1 + d.IntN(5) {
		parts = append(parts, d.pick(
			"word", "repo:evil/secret", "repo:octo/hello", "REPO:evil/secret", `"repo:evil/secret"`, `repo:"evil/secret"`, `"a`, `b"`, `\"`, "OR", "or", "AND", "NOT", "||", "(", ")", "(repo:evil/secret)",
			"org:evil", "user:evil", "user:octo", "org:octo", "-repo:octo/hello", "-user:octo", "enterprise:evil", "owner:evil", "repo:octo/pub-keys", "repo:octo/..", "repo:octo/hello,evil/secret",
			"repo:octo/hello/../../evil/secret", "in:name", "is:issue", "is:pr", "path:../", "repo:\u00a0evil/secret", "\u00a0repo:evil/secret", "\u3000repo:evil/secret", "repo\uff1aevil/secret", "repo:evil%2Fsecret", `label:"a"repo:evil/secret`, `"a"user:evil`,
			"word\trepo:evil/secret", "word\nrepo:evil/secret", "&q=repo:evil/secret", "%20repo:evil/secret", "+repo:evil/secret", "NOT repo:octo/hello", d.text(),
		))
	}
	return strings.Join(parts, d.pick(" ", " ", "", "\t", "\u00a0", "+", "%20"))
}

// cursor is a forged one, sometimes with the mark of the call that it is used in.
func (d dice) cursor(mark string) string {
	text, _ := json.Marshal(map[string]any{
		"q": d.pick(mark, mark, d.text()), "s": d.IntN(5) - 1,
		"p": map[string]string{d.pick("page", "after", "cursor", "q", "per_page", d.text()): d.pick(d.text(), d.query(), "2", "2&q=repo:evil/secret")},
	})
	return d.pick(base64.RawURLEncoding.EncodeToString(text), string(text), d.text())
}

// value is one for a parameter: hostile, or as its schema wants it.
func (d dice) value(p mapping.Param) any {
	var s struct {
		Type string
		Enum []string
	}
	_ = json.Unmarshal(p.Schema, &s)
	where := p.Name == "owner" || p.Name == "repo"           // mostly right, or nothing else is ever tried
	if d.IntN(12) < 8 && !where || where && d.IntN(5) == 0 { // hostile, in the right type or not
		switch {
		case p.Name == "query":
			return d.query()
		case s.Type == "array":
			return []string{d.text(), d.text()}
		case s.Type == "integer" && d.IntN(2) == 0:
			return d.IntN(100) - 50
		}
		return d.text()
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[d.IntN(len(s.Enum))]
	case s.Type == "integer":
		return 1 + d.IntN(9)
	case s.Type == "boolean":
		return d.IntN(2) == 0
	case s.Type == "array" && p.Name == "files":
		return []map[string]string{{"path": d.text(), "content": "x"}, {"path": "a", "content": "x"}}
	case s.Type == "array":
		return []string{"README.md", d.text()}
	case s.Type == "object":
		return map[string]string{d.text(): d.text()}
	case p.Name == "owner":
		return d.pick("octo", "octo", "OCTO", "octo", "octo", "octo", "evil")
	case p.Name == "repo":
		return d.pick("hello", "pub-one", "hello", "Hello", "hello", "hello", "pub-keys", "secret")
	}
	return d.pick("main", "README.md", "v1", "1")
}

// reply is what a server might answer that wants to lead somewhere else.
func (d dice) reply() (int, http.Header, string) {
	h := http.Header{"Content-Type": {"application/json"}}
	to := d.pick("https://evil.example/x", "http://"+apiHost+"/repos/octo/hello", "https://"+apiHost+"/repos/evil/secret", "https://"+apiHost+"/repositories/2/issues", "https://"+apiHost+"/repositories/3/issues", "//evil.example/", "/user/repos",
		"https://"+apiHost+"@evil.example/", "https://"+apiHost+".evil.example/repos/octo/hello", "https://"+apiHost+"/repos/octo/hello/../../evil/secret", "https://"+apiHost+":8443/user", "https://127.0.0.1/", "file:///etc/passwd")
	h.Set("Link", fmt.Sprintf(`<%s?page=2&q=repo:evil/secret>; rel="next"`, to))
	switch d.IntN(8) {
	case 0:
		h.Set("Location", to)
		return []int{301, 302, 307, 308}[d.IntN(4)], h, ""
	case 1:
		return 404, h, `{"message": "Not Found"}`
	case 2:
		return 200, h, "[]"
	case 3:
		return 406, h, `{"message": "too large"}`
	}
	id := 2 + d.IntN(2)
	sha := d.pick("1234567890123456789012345678901234567890", d.text())
	body, _ := json.Marshal(map[string]any{
		"sha": sha, "type": d.pick("file", "dir", "symlink"), "encoding": d.pick("base64", "none"), "content": "aGk=", "size": 2, "name": d.text(), "path": d.text(), "number": 1,
		"head": map[string]any{"sha": sha, "ref": d.text(), "repo": map[string]string{"full_name": "evil/secret"}}, "default_branch": d.text(),
		"tree": []any{map[string]string{"path": d.text(), "mode": "040000", "sha": sha}}, "object": map[string]string{"sha": sha, "type": "commit"},
		"items": []any{map[string]any{"repository_url": to, "repository": map[string]string{"full_name": "evil/secret"}}}, "url": to, "html_url": to, "id": id, "full_name": map[int]string{2: "evil/secret", 3: "octo/hello"}[id],
	})
	return 200, h, string(body)
}

// tries is how many hostile calls and reads have to leave nothing outside.
const tries = 100_000

func TestNothingReachesOutside(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(1, 2))} //nolint:gosec // the same each time
	w := &border{answer: d.reply}
	o := reachable()
	o.Transport = w
	a := bridgegithub.New(o)
	catalog, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mark := ""
	worked := 0
	for n := range tries {
		var err error
		if n%10 == 9 {
			err = d.read(t, a, catalog.Resources[d.IntN(len(catalog.Resources))], w)
		} else {
			mark, err = d.call(t, a, catalog.Operations[d.IntN(len(catalog.Operations))], mark, w)
		}
		if err == nil {
			worked++
		}
		if len(w.outside) > 0 {
			t.Fatalf("after %d tries a request left for where it should not, by %s:\n%s", n+1, w.doing, strings.Join(w.outside, "\n"))
		}
	}
	// A gate that lets nothing through passes too, and is of no use.
	if w.count < tries/10 || worked < tries/100 {
		t.Errorf("of %d tries only %d requests left and %d worked", tries, w.count, worked)
	}
	t.Logf("%d tries, %d requests, %d calls worked", tries, w.count, worked)
}

// call makes one hostile call, and returns the mark in the cursor that it got.
func (d dice) call(t testing.TB, a *bridgegithub.Adapter, op mapping.Operation, mark string, w *border) (string, error) {
	c := newCall(t, op.Key, "{}")
	for _, p := range op.Params {
		if p.Required || d.IntN(2) == 0 {
			value := d.value(p)
			if p.Name == "cursor" {
				value = d.cursor(mark)
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			c.Args = append(c.Args, mapping.Arg{Name: p.Name, Value: text})
		}
	}
	w.logs, w.doing = op.Key == "get_job_log", fmt.Sprintf("%s %s", op.Key, c.Args)
	r, err := a.Call(t.Context(), c)
	if err == nil && r.Next != nil {
		for _, arg := range r.Next.Args {
			var next struct{ Q string }
			raw, _ := base64.RawURLEncoding.DecodeString(strings.Trim(string(arg.Value), `"`))
			if arg.Name == "cursor" && json.Unmarshal(raw, &next) == nil {
				mark = next.Q
			}
		}
	}
	return mark, err
}

func (d dice) read(t testing.TB, a *bridgegithub.Adapter, res mapping.Resource, w *border) error {
	r := mapping.Read{Path: res.Path, Vars: map[string]string{}, Budget: 60_000, MaxBytes: 16 << 20, Log: func(string, string) {}}
	for _, name := range []string{"owner", "repo", "path", "ref", "number", "file", "tag", "job_id", "tail"} {
		if strings.Contains(res.Path, name) {
			r.Vars[name] = d.pick(d.text(), d.text(), "1", "octo", "hello", "main")
		}
	}
	if d.IntN(2) == 0 {
		r.Vars["owner"], r.Vars["repo"] = "octo", "hello"
	}
	w.logs, w.doing = strings.Contains(res.Path, "log"), fmt.Sprintf("read %s %q", res.Path, r.Vars)
	_, err := a.Read(t.Context(), r)
	return err
}

// FuzzNothingReachesOutside lets the fuzzer write the arguments.
func FuzzNothingReachesOutside(f *testing.F) {
	catalog, err := bridgegithub.New(reachable()).Catalog(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint64(1), uint(0), "octo", "hello", "main", "../../evil/secret")
	f.Add(uint64(2), uint(14), "octo", "hello", "repo:evil/secret OR x", "x")
	f.Fuzz(func(t *testing.T, seed uint64, n uint, owner, repo, one, two string) {
		d := dice{rand.New(rand.NewPCG(seed, 0))} //nolint:gosec // the same each time
		w := &border{answer: d.reply}
		o := reachable()
		o.Transport = w
		op := catalog.Operations[int(n%uint(len(catalog.Operations)))]
		w.logs = op.Key == "get_job_log"
		c := newCall(t, op.Key, "{}")
		for i, p := range op.Params {
			value := []string{one, two}[i%2]
			switch p.Name {
			case "owner":
				value = owner
			case "repo":
				value = repo
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			c.Args = append(c.Args, mapping.Arg{Name: p.Name, Value: text})
		}
		_, _ = bridgegithub.New(o).Call(t.Context(), c)
		if len(w.outside) > 0 {
			t.Errorf("%s: %s", op.Key, strings.Join(w.outside, "\n"))
		}
	})
}
