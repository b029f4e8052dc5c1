package mapping

import (
	"strconv"
	"strings"
)

// A writer writes cleaned schemas as they are published: keys made safe, and
// references to shared schemas as the layout places them.
type writer struct {
	lib    *library
	layout *layout // nil writes every reference as one
	out    []byte
	at     []byte           // JSON pointer of the schema being written
	back   map[string]names // by JSON pointer of the schema: keys that were renamed
	uses   *[]use           // where references are counted; nil counts none
	depth  int              // of objects inside objects
}

// schema writes one schema.
func (w *writer) schema(s *object) {
	if s.has("properties") {
		w.depth++
		defer func() { w.depth-- }()
		if w.layout.fits().cutsAt(w.depth) {
			w.keywords(stubOf(s, ""))
			return
		}
	}
	name, isRef := refName(text(s.get("$ref")))
	if !isRef {
		w.keywords(s)
		return
	}
	w.count(name, s)
	switch w.layout.placing(name) {
	case inlined:
		w.schema(underlay(w.lib.publish(name).schema, s))
	case cut:
		w.keywords(stub(w.lib.get(name), s))
	default:
		w.keywords(s)
	}
}

func (w *writer) count(name string, s *object) {
	if w.uses == nil {
		return
	}
	bound := !onlyAnnotations(s, "$ref")
	for i := range *w.uses {
		u := &(*w.uses)[i]
		if u.name == name {
			u.times++
			u.bound = u.bound || bound
			return
		}
	}
	*w.uses = append(*w.uses, use{name: name, times: 1, bound: bound})
}

func (w *writer) keywords(s *object) {
	published := w.rename(s)
	w.out = append(w.out, '{')
	first := true
	for _, m := range s.members {
		if m.key == "discriminator" || w.layout.fits().drops(m) { // the first is OpenAPI's, and done with
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.out = append(appendString(w.out, m.key), ':')
		w.keyword(m, published)
	}
	w.out = append(w.out, '}')
}

// keyword writes the value of one keyword.
func (w *writer) keyword(m member, published func(string) string) {
	switch m.key {
	case "$ref":
		name, _ := refName(text(m.value))
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
		if m.key == "description" {
			m.value = w.layout.fits().shorten(text(m.value))
		}
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
	for i, key := range distinctKeys(len(o.members), func(i int) string { return published(o.members[i].key) }) {
		w.comma(i)
		w.out = append(appendString(w.out, key.name), ':')
		w.down(m.key, key.name, o.members[key.index].value)
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

// root writes a whole published schema, with the shared schemas it needs.
func (w *writer) root(s *object) {
	w.keywords(s)
	kept := w.layout.kept()
	if len(kept) == 0 {
		return
	}
	w.out = append(w.out[:len(w.out)-1], `,"$defs":{`...)
	for i, d := range kept {
		w.comma(i)
		w.out = append(appendString(w.out, d.key), ':')
		w.down("$defs", d.key, d.schema)
	}
	w.out = append(w.out, "}}"...)
}
