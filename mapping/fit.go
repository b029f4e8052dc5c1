package mapping

import (
	"fmt"
	"slices"
)

// maxInput bounds one tool's input schema, in bytes.
const maxInput = 24_000

// A fit says how far a schema is reduced beyond the types that are cut. The zero
// fit reduces nothing.
type fit struct {
	depth  int // of objects that are described
	words  int // characters of a description
	values int // of an enum; one with more is left out
}

// fits are what is tried in turn: words go before fields.
func fits() []fit {
	return []fit{
		{},
		{words: 100, values: 200},
		{words: 60, values: 50},
		{words: 60, values: 20, depth: 6},
		{words: 60, values: 20, depth: 3},
		{words: 60, values: 20, depth: 2},
		{words: 60, values: 20, depth: 1},
		{words: 25, values: 20, depth: 1},
	}
}

func (f fit) cutsAt(depth int) bool { return f.depth > 0 && depth > f.depth }

func (f fit) shorten(text string) string {
	if f.words == 0 {
		return text
	}
	return cutWords(text, f.words)
}

// drops says whether a keyword is left out.
func (f fit) drops(m member) bool {
	list, ok := m.value.([]any)
	return f.values > 0 && m.key == "enum" && ok && len(list) > f.values
}

func (l *layout) fits() fit {
	if l == nil {
		return fit{}
	}
	return l.fit
}

// A published schema, and what it took to write it.
type published struct {
	schema []byte           // good until the next one of the same library
	back   map[string]names // the renamed keys, by JSON pointer
	made   []Decision
}

// publishSchema writes a root schema with all it needs, in at most so many bytes.
func publishSchema(lib *library, root *object, budget int) published {
	for _, f := range fits() {
		if p, ok := tryFit(lib, root, budget, f); ok {
			return p
		}
	}
	return publishFewer(lib, root, budget)
}

// tryFit writes the schema as far as the fit reduces it, and says whether that is
// small enough.
func tryFit(lib *library, root *object, budget int, f fit) (published, bool) {
	l := &layout{lib: lib, fit: f}
	var uses []use
	w := &writer{lib: lib, layout: l, out: lib.scratch[:0], uses: &uses}
	w.keywords(root)
	lib.scratch = w.out
	if size := len(w.out); len(uses) > 0 {
		l.choose(size, uses, budget)
		l.inline(uses)
		w = &writer{lib: lib, layout: l, out: lib.scratch[:0]}
		w.root(root)
		lib.scratch = w.out
	}
	if len(w.out) > budget {
		return published{}, false
	}
	p := published{schema: w.out, back: w.back, made: l.decisions()}
	if f != (fit{}) {
		p.made = append(p.made, Decision{What: Cut, Why: f.String()})
	}
	return p, true
}

func (f fit) String() string {
	s := fmt.Sprintf("the schema would take more than %d bytes: descriptions are cut to %d characters, and enums of more than %d values are left out", maxInput, f.words, f.values)
	if f.depth > 0 {
		s += fmt.Sprintf(", objects deeper than %d are published open", f.depth)
	}
	return s
}

// publishFewer leaves out optional properties, the last first, until the rest
// fits. What is left out may still be given where the root allows more than it
// lists.
func publishFewer(lib *library, root *object, budget int) published {
	tightest := fits()[len(fits())-1]
	props, _ := root.get("properties").(*object)
	required, _ := root.get("required").([]any)
	root = &object{members: slices.Clone(root.members)}
	if !lib.renames { // an answer may hold what is not listed
		root.remove("additionalProperties")
	}
	kept := slices.Clone(props.members)
	for {
		fewer := dropOptional(kept, required, 1+len(kept)/16)
		if len(fewer) == len(kept) {
			break
		}
		kept = fewer
		root.set("properties", &object{members: kept})
		if p, ok := tryFit(lib, root, budget, tightest); ok {
			p.made = append(p.made, Decision{What: Cut, Why: fmt.Sprintf(
				"%d optional properties are not offered: the schema would take more than %d bytes", len(props.members)-len(kept), budget)})
			return p
		}
	}
	return publishOpen(lib, budget)
}

// publishOpen is the schema of last resort: even what is required does not fit.
func publishOpen(lib *library, budget int) published {
	root := &object{members: []member{{"type", "object"}, {"properties", &object{}}, {"additionalProperties", true}}}
	p, _ := tryFit(lib, root, budget, fit{})
	p.made = append(p.made, Decision{What: Cut, Why: fmt.Sprintf("no property is described: those that are required alone take more than %d bytes", budget)})
	return p
}

// dropOptional leaves out so many optional members from the end.
func dropOptional(members []member, required []any, n int) []member {
	var kept []member
	for _, m := range slices.Backward(members) {
		if n > 0 && !has(required, m.key) {
			n--
			continue
		}
		kept = append(kept, m)
	}
	slices.Reverse(kept)
	return kept
}
