package githubfake

import (
	"path"
	"slices"
	"strings"
)

func searchRoutes() []route {
	return []route{
		read("/search/repositories", "metadata=read", searchRepos),
		read("/search/issues", "issues=read", searchIssues),
		read("/search/code", "contents=read", searchCode),
		read("/search/commits", "contents=read", searchCommits),
	}
}

// A query is a search: words, and qualifiers in the order in which they came.
type query struct {
	group      bool // the qualifiers stand in parentheses, joined by OR
	words      []string
	qualifiers [][2]string
}

// parse reads a search as GitHub does: quotes keep words together.
func parse(q string) query {
	var out query
	if inside, rest, found := strings.Cut(q, ")"); found && strings.HasPrefix(inside, "(") && strings.Contains(inside, " OR ") {
		out.group = true
		q = strings.ReplaceAll(inside[1:], " OR ", " ") + rest
	}
	for _, part := range tokens(q) {
		key, value, is := strings.Cut(part, ":")
		if is && key != "" && !strings.ContainsAny(key, `" `) {
			out.qualifiers = append(out.qualifiers, [2]string{strings.ToLower(key), strings.Trim(value, `"`)})
		} else {
			out.words = append(out.words, strings.ToLower(strings.Trim(part, `"`)))
		}
	}
	return out
}

