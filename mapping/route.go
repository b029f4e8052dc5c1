package mapping

import (
	"cmp"
	"slices"
	"strings"
)

// A route is how a URI of one address is taken apart.
type route struct{ *template }

// A node is one place in the tree of a source's paths, segment by segment.
// Where several ways lead on, literals are tried first, then mixed segments,
// then variables, then what takes several segments: the catalog's order does
// not matter.
type node struct {
	literal map[string]*node
	mixed   []mixedEdge
	whole   *node
	rests   []restEdge
	here    *Address // the address whose path ends here
}

// A mixedEdge leads on where a canonical segment fits its parts.
type mixedEdge struct {
	parts []string
	to    *node
}

// A restEdge takes several segments and leaves some for what follows it.
type restEdge struct {
	kind   segmentKind
	suffix []segment
	here   *Address
}

// insert adds an address to the tree, or returns the one that would always
// answer for the same URIs.
func (n *node) insert(a *Address) (taken *Address) {
	for i, s := range a.route.segments {
		if s.kind == reserved || s.kind == exploded {
			return n.insertRest(restEdge{kind: s.kind, suffix: a.route.segments[i+1:], here: a})
		}
		n = n.follow(s)
	}
	if n.here != nil {
		return n.here
	}
	n.here = a
	return nil
}

// follow returns the node behind a segment that is not a rest, made if need be.
func (n *node) follow(s segment) *node {
	if s.kind == mixed {
		return n.followMixed(s)
	}
	if s.kind == whole {
		if n.whole == nil {
			n.whole = &node{}
		}
		return n.whole
	}
	if n.literal == nil {
		n.literal = map[string]*node{}
	}
	to := n.literal[s.parts[0]]
	if to == nil {
		to = &node{}
		n.literal[s.parts[0]] = to
	}
	return to
}

// followMixed keeps the edges sorted: the one that says more comes first.
func (n *node) followMixed(s segment) *node {
	at, found := slices.BinarySearchFunc(n.mixed, s.parts, func(e mixedEdge, parts []string) int {
		return cmp.Or(cmp.Compare(weight(parts), weight(e.parts)), slices.Compare(e.parts, parts))
	})
	if !found {
		n.mixed = slices.Insert(n.mixed, at, mixedEdge{parts: s.parts, to: &node{}})
	}
	return n.mixed[at].to
}

func weight(parts []string) (bytes int) {
	for _, part := range parts {
		bytes += len(part)
	}
	return bytes
}

// insertRest keeps the edges sorted: the one with more behind it comes first,
// then the one whose path sorts first.
func (n *node) insertRest(e restEdge) (taken *Address) {
	order := func(a, b restEdge) int {
		return cmp.Or(cmp.Compare(len(b.suffix), len(a.suffix)), cmp.Compare(a.here.Path, b.here.Path))
	}
	for _, other := range n.rests {
		if other.kind == e.kind && slices.EqualFunc(other.suffix, e.suffix, sameShape) {
			return other.here
		}
	}
	at, _ := slices.BinarySearchFunc(n.rests, e, order)
	n.rests = slices.Insert(n.rests, at, e)
	return nil
}

func sameShape(a, b segment) bool { return a.kind == b.kind && slices.Equal(a.parts, b.parts) }

// match finds the address of a path's segments, as a URI has them, and what its
// variables hold, still encoded and in the template's order.
func (n *node) match(texts []string) (*Address, []string) {
	if len(texts) == 0 {
		if n.here != nil {
			return n.here, nil
		}
		return n.matchRest(nil)
	}
	text, rest := texts[0], texts[1:]
	if n.literal != nil {
		if plain, ok := unescape(text); ok && n.literal[plain] != nil {
			if a, values := n.literal[plain].match(rest); a != nil {
				return a, values
			}
		}
	}
	for _, e := range n.mixed {
		if held, fits := matchMixed(e.parts, text); fits {
			if a, values := e.to.match(rest); a != nil {
				return a, append(held, values...)
			}
		}
	}
	if n.whole != nil && text != "" {
		if a, values := n.whole.match(rest); a != nil {
			return a, append([]string{text}, values...)
		}
	}
	return n.matchRest(texts)
}

func (n *node) matchRest(texts []string) (*Address, []string) {
	for _, e := range n.rests {
		taken := len(texts) - len(e.suffix)
		if taken < 0 || taken == 0 && e.kind == reserved {
			continue
		}
		value := strings.Join(texts[:taken], "/")
		if e.kind == reserved && value == "" {
			continue
		}
		if held, fits := matchSegments(e.suffix, texts[taken:]); fits {
			if taken == 0 {
				value = absent
			}
			return e.here, append([]string{value}, held...)
		}
	}
	return nil, nil
}

// absent stands for a {/x*} that took no segment; no part of a path holds it.
const absent = "#"

// matchSegments matches as many texts as there are segments.
func matchSegments(segments []segment, texts []string) (held []string, fits bool) {
	for i, s := range segments {
		switch s.kind {
		case literal:
			if plain, ok := unescape(texts[i]); !ok || plain != s.parts[0] {
				return nil, false
			}
		case mixed:
			values, fits := matchMixed(s.parts, texts[i])
			if !fits {
				return nil, false
			}
			held = append(held, values...)
		default:
			if texts[i] == "" {
				return nil, false
			}
			held = append(held, texts[i])
		}
	}
	return held, true
}

// matchMixed matches one segment with literals that have a variable between
// each two. A variable takes the least it can, and at least one character; the
// last literal stands at the end.
func matchMixed(parts []string, text string) (held []string, fits bool) {
	text, ok := canonical(text)
	if !ok {
		return nil, false
	}
	text, ok = strings.CutPrefix(text, parts[0])
	if !ok {
		return nil, false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		if len(text) < 2 {
			return nil, false
		}
		i := strings.Index(text[1:], part)
		if i < 0 {
			return nil, false
		}
		held = append(held, text[:i+1])
		text = text[i+1+len(part):]
	}
	value, ok := strings.CutSuffix(text, parts[last])
	if !ok || value == "" {
		return nil, false
	}
	return append(held, value), true
}
