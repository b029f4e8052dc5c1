package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// maxHops bounds a chain of references that lead from one to the next.
const maxHops = 100

var errCircle = errors.New("the reference leads in a circle")

// A place is one value of a document: in which file, where in it, and its JSON.
type place struct {
	file *docFile
	at   string // JSON pointer, "" is the whole file
	raw  node   // nil where there is nothing
	// scope is the pointer of the closest schema around with an $id, "" if none:
	// fragments below it are looked up there first (JSON Schema 2020-12 §8.2.1).
	scope string
	// made says that raw was made of what stands at at, so that nothing below it
	// has a pointer of its own.
	made bool
}

// A docFile is one file of a document.
type docFile struct {
	name string // what references call it, from the document's own folder; "" is the document itself
	root node
	// members are the values of large objects by pointer and key, so that a
	// reference costs no walk through thousands of siblings.
	members map[string]map[string]node
	anchors map[string]string // $anchor and $dynamicAnchor to pointers
	ids     map[string]place  // $id to the schema
}

// member returns the value below a key of an object.
func (p place) member(key string) place {
	if p.raw != nil && !p.made {
		if members := p.file.members[p.at]; members != nil {
			return p.child(key, members[key])
		}
	}
	return p.child(key, p.raw.get(key))
}

// child is a value below p that is known already.
func (p place) child(key string, raw node) place {
	p.raw = raw
	if !p.made {
		p.at += "/" + escapeToken(key)
	}
	return p
}

// item is an element below p that is known already.
func (p place) item(i int, raw node) place {
	return p.child(strconv.Itoa(i), raw)
}

// with is the same place with another value: what was made of it.
func (p place) with(raw []byte) place {
	p.raw, p.made = raw, true
	return p
}

// where says the place to an operator.
func (p place) where() string {
	if p.file == nil || p.file.name == "" {
		return p.at
	}
	return p.file.name + "#" + p.at
}

// ref returns the reference that stands at p, "" if none does.
func (p place) ref() string {
	if !p.raw.isObject() {
		return ""
	}
	return p.raw.get("$ref").str()
}

// follow returns what a place says, references followed one after the other.
func (d *document) follow(p place) (place, error) {
	for range maxHops {
		ref := p.ref()
		if ref == "" {
			return p, nil
		}
		next, err := d.resolve(p, ref)
		if err != nil {
			return place{}, err
		}
		p = next
	}
	return place{}, errCircle
}

// resolve returns the place that a reference written at from leads to.
func (d *document) resolve(from place, ref string) (place, error) {
	target, fragment, _ := strings.Cut(ref, "#")
	for _, base := range d.bases(from, target) {
		if found, ok := base.file.fragment(base, fragment); ok {
			return found, nil
		}
	}
	if found, ok := d.within(from, fragment); ok && target == "" {
		return found, nil
	}
	if reason := d.unread[d.absolute(from, target)]; reason != "" {
		return place{}, fmt.Errorf("the reference %q %s", ref, reason)
	}
	return place{}, fmt.Errorf("the reference %q leads nowhere", ref)
}

// bases returns the places that the fragment of a reference may be below, the
// likeliest first.
func (d *document) bases(from place, target string) []place {
	if target != "" {
		if p, ok := from.file.ids[target]; ok {
			return []place{p}
		}
		if f := d.files[d.absolute(from, target)]; f != nil {
			return []place{f.whole()}
		}
		return nil
	}
	if from.scope != "" {
		if scope, ok := from.file.lookup(from.scope); ok {
			return []place{scope, from.file.whole()}
		}
	}
	return []place{from.file.whole()}
}

// within looks for a fragment below what is around the reference, the outermost
// first. Tools that write schemas apart from documents leave such references, as
// "#/properties/tree" and "#/definitions/X", in what they put together.
func (d *document) within(from place, fragment string) (place, bool) {
	if !strings.HasPrefix(fragment, "/") {
		return place{}, false
	}
	for i, c := range from.at {
		if i == 0 || c != '/' {
			continue
		}
		if around, ok := from.file.lookup(from.at[:i]); ok {
			if found, ok := from.file.fragment(around, fragment); ok {
				return found, true
			}
		}
	}
	return place{}, false
}

// whole is the file itself as a place.
func (f *docFile) whole() place { return place{file: f, raw: f.root} }

// fragment returns the place below base that a fragment names: a JSON pointer, or
// an anchor.
func (f *docFile) fragment(base place, fragment string) (place, bool) {
	if plain, err := url.PathUnescape(fragment); err == nil && plain != fragment {
		if found, ok := f.below(base, plain); ok {
			return found, true
		}
	}
	return f.below(base, fragment)
}

// lookup returns the value that a JSON pointer leads to.
func (f *docFile) lookup(pointer string) (place, bool) { return f.below(f.whole(), pointer) }

func (f *docFile) below(base place, fragment string) (place, bool) {
	if fragment == "" {
		return base, true
	}
	if !strings.HasPrefix(fragment, "/") {
		at, ok := f.anchors[fragment]
		if !ok {
			return place{}, false
		}
		return f.lookup(at)
	}
	p := base
	for token := range strings.SplitSeq(fragment[1:], "/") {
		if p.file.ids != nil {
			p = p.scoped()
		}
		if p.raw.isArray() {
			p = p.element(token)
		} else {
			p = p.member(unescapeToken(token))
		}
		if p.raw == nil {
			return place{}, false
		}
	}
	return p, true
}

// scoped makes a schema with an $id the scope of what is below it.
func (p place) scoped() place {
	if p.at != "" && p.file.members[p.at] == nil && p.raw.get("$id").isString() {
		p.scope = p.at
	}
	return p
}

// element returns the element of an array that a token of a pointer names.
func (p place) element(token string) place {
	for i, raw := range p.raw.items() {
		if strconv.Itoa(i) == token {
			return p.item(i, raw)
		}
	}
	return place{file: p.file}
}