// tokens splits at spaces outside of quotes.
func tokens(q string) []string {
	quoted := false
	return strings.FieldsFunc(q, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

func (q query) all(key string) []string {
	var values []string
	for _, p := range q.qualifiers {
		if p[0] == key {
			values = append(values, p[1])
		}
	}
	return values
}

// find tells whether a text holds all words.
func (q query) find(text string) bool {
	text = strings.ToLower(text)
	for _, w := range q.words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// inside tells whether a search reaches a repository.
func (q query) inside(r *repo) bool {
	repos, owners := q.all("repo"), slices.Concat(q.all("org"), q.all("user"))
	if slices.Contains(q.all("-repo"), r.fullName()) {
		return false
	}
	if len(repos) == 0 && len(owners) == 0 {
		return true
	}
	is := func(want string) func(string) bool {
		return func(s string) bool { return strings.EqualFold(s, want) }
	}
	return slices.ContainsFunc(repos, is(r.fullName())) || slices.ContainsFunc(owners, is(r.Owner))
}

// searched reads q and lists the repositories it reaches.
func (x *exchange) searched() (query, []*repo, reply, bool) {
	if strings.TrimSpace(x.get("q")) == "" {
		return query{}, nil, invalid("Search", "q", "missing", ""), false
	}
	q := parse(x.get("q"))
	var reached []*repo
	for _, r := range x.hub.repos {
		if x.sees(r) && q.inside(r) {
			reached = append(reached, r)
		}
	}
	for _, name := range q.all("repo") {
		if r := x.hub.find(name); r == nil || !x.sees(r) {
			return q, nil, invalid("Search", "q", "invalid", "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them."), false
		}
	}
	return q, reached, reply{}, true
}

// mostFound is how many results a search shows at all.
const mostFound = 1000

func (x *exchange) found(all []any) reply {
	if x.number("page", 1)*x.number("per_page", 30) > mostFound {
		return fail(422, "Only the first 1000 search results are available")
	}
	return ok(object{"total_count": len(all), "incomplete_results": false, "items": page(x, all[:min(len(all), mostFound)])})
}

func searchRepos(x *exchange) reply {
	q, reached, refused, fine := x.searched()
	if !fine {
		return refused
	}
	list := []any{}
	for _, r := range reached {
		if q.find(r.fullName() + " " + r.Description) {
			o := x.repository(r)
			o["score"] = 1
			list = append(list, o)
		}
	}
	return x.found(list)
}

func searchIssues(x *exchange) reply {
	q, reached, refused, fine := x.searched()
	if !fine {
		return refused
	}
	if x.get("advanced_search") == "true" && !q.group && len(q.all("repo"))+len(q.all("org"))+len(q.all("user")) > 1 {
		reached = nil // a space is AND there, and no issue is in two places
	}
	kinds := slices.Concat(q.all("is"), q.all("type"))
	issues, pulls := slices.Contains(kinds, "issue"), slices.Contains(kinds, "pr") || slices.Contains(kinds, "pull-request")
	if !issues && !pulls {
		return invalid("Search", "q", "invalid", "Query must include 'is:issue' or 'is:pull-request'")
	}
	list := []any{}
	for _, r := range reached {
		for _, i := range r.issues {
			if (i.pull != nil && !pulls) || (i.pull == nil && !issues) || !q.find(i.Title+" "+i.Body) || !q.fits(x, i) {
				continue
			}
			o := x.issueFields(r, i)
			o["score"] = 1
			list = append(list, o)
		}
	}
	a := x.found(list)
	if found, fine := a.body.(object); fine && a.status == 0 {
		found["search_type"] = "lexical"
	}
	return a
}

// fits holds an issue against the qualifiers that are not about its repository.
func (q query) fits(x *exchange, i *issue) bool {
	for _, s := range slices.Concat(q.all("state"), q.all("is")) {
		if (s == "open" || s == "closed") && i.state() != s {
			return false
		}
		if s == "merged" && (i.pull == nil || i.pull.merged == nil) {
			return false
		}
	}
	for _, l := range q.all("label") {
		if !slices.Contains(i.Labels, l) {
			return false
		}
	}
	for _, who := range q.all("author") {
		if x.hub.login(i.By) != who {
			return false
		}
	}
	return true
}

func searchCode(x *exchange) reply {
	q, reached, refused, fine := x.searched()
	if !fine {
		return refused
	}
	if x.who == "" {
		return fail(401, "Requires authentication")
	}
	if len(q.words) == 0 {
		return invalid("Search", "q", "missing", "Query must include at least one search term.")
	}
	list := []any{}
	for _, r := range reached {
		tip, any := r.git.resolve(r.Default)
		if !any {
			continue
		}
		for _, e := range r.git.tree(r.git.treeOf(tip), true) {
			if e.kind == "blob" && q.matches(r, e) {
				list = append(list, x.codeItem(r, e, tip, q))
			}
		}
	}
	return x.found(list)
}

// matches searches one file, as GitHub does only below 384 kB.
func (q query) matches(r *repo, e entry) bool {
	for _, ext := range q.all("extension") {
		if strings.TrimPrefix(path.Ext(e.path), ".") != ext {
			return false
		}
	}
	for _, p := range q.all("path") {
		if !strings.HasPrefix(e.path, p) {
			return false
		}
	}
	for _, name := range q.all("filename") {
		if path.Base(e.path) != name {
			return false
		}
	}
	data, _ := r.git.blob(e.sha)
	return len(data) < 384<<10 && q.find(string(data))
}

func (x *exchange) codeItem(r *repo, e entry, tip string, q query) object {
	o := object{
		"name": path.Base(e.path), "path": e.path, "sha": e.sha, "url": x.at(r) + "/contents/" + escape(e.path) + "?ref=" + tip,
		"git_url": x.at(r) + "/git/blobs/" + e.sha, "html_url": r.site() + "/blob/" + tip + "/" + escape(e.path), "repository": x.minimal(r), "score": 1,
	}
	if !x.wants("text-match") {
		return o
	}
	data, _ := r.git.blob(e.sha)
	for line := range strings.Lines(string(data)) {
		// The same case throughout: lowering a letter may change its length.
		lower := strings.ToLower(line)
		if at := strings.Index(lower, q.words[0]); at >= 0 {
			o["text_matches"] = []object{{
				"object_url": o["url"], "object_type": "FileContent", "property": "content", "fragment": lower,
				"matches": []object{{"text": q.words[0], "indices": []int{at, at + len(q.words[0])}}},
			}}
			break
		}
	}
	return o
}

func searchCommits(x *exchange) reply {
	q, reached, refused, fine := x.searched()
	if !fine {
		return refused
	}
	list := []any{}
	for _, r := range reached {
		tip, any := r.git.resolve(r.Default)
		if !any {
			continue
		}
		for _, c := range r.git.commits(tip, "") {
			if q.find(c.message) {
				o := x.commit(r, c)
				o["repository"], o["score"], o["committer"] = x.minimal(r), 1, c.committer.fields()
				list = append(list, o)
			}
		}
	}
	return x.found(list)
}
