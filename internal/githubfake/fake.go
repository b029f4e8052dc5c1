package githubfake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// A GitHub is one fake. It answers at the root of its server, as github.com's API
// does, and below /api/v3, as an Enterprise Server. Its methods may be called at
// once.
type GitHub struct {
	world  World
	dir    string
	routes []route
	// blobs is the server of logs: another host, whose addresses carry their own
	// signature.
	blobs *httptest.Server

	mu      sync.Mutex
	repos   []*repo
	people  map[string]int64
	repoIDs int64
	ids     int64
	spent   map[string]int // requests by token and resource
	log     []Request
	faults  []*Fault
	// kept are answers to reads since the last write.
	kept map[string]keptReply
}

// A keptReply is an answer in bytes, with the headers that depend on the request.
type keptReply struct {
	reply
	head http.Header
}

// mostKept bounds them.
const mostKept = 1000

// New makes a world in a folder that it may fill. Close ends its second server.
func New(dir string, w World) (*GitHub, error) {
	if w.Me == "" {
		w.Me = "octocat"
	}
	if w.Limit == 0 {
		w.Limit = 5000
	}
	// Numbers beyond 2^53 are what JSON parsers of many languages cannot hold.
	g := &GitHub{world: w, dir: dir, routes: routes(), people: map[string]int64{}, spent: map[string]int{}, ids: 1 << 53, kept: map[string]keptReply{}}
	g.person(w.Me)
	for _, seed := range w.Repositories {
		r, err := g.plant(seed)
		if err != nil {
			return nil, err
		}
		g.repos = append(g.repos, r)
	}
	g.blobs = httptest.NewServer(http.HandlerFunc(g.serveBlob))
	return g, nil
}

// Close ends the server of logs.
func (g *GitHub) Close() { g.blobs.Close() }

// maxBody is more than any request of the API may have.
const maxBody = 64 << 20

// ServeHTTP is the API.
func (g *GitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	g.note(r, body, false)
	if f := g.fault(r); f != nil {
		f.play(w, r, func(w http.ResponseWriter) { g.serve(w, r, body) })
		return
	}
	g.serve(w, r, body)
}

func (g *GitHub) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x := &exchange{hub: g, r: r, body: body, query: r.URL.Query(), head: http.Header{}}
	x.write(w, x.answer())
}

// An exchange is one request on its way to an answer.
type exchange struct {
	hub   *GitHub
	r     *http.Request
	query url.Values
	body  []byte
	head  http.Header
	api   string // the address below which the API answers
	args  map[string]string
	repo  *repo  // nil outside of a repository
	who   string // "" without a token
}

