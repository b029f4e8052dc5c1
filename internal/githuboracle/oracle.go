package githuboracle

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// An Oracle knows what GitHub describes. Its methods may be called at once.
type Oracle struct {
	doc    *openapi3.T
	routes []route

	mu   sync.Mutex
	seen map[string]int
}

// A route is one operation. A greedy parameter takes several segments.
type route struct {
	method, path string
	segments     []string
	greedy       map[string]bool
	item         *openapi3.PathItem
	operation    *openapi3.Operation
}

var description = sync.OnceValues(read)

// read loads the description; nil where no corpus is named.
func read() (*openapi3.T, error) {
	root := os.Getenv("BRIDGE_CORPUS")
	if root == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(root, "openapi", "github-api", "api.github.com.json"))
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(data)
}

// Load returns an oracle, which is nil where BRIDGE_CORPUS is not set. A nil
// oracle allows everything.
func Load(t testing.TB) *Oracle {
	t.Helper()
	doc, err := description()
	if err != nil {
		t.Fatal(err)
	}
	if doc == nil {
		t.Log("BRIDGE_CORPUS is not set: nothing is held against GitHub's own description here")
		return nil
	}
	o := &Oracle{doc: doc, seen: map[string]int{}}
	for path, item := range doc.Paths.Map() {
		if strings.Contains(path, "}...{") {
			continue // compare/{base}...{head} is compare/{basehead} once more
		}
		for method, op := range item.Operations() {
			o.routes = append(o.routes, newRoute(method, path, item, op))
		}
	}
	slices.SortFunc(o.routes, func(a, b route) int {
		if d := a.slack() - b.slack(); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
	return o
}

func newRoute(method, path string, item *openapi3.PathItem, op *openapi3.Operation) route {
	r := route{method: method, path: path, segments: split(path), greedy: map[string]bool{}, item: item, operation: op}
	for _, p := range slices.Concat(item.Parameters, op.Parameters) {
		// The description says itself which parameters hold slashes.
		if many, _ := p.Value.Extensions["x-multi-segment"].(bool); many && p.Value.In == openapi3.ParameterInPath {
			r.greedy[p.Value.Name] = true
		}
	}
	return r
}

func split(path string) []string { return strings.Split(strings.TrimPrefix(path, "/"), "/") }

// slack orders routes: literal segments before parameters, greedy ones last.
func (r route) slack() int {
	n := 1000 * len(r.greedy)
	for _, s := range r.segments {
		if strings.HasPrefix(s, "{") {
			n += 10
		} else {
			n--
		}
	}
	return n
}

// find returns the route of a request and the values in its path, escapes still
// in place.
func (o *Oracle) find(method, path string) (route, map[string]string, bool) {
	for _, r := range o.routes {
		args := map[string]string{}
		if r.method == method && r.fits(r.segments, split(path), args) {
			return r, args, true
		}
	}
	return route{}, nil, false
}

func (r route) fits(want, path []string, args map[string]string) bool {
	if len(want) == 0 || len(path) == 0 {
		return len(want) == len(path)
	}
	name, isParam := strings.CutPrefix(strings.TrimSuffix(want[0], "}"), "{")
	if !isParam {
		return want[0] == path[0] && r.fits(want[1:], path[1:], args)
	}
	most := 1
	if r.greedy[name] {
		most = len(path)
	}
	for n := most; n > 0; n-- {
		if r.fits(want[1:], path[n:], args) {
			args[name] = strings.Join(path[:n], "/")
			return args[name] != ""
		}
	}
	return false
}

// Seen counts the exchanges of each operation so far: "GET /user" → 3.
func (o *Oracle) Seen() map[string]int {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	all := map[string]int{}
	for k, n := range o.seen {
		all[k] = n
	}
	return all
}

// Knows tells the operation that a request is, "" if GitHub describes none.
func (o *Oracle) Knows(method, path string) string {
	r, _, found := o.find(method, path)
	if !found {
		return ""
	}
	return r.method + " " + r.path
}

// Wrap puts the oracle before a GitHub that answers at the root or below
// /api/v3: what GitHub does not describe, in a request or an answer, is an error
// of the test.
func (o *Oracle) Wrap(t testing.TB, h http.Handler) http.Handler {
	if o == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, err := record(w, r, h)
		if err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
			return
		}
		for _, err := range o.Judge(r.Context(), e) {
			t.Errorf("%s %s → %d: %v", r.Method, r.URL, e.Status, err)
		}
	})
}

// errUnknown is a request that GitHub does not describe.
type errUnknown struct{ method, path string }

func (e errUnknown) Error() string {
	return fmt.Sprintf("GitHub describes no %s %s", e.method, e.path)
}
