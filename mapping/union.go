package mapping

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A type with more subtypes, or more fields in all, than this is published open
// instead of listing what each subtype adds.
const (
	maxKinds      = 24
	maxKindFields = 120
	maxKindWords  = 300 // characters of a description that names kinds
)

// A subtype is one type that extends another, with the word that tells it.
type subtype struct {
	word string
	def  *def
}

// union returns a shared schema with the properties of the types that extend it:
// a backend that says {"subtype": "dog"} means a Dog, and a model must be offered
// what a Dog has.
func (l *library) union(d *def) *object {
	tells, ok := d.base.get("discriminator").(*object)
	props, described := d.base.get("properties").(*object)
	if !ok || !described || d.base.has("anyOf") { // which offers what it lists
		return d.base
	}
	d.schema = d.base // for a type that extends itself
	subtypes := l.subtypes(d, tells)
	if len(subtypes) == 0 {
		return d.base
	}
	key := text(tells.get("propertyName"))
	s := &object{members: slices.Clone(d.base.members)}
	all := &object{members: slices.Clone(props.members)}
	if !l.addKinds(all, props, key, subtypes) {
		d.made = append(d.made, Decision{What: Cut, Where: "#/$defs/" + d.name,
			Why: "the fields of " + d.name + "'s subtypes are too many to list; it is published open, and they go out as given"})
		s.remove("additionalProperties")
		return s
	}
	if m := all.find(key); m != nil {
		m.value = kindWords(m.value, subtypes)
	}
	s.set("properties", all)
	return s
}

// addKinds adds what each subtype has beyond the type it extends; false if that is
// too much.
func (l *library) addKinds(all, own *object, key string, subtypes []subtype) bool {
	if len(subtypes) > maxKinds {
		return false
	}
	owners := map[string][]string{}
	for _, k := range subtypes {
		l.eachProperty(l.publish(k.def.name).schema, map[string]bool{}, func(m member) {
			if own.has(m.key) || slices.Contains(owners[m.key], k.word) {
				return
			}
			owners[m.key] = append(owners[m.key], k.word)
			all.set(m.key, either(all.get(m.key), m.value))
		})
		if len(all.members) > maxKindFields {
			return false
		}
	}
	for i, m := range all.members {
		if words := owners[m.key]; len(words) > 0 && len(words) < len(subtypes) && len(words) <= 3 {
			all.members[i].value = onlyFor(m.value, key, words)
		}
	}
	return true
}

// eachProperty visits the properties of an object, those of its allOf included.
func (l *library) eachProperty(s *object, seen map[string]bool, visit func(member)) {
	if props, ok := s.get("properties").(*object); ok {
		for _, m := range props.members {
			visit(m)
		}
	}
	if name, ok := refName(text(s.get("$ref"))); ok && !seen[name] {
		seen[name] = true
		if d := l.get(name); d != nil && d.base != nil {
			l.eachProperty(d.base, seen, visit)
		}
	}
	list, _ := s.get("allOf").([]any)
	for _, part := range list {
		if part, ok := part.(*object); ok {
			l.eachProperty(part, seen, visit)
		}
	}
}

// either is a property that two subtypes have.
func either(first, second any) any {
	if first == nil || equalJSON(first, second) {
		return second
	}
	s, _ := first.(*object)
	if s != nil && len(s.members) == 1 {
		if list, ok := s.get("anyOf").([]any); ok {
			return &object{members: []member{{"anyOf", distinct(append(slices.Clone(list), second))}}}
		}
	}
	return &object{members: []member{{"anyOf", []any{first, second}}}}
}

// onlyFor says in the description which subtypes have the property.
func onlyFor(v any, key string, words []string) any {
	s, ok := v.(*object)
	if !ok {
		return v
	}
	said := "Only where " + key + " is " + strings.Join(words, " or ") + "."
	if d := text(s.get("description")); d != "" {
		said += " " + d
	}
	said, _ = cutSentences(said, maxKindWords)
	return describe(s, said)
}

// kindWords names the subtypes where the schema does not. It is no enum: a mapping
// need not be complete.
func kindWords(v any, subtypes []subtype) any {
	s, ok := v.(*object)
	if !ok || s.has("enum") || s.has("const") || s.has("$ref") {
		return v
	}
	var words []string
	for _, k := range subtypes {
		if !slices.Contains(words, k.word) {
			words = append(words, k.word)
		}
	}
	said := sentence(text(s.get("description")), "One of "+strings.Join(words, ", ")+".")
	said, _ = cutSentences(said, maxKindWords)
	return describe(s, said)
}

// subtypes finds the types that extend one: those that its discriminator maps, else
// those that say so themselves.
func (l *library) subtypes(d *def, tells *object) []subtype {
	mapping, ok := tells.get("mapping").(*object)
	if !ok || len(mapping.members) == 0 {
		return l.extending(d)
	}
	var subtypes []subtype
	for _, m := range mapping.members {
		if target := l.get(mappedName(text(m.value))); target != nil {
			subtypes = append(subtypes, subtype{m.key, target})
		}
	}
	return subtypes
}

// mappedName returns the type that a discriminator's mapping names, by a
// reference or by its bare name.
func mappedName(target string) string {
	if name, ok := refName(target); ok {
		return name
	}
	return unescapePointer(path.Base(target))
}

// extending finds the types whose allOf leads to this one.
func (l *library) extending(d *def) []subtype {
	if l.extended == nil {
		l.extended = extensions(l.raw)
	}
	var subtypes []subtype
	seen := map[string]bool{d.name: true}
	for waiting := []string{d.name}; len(waiting) > 0; waiting = waiting[1:] {
		for _, name := range l.extended[waiting[0]] {
			if seen[name] {
				continue
			}
			seen[name] = true
			waiting = append(waiting, name)
			subtypes = append(subtypes, subtype{name, l.get(name)})
		}
	}
	slices.SortFunc(subtypes, func(a, b subtype) int { return strings.Compare(a.word, b.word) })
	return subtypes
}

// extensions lists, for each schema, those with an allOf of it.
func extensions(raw map[string]json.RawMessage) map[string][]string {
	extended := map[string][]string{}
	for name, text := range raw {
		if !bytes.Contains(text, []byte(`"allOf"`)) {
			continue
		}
		var s struct {
			AllOf []struct {
				Ref string `json:"$ref"`
			} `json:"allOf"`
		}
		if json.Unmarshal(text, &s) != nil {
			continue // it is told of where it is published
		}
		for _, part := range s.AllOf {
			if base, ok := refName(part.Ref); ok {
				extended[base] = append(extended[base], name)
			}
		}
	}
	return extended
}
