package mapping

import (
	"slices"
	"strconv"
	"strings"
)

// A placing says how the uses of a shared schema are written.
type placing int

const (
	shared  placing = iota // a $ref to one copy in $defs
	inlined                // the schema itself, at each use
	cut                    // an open object that names the type
)

// A writer writes cleaned schemas as they are published: keys made safe, uses
// of shared schemas as they are placed.
type writer struct {
	lib   *library
	place map[string]placing
	out   []byte
	at    []byte           // JSON pointer of the schema being written
	back  map[string]names // by JSON pointer of the schema: keys that were renamed
	defs  []string         // shared schemas in the order of their first use
}

// schema writes one schema.
func (w *writer) schema(s *object) {
	if ref, ok := s.get("$ref").(string); ok {
		w.use(s, ref)
		return
	}
	w.keywords(s)
}

func (w *writer) use(s *object, ref string) {
	name, _ := refName(ref)
	switch w.place[name] {
	case inlined:
		w.keywords(underlay(w.lib.get(name).schema, s))
	case cut:
		w.keywords(stub(name, s))
	default:
		if !slices.Contains(w.defs, name) {
			w.defs = append(w.defs, name)
		}
		w.keywords(s)
	}
}

func (w *writer) keywords(s *object) {
	published := w.rename(s)
	w.out = append(w.out, '{')
	for i, m := range s.members {
		w.comma(i)
		w.out = append(appendString(w.out, m.key), ':')
		w.keyword(m, published)
	}
	w.out = append(w.out, '}')
}

// keyword writes the value of one keyword.
func (w *writer) keyword(m member, published func(string) string) {
	switch m.key {
	case "$ref":
		name, _ := refName(m.value.(string))
		w.out = appendString(w.out, refPrefix+defKey(name))
		return
	case "required", "dependentRequired":
		w.names(m.value, published)
		return
	}
	switch keywordForm(m.key) {
	case oneSchema:
		w.down(m.key, "", m.value)
	case schemaList:
		w.list(m)
	case schemaMap:
		if m.key == "patternProperties" {
			published = func(key string) string { return key }
		}
		w.properties(m, published)
	default:
		w.out = appendJSON(w.out, m.value)
	}
}

func (w *writer) list(m member) {
	list, _ := m.value.([]any)
	w.out = append(w.out, '[')
	for i, sub := range list {
		w.comma(i)
		w.down(m.key, strconv.Itoa(i), sub)
	}
	w.out = append(w.out, ']')
}

func (w *writer) properties(m member, published func(string) string) {
	o, _ := m.value.(*object)
	w.out = append(w.out, '{')
	for i, sub := range o.members {
		w.comma(i)
		key := published(sub.key)
		w.out = append(appendString(w.out, key), ':')
		w.down(m.key, key, sub.value)
	}
	w.out = append(w.out, '}')
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.out = append(w.out, ',')
	}
}

// down writes a subschema, keeping the pointer to it.
func (w *writer) down(keyword, key string, sub any) {
	s, ok := sub.(*object)
	if !ok {
		w.out = appendJSON(w.out, sub)
		return
	}
	was := len(w.at)
	w.at = append(append(w.at, '/'), keyword...)
	if key != "" {
		w.at = appendToken(append(w.at, '/'), key)
	}
	w.schema(s)
	w.at = w.at[:was]
}

func appendToken(b []byte, token string) []byte {
	if strings.ContainsAny(token, "~/") {
		token = strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	return append(b, token...)
}

// defKey is the name of a shared schema in a published $defs: one that needs no
// escaping in a pointer.
func defKey(name string) string { return safeKey(name) }

// underlay is a shared schema written in place of its use: what stands beside
// the $ref is said last, so it wins.
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

// stub stands for a type that is not described.
func stub(name string, use *object) *object {
	s := &object{}
	s.set("type", "object")
	s.set("description", "A "+name+"; its fields are not listed here.")
	if d, ok := use.get("description").(string); ok {
		s.set("description", d)
	}
	return s
}

// root writes a whole published schema, with the shared schemas it needs.
func (w *writer) root(s *object) {
	w.schema(s)
	if len(w.defs) == 0 {
		return
	}
	w.out = append(w.out[:len(w.out)-1], `,"$defs":{`...)
	// Writing one def may add another.
	for i := 0; i < len(w.defs); i++ {
		w.comma(i)
		key := defKey(w.defs[i])
		w.out = append(appendString(w.out, key), ':')
		w.down("$defs", key, w.lib.get(w.defs[i]).schema)
	}
	w.out = append(w.out, "}}"...)
}
