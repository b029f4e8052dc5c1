package mapping

import "slices"

// underlay is a shared schema written in place of a reference to it. What is
// said beside the reference is said of this one use, so it wins.
func underlay(def, use *object) *object {
	if len(use.members) == 1 {
		return def
	}
	s := &object{members: slices.Clone(def.members)}
	for _, m := range use.members {
		if m.key != "$ref" {
			s.set(m.key, m.value)
		}
	}
	return s
}

// stub is the open schema that stands for a reference to a type which is not
// described. What is said beside the reference stays.
func stub(d *def, use *object) *object {
	return underlay(stubOf(d.base, d.name), use)
}

// stubOf is a schema without what it says of its parts.
func stubOf(s *object, name string) *object {
	open := &object{}
	if t := s.find("type"); t != nil {
		open.members = append(open.members, *t)
	} else if s.has("properties") {
		open.set("type", "object")
	}
	if has(typesOf(open), "array") {
		open.set("items", &object{})
	}
	said, _ := cutSentences(text(s.get("description")), maxStubWords)
	open.set("description", stubWords(said, name, has(typesOf(open), "object")))
	return open
}

// maxStubWords bounds what a stub repeats of its type's description, in
// characters.
const maxStubWords = 80

func stubWords(said, name string, isObject bool) string {
	parts := "values"
	if isObject {
		parts = "fields"
	}
	if name != "" {
		name += ": "
	}
	if said == "" {
		return name + parts + " not listed here"
	}
	return name + said + " (" + parts + " not listed here)"
}
