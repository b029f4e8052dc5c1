package mapping

import (
	"slices"
	"strings"
)

// A role is what an operation does to which thing.
type role struct {
	// verb is one of list, get, search, create, replace, update, delete, or "".
	verb string
	// noun is the thing in the singular, in words: "pull request".
	noun string
	// place is what neighbours share: a path with its own item's parameter cut off,
	// or else the noun.
	place string
}

// roleOf works out what the catalog does not say from a key such as
// "GET /pets/{id}", else from the name.
func roleOf(op *Operation, p phrase) role {
	r := role{verb: op.Verb, noun: op.Noun}
	method, path, found := strings.Cut(op.Key, " ")
	if found && strings.HasPrefix(path, "/") && strings.ToUpper(method) == method {
		r.fromPath(method, path, p)
	} else {
		r.fromName(snake(op.Name))
	}
	if r.place == "" {
		r.place = r.noun
	}
	return r
}

// fromPath reads the role off an HTTP method and path.
func (r *role) fromPath(method, path string, p phrase) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	item := isVariable(segments[len(segments)-1])
	if item {
		segments = segments[:len(segments)-1]
	}
	last := ""
	if len(segments) > 0 {
		last = strings.ReplaceAll(snake(segments[len(segments)-1]), "_", " ")
	}
	first, _, _ := strings.Cut(last, " ")
	if searches(first) && !item && len(segments) > 1 {
		r.verb, segments = "search", segments[:len(segments)-1]
		last = strings.ReplaceAll(snake(segments[len(segments)-1]), "_", " ")
	}
	if r.noun == "" {
		r.noun = singular(last)
	}
	if r.verb == "" {
		r.verb = verbOfMethod(method, item, last, p)
	}
	for i, segment := range segments {
		if isVariable(segment) {
			segments[i] = "{}"
		}
	}
	r.place = "/" + strings.Join(segments, "/")
}

func isVariable(segment string) bool { return strings.HasSuffix(segment, "}") }

func verbOfMethod(method string, item bool, last string, p phrase) string {
	said := ""
	if p.verbs != nil {
		said = p.verbs[0]
	}
	switch method {
	case "GET", "QUERY":
		switch {
		case item:
			return "get"
		case searches(said):
			return "search"
		case said == "list" || singular(last) != last:
			return "list"
		}
		return "get"
	case "POST":
		if !item && (creates(said) || said == "" && singular(last) != last) {
			return "create"
		}
	case "PUT":
		return "replace"
	case "PATCH":
		return "update"
	case "DELETE":
		return "delete"
	}
	return ""
}

func searches(word string) bool {
	return word == "search" || word == "find" || word == "query" || word == "lookup"
}

func creates(word string) bool {
	switch word {
	case "create", "add", "insert", "register", "make", "place", "post", "open", "submit", "book", "order", "issue", "new":
		return true
	}
	return false
}

// fromName reads the role off a name that begins with a verb: list_orders.
func (r *role) fromName(name string) {
	verb, noun, _ := strings.Cut(name, "_")
	if noun, _, _ = strings.Cut(noun, "_by_"); r.noun == "" {
		r.noun = singular(strings.ReplaceAll(noun, "_", " "))
	}
	if r.verb != "" {
		return
	}
	switch {
	case verb == "list" || verb == "get" || verb == "update" || verb == "replace":
		r.verb = verb
	case verb == "delete" || verb == "remove" || verb == "destroy":
		r.verb = "delete"
	case searches(verb):
		r.verb = "search"
	case creates(verb):
		r.verb = "create"
	}
}

// nearest are the roles that a role is taken for by mistake, the likeliest
// first.
func nearest(verb string) []string {
	switch verb {
	case "list":
		return []string{"get", "search"}
	case "get":
		return []string{"list", "search"}
	case "search":
		return []string{"get", "list"}
	case "create":
		return []string{"update", "replace"}
	case "update":
		return []string{"replace", "create"}
	case "replace":
		return []string{"update", "create"}
	case "delete":
		return []string{"update", "replace"}
	}
	return nil
}

// A neighbourhood finds, for each tool of one source, the one that it is
// likeliest to be taken for.
type neighbourhood struct {
	// byPlace has what does something else to the same thing.
	byPlace map[neighbour]*draft
	// byNoun has what does the same to things of the same kind, by name.
	byNoun map[neighbour][]*draft
}

// A neighbour is a verb at a place or with a noun.
type neighbour struct{ thing, verb string }

func newNeighbourhood(drafts []draft) *neighbourhood {
	n := &neighbourhood{byPlace: map[neighbour]*draft{}, byNoun: map[neighbour][]*draft{}}
	for i := range drafts {
		d := &drafts[i]
		if d.tool.Hidden || d.role.verb == "" || d.role.noun == "" {
			continue
		}
		// Of two the one whose key sorts first, so that the catalog's order does not
		// matter.
		at := neighbour{d.role.place, d.role.verb}
		if other := n.byPlace[at]; other == nil || d.tool.Key < other.tool.Key {
			n.byPlace[at] = d
		}
		kind := neighbour{d.role.noun, d.role.verb}
		n.byNoun[kind] = append(n.byNoun[kind], d)
	}
	for _, kind := range n.byNoun {
		slices.SortFunc(kind, func(a, b *draft) int { return strings.Compare(a.tool.Name, b.tool.Name) })
	}
	return n
}

// of returns the tool's nearest neighbour, nil if it has none whose purpose can
// be told from its own.
func (n *neighbourhood) of(d *draft) *draft {
	for _, verb := range nearest(d.role.verb) {
		other := n.byPlace[neighbour{d.role.place, verb}]
		if other != nil && d.differs(other) {
			return other
		}
	}
	return n.sibling(d)
}

// sibling returns the tool with the most similar name among those that do the
// same to things of the same kind.
func (n *neighbourhood) sibling(d *draft) *draft {
	kind := n.byNoun[neighbour{d.role.noun, d.role.verb}]
	at, found := slices.BinarySearchFunc(kind, d.tool.Name, func(o *draft, name string) int { return strings.Compare(o.tool.Name, name) })
	if !found {
		return nil
	}
	var best *draft
	for _, i := range []int{at - 1, at + 1} {
		if i < 0 || i >= len(kind) || !kind[i].saysHow() || !d.differs(kind[i]) {
			continue
		}
		if best == nil || common(kind[i].tool.Name, d.tool.Name) > common(best.tool.Name, d.tool.Name) {
			best = kind[i]
		}
	}
	return best
}

// differs reports whether what the other is for can be set against what this
// one is for: it is not the same, nor the same with fewer words.
func (d *draft) differs(other *draft) bool {
	return d != other && !strings.Contains(strings.ToLower(d.phrase.gerund()), strings.ToLower(other.deed()))
}

// common counts the bytes that two names begin with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
