package githubfake

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A route is one operation. A parameter that ends in "..." takes any number of
// segments.
type route struct {
	method     string
	path       []string
	permission string // what a fine-grained token needs: "contents=read"
	serve      func(*exchange) reply
}

// routes lists all operations, a family to each file. Those that take any number
// of segments come last, for they would take what others name.
func routes() []route {
	all := slices.Concat(userRoutes(), repoRoutes(), contentRoutes(), gitRoutes(), commitRoutes(), issueRoutes(), labelRoutes(),
		pullRoutes(), reviewRoutes(), checkRoutes(), actionRoutes(), releaseRoutes(), searchRoutes())
	slices.SortStableFunc(all, func(a, b route) int { return a.greed() - b.greed() })
	return all
}

func read(path, permission string, serve func(*exchange) reply) route {
	return operation(http.MethodGet, path, permission, serve)
}

func operation(method, path, permission string, serve func(*exchange) reply) route {
	return route{method: method, path: strings.Split(strings.TrimPrefix(path, "/"), "/"), permission: permission, serve: serve}
}

// greed orders routes: fewer literal segments and parameters without an end
// come later.
func (r route) greed() int {
	n := 0
	for _, s := range r.path {
		if strings.HasSuffix(s, "...}") {
			n += 100
		} else if strings.HasPrefix(s, "{") {
			n++
		} else {
			n--
		}
	}
	return n
}

// match fits a path, split before its escapes were read, so an escaped slash
// stays inside its segment.
func (r route) match(method string, path []string) (map[string]string, bool) {
	if method != r.method {
		return nil, false
	}
	args := map[string]string{}
	return args, fit(r.path, path, args)
}

func fit(want, path []string, args map[string]string) bool {
	if len(want) == 0 {
		return len(path) == 0
	}
	if len(path) == 0 {
		return false
	}
	name, isParam := strings.CutPrefix(want[0], "{")
	name = strings.TrimSuffix(name, "}")
	if !isParam {
		return want[0] == path[0] && fit(want[1:], path[1:], args)
	}
	name, greedy := strings.CutSuffix(name, "...")
	most := 1
	if greedy {
		most = len(path)
	}
	for n := most; n > 0; n-- {
		if fit(want[1:], path[n:], args) {
			args[name] = unescape(strings.Join(path[:n], "/"))
			return args[name] != ""
		}
	}
	return false
}

func unescape(s string) string {
	plain, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return plain
}
