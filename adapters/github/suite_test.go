package github_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/internal/githuboracle"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A hub is an adapter, and the fake GitHub that it reaches behind GitHub's own
// description.
type hub struct {
	t                  testing.TB
	*githubfake.GitHub // nil where a test makes up the answers
	*bridgegithub.Adapter
	server *httptest.Server
}

// newHub opens an adapter that may do everything in these repositories; in octo/*
// if there are none.
func newHub(t testing.TB, w githubfake.World, repositories ...string) *hub {
	t.Helper()
	return hubBehind(t, w, githuboracle.Load(t), repositories)
}

// bareHub has no oracle, for a GitHub that breaks its own rules.
func bareHub(t testing.TB, w githubfake.World) *hub {
	t.Helper()
	return hubBehind(t, w, nil, nil)
}

func hubBehind(t testing.TB, w githubfake.World, oracle *githuboracle.Oracle, repositories []string) *hub {
	t.Helper()
	w.Token = token
	h := &hub{t: t, GitHub: githubfake.Open(t, w)}
	h.server = httptest.NewServer(oracle.Wrap(t, h.GitHub))
	t.Cleanup(h.server.Close)
	o := everything(h.server.URL)
	if repositories != nil {
		o.Repositories = repositories
	}
	h.Adapter = opened(t, o)
	return h
}

func opened(t testing.TB, o bridgegithub.Options) *bridgegithub.Adapter {
	t.Helper()
	a := bridgegithub.New(o)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

func everything(address string) bridgegithub.Options {
	return bridgegithub.Options{Repositories: []string{"octo/*"}, Token: token, BaseURL: address, Toolsets: []string{"all"}}
}

// call runs an operation with arguments in JSON.
func (h *hub) call(key, args string) (*mapping.Result, error) {
	h.t.Helper()
	return h.callWith(mapping.Call{Key: key}, args)
}

func (h *hub) callWith(c mapping.Call, args string) (*mapping.Result, error) {
	h.t.Helper()
	return h.callIn(h.t.Context(), c, args)
}

// callIn adds what a call lacks to c.
func (h *hub) callIn(ctx context.Context, c mapping.Call, args string) (*mapping.Result, error) {
	h.t.Helper()
	whole := newCall(h.t, c.Key, args)
	c.Args, c.Budget, c.MaxBytes, c.Log = append(c.Args, whole.Args...), cmp.Or(c.Budget, whole.Budget), whole.MaxBytes, whole.Log
	if c.Progress == nil {
		c.Progress = whole.Progress
	}
	return h.Adapter.Call(ctx, c)
}

func newCall(t testing.TB, key, args string) mapping.Call {
	t.Helper()
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(args), &all); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return mapping.Call{
		Key: key, Args: listed(all), Budget: 60_000, MaxBytes: 16 << 20,
		Progress: func(float64, float64, string) {}, Log: func(string, string) {},
	}
}

func listed(args map[string]json.RawMessage) []mapping.Arg {
	var list []mapping.Arg
	for _, name := range slices.Sorted(maps.Keys(args)) {
		list = append(list, mapping.Arg{Name: name, Value: args[name]})
	}
	return list
}

// hello adds the repository octo/hello to arguments.
func hello(args string) string {
	args = strings.TrimPrefix(args, "{")
	if strings.TrimSpace(args) != "}" {
		args = ", " + args
	}
	return `{"owner": "octo", "repo": "hello"` + args
}

// must is a call that works.
func (h *hub) must(key, args string) *mapping.Result {
	h.t.Helper()
	r, err := h.call(key, args)
	if err != nil {
		h.t.Fatalf("%s %s: %v", key, args, err)
	}
	return r
}

// get decodes the answer of a call that works.
func (h *hub) get(key, args string) map[string]any {
	h.t.Helper()
	var v map[string]any
	h.into(&v, key, args)
	return v
}

func (h *hub) into(v any, key, args string) {
	h.t.Helper()
	if err := json.Unmarshal(h.must(key, args).JSON, v); err != nil {
		h.t.Fatal(err)
	}
}

// read reads a resource by its URI, as mapping resolves it.
func (h *hub) read(path string) (*mapping.Result, error) {
	h.t.Helper()
	s := h.surface()
	target, err := s.Resolve("github://gh/" + path)
	if err != nil {
		return nil, err
	}
	if target.Call != nil {
		c := newCall(h.t, target.Call.Key, "{}")
		c.Args, c.Body = target.Call.Args, target.Call.Body
		return h.Adapter.Call(h.t.Context(), c)
	}
	r := *target.Read
	r.Budget, r.MaxBytes, r.Log = 60_000, 16<<20, func(string, string) {}
	return h.Adapter.Read(h.t.Context(), r)
}

func (h *hub) surface() *mapping.Surface {
	h.t.Helper()
	c, err := h.Adapter.Catalog(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return mapping.Build(map[string]*mapping.Catalog{"gh": c}, mapping.Rules{})
}

// field follows keys and indices into the JSON of an answer. Numbers keep their
// digits.
func field(t testing.TB, r *mapping.Result, keys ...any) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(r.JSON)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, r.JSON)
	}
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			o, _ := v.(map[string]any)
			v = o[k]
		case int:
			list, _ := v.([]any)
			if k >= len(list) {
				t.Fatalf("no item %d in %.500s", k, r.JSON)
			}
			v = list[k]
		}
	}
	return v
}

// text is a field that is a string.
func text(t testing.TB, r *mapping.Result, keys ...any) string {
	t.Helper()
	s, isText := field(t, r, keys...).(string)
	if !isText {
		t.Fatalf("%v is no text in %.500s", keys, r.JSON)
	}
	return s
}

// number is a field that is a number, digit for digit.
func number(t testing.TB, r *mapping.Result, keys ...any) string {
	t.Helper()
	n, isNumber := field(t, r, keys...).(json.Number)
	if !isNumber {
		t.Fatalf("%v is no number in %.500s", keys, r.JSON)
	}
	return n.String()
}

// content is everything that a result carries.
func content(r *mapping.Result) string {
	parts := []string{string(r.JSON), r.Note}
	for _, b := range r.Blocks {
		parts = append(parts, b.Text, string(b.Data), b.URI)
	}
	return strings.Join(parts, "\n")
}

// refused wants a failure of a kind, in words that hold each of these.
func refused(t testing.TB, what string, err error, code mapping.Code, words ...string) {
	t.Helper()
	if mapping.CodeOf(err) != code || err == nil {
		t.Errorf("%s: %v (%v), want %v", what, err, mapping.CodeOf(err), code)
		return
	}
	said := err.Error()
	if e := (*mapping.Error)(nil); errors.As(err, &e) {
		said = strings.Join([]string{e.Problem, e.Allowed, e.Next, e.Detail}, ". ")
	}
	for _, w := range words {
		if !strings.Contains(strings.ToLower(said), strings.ToLower(w)) {
			t.Errorf("%s: %q does not say %q", what, said, w)
		}
	}
}