// answer goes through what GitHub checks before it looks at the question.
func (x *exchange) answer() reply {
	path := x.r.URL.EscapedPath()
	prefix := ""
	if strings.HasPrefix(path, "/api/v3/") {
		prefix, path = "/api/v3", strings.TrimPrefix(path, "/api/v3")
	}
	x.api = "http://" + x.r.Host + prefix
	if refused, ok := x.identify(); !ok {
		return refused
	}
	if refused, ok := x.count(path); !ok {
		return refused
	}
	if x.r.UserAgent() == "" {
		return fail(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.")
	}
	return x.remembered(func() reply { return x.route(path) })
}

// remembered answers a read as before, where nothing was written since.
func (x *exchange) remembered(answer func() reply) reply {
	if x.r.Method != http.MethodGet || len(x.hub.kept) > mostKept {
		x.hub.kept = map[string]keptReply{}
	}
	if x.r.Method != http.MethodGet || strings.HasSuffix(x.r.URL.Path, "/rate_limit") {
		return answer()
	}
	key := strings.Join([]string{x.who, x.r.Host, x.r.RequestURI, x.r.Header.Get("Accept")}, "\n")
	if k, found := x.hub.kept[key]; found {
		x.head = k.head.Clone()
		return k.reply
	}
	a := answer()
	if a.body != nil {
		data, err := json.Marshal(a.body)
		if err != nil {
			return a
		}
		a.body, a.raw, a.mime = nil, data, jsonType
	}
	x.hub.kept[key] = keptReply{a, x.head.Clone()}
	return a
}

// route finds the operation and its repository.
func (x *exchange) route(path string) reply {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	named, moved, ok := x.locate(segments)
	if !ok {
		return moved
	}
	for _, rt := range x.hub.routes {
		if args, ok := rt.match(x.r.Method, named); ok {
			x.args = args
			x.head.Set("X-Accepted-GitHub-Permissions", rt.permission)
			return x.perform(rt)
		}
	}
	return notFound()
}

func (x *exchange) perform(rt route) reply {
	if x.repo == nil {
		return rt.serve(x)
	}
	if x.repo.Archived && x.r.Method != http.MethodGet {
		return fail(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	if x.who == "" && x.r.Method != http.MethodGet {
		return fail(http.StatusUnauthorized, "Requires authentication")
	}
	return rt.serve(x)
}

// identify tells whose request it is by its token.
func (x *exchange) identify() (reply, bool) {
	auth := x.r.Header.Get("Authorization")
	if auth == "" {
		return reply{}, true
	}
	scheme, token, _ := strings.Cut(auth, " ")
	if !slices.Contains([]string{"bearer", "token"}, strings.ToLower(scheme)) || token != x.hub.world.Token {
		return fail(http.StatusUnauthorized, "Bad credentials"), false
	}
	x.who = x.hub.world.Me
	return reply{}, true
}

// locate finds the repository that a path names, by name or by number, and gives
// back the path with its name. A name that it no longer has is redirected.
func (x *exchange) locate(segments []string) ([]string, reply, bool) {
	switch {
	case segments[0] == "repos" && len(segments) >= 3:
		full := unescape(segments[1]) + "/" + unescape(segments[2])
		x.repo = x.hub.find(full)
		if x.repo == nil {
			if r := x.hub.former(full); r != nil && x.sees(r) {
				return nil, x.moved(r, segments[3:]), false
			}
			return nil, notFound(), false
		}
	case segments[0] == "repositories" && len(segments) >= 2:
		for _, r := range x.hub.repos {
			if fmt.Sprint(r.id) == segments[1] {
				x.repo = r
			}
		}
		if x.repo == nil {
			return nil, notFound(), false
		}
		segments = append([]string{"repos", x.repo.Owner, x.repo.Name}, segments[2:]...)
	default:
		return segments, reply{}, true
	}
	if !x.sees(x.repo) {
		return nil, notFound(), false
	}
	return segments, reply{}, true
}

func (x *exchange) sees(r *repo) bool { return x.who != "" || !r.Private }

// moved is GitHub's answer below a former name: reads go on, writes keep their
// method.
func (x *exchange) moved(r *repo, rest []string) reply {
	to := strings.Join(append([]string{x.api, "repositories", fmt.Sprint(r.id)}, rest...), "/")
	if x.r.URL.RawQuery != "" {
		to += "?" + x.r.URL.RawQuery
	}
	status, message := http.StatusMovedPermanently, "Moved Permanently"
	if x.r.Method != http.MethodGet {
		status, message = http.StatusTemporaryRedirect, "Temporary Redirect"
	}
	x.head.Set("Location", to)
	return reply{status: status, body: object{"message": message, "url": to, "documentation_url": docs}}
}

// find looks a repository up by its name, in which case does not count.
func (g *GitHub) find(full string) *repo {
	for _, r := range g.repos {
		if strings.EqualFold(r.fullName(), full) {
			return r
		}
	}
	return nil
}

func (g *GitHub) former(full string) *repo {
	for _, r := range g.repos {
		for _, old := range r.Former {
			if strings.EqualFold(old, full) {
				return r
			}
		}
	}
	return nil
}

// id is a number that nothing else has.
func (g *GitHub) id() int64 { g.ids++; return g.ids }

// login says who did something: whose token it is, unless somebody is named.
func (g *GitHub) login(by string) string {
	if by == "" {
		return g.world.Me
	}
	return by
}

// trimmed is a body without its white space.
func trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }
