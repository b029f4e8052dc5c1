package openapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxHeirs bounds how many heirs are offered in place of one schema.
const maxHeirs = 60

// An heir is a schema that a discriminator's value stands for.
type heir struct {
	value string
	place place
}

// heirsOf returns the schemas that a schema with a discriminator stands for where
// it is not merely a part of one of them: those of its mapping, and those that
// extend it by allOf, whose own names are their values (OpenAPI 3.1.1, Discriminator
// Object). None where the schema lists them itself with oneOf or anyOf; at most one
// more than maxHeirs.
func (c *converter) heirsOf(p place) []heir {
	at := target{file: p.file, at: p.at}
	heirs, known := c.heirs[at]
	if !known {
		heirs = c.findHeirs(p)
		c.heirs[at] = heirs
	}
	return heirs
}

func (c *converter) findHeirs(p place) []heir {
	d := p.raw.get("discriminator")
	if d == nil || p.raw.get("oneOf") != nil || p.raw.get("anyOf") != nil {
		return nil
	}
	var all []heir
	for value, ref := range d.get("mapping").members() {
		if len(all) > maxHeirs {
			return all
		}
		if heir, ok := c.mapped(p, value, ref.str()); ok && !samePlaceAs(heir.place, p) {
			all = append(all, heir)
		}
	}
	for _, h := range c.extensions()[target{file: p.file, at: p.at}] {
		if len(all) > maxHeirs {
			return all
		}
		if !slices.ContainsFunc(all, func(o heir) bool { return samePlaceAs(o.place, h.place) }) {
			all = append(all, h)
		}
	}
	return all
}

func samePlaceAs(a, b place) bool { return a.file == b.file && a.at == b.at }

// mapped finds what an entry of a mapping names: a schema by its name, or else a
// reference.
func (c *converter) mapped(from place, value, ref string) (heir, bool) {
	schemas := c.doc.root.whole().member("components").member("schemas")
	if p := schemas.member(ref); ref != "" && p.raw != nil {
		return heir{value, p}, true
	}
	p, err := c.doc.resolveSchema(from, ref)
	return heir{value, p}, ref != "" && err == nil
}

// extensions lists the schemas of the document that extend another by allOf, by
// the other.
func (c *converter) extensions() map[target][]heir {
	if c.extends != nil {
		return c.extends
	}
	c.extends = map[target][]heir{}
	schemas := c.doc.root.whole().member("components").member("schemas")
	if c.doc.swagger {
		schemas = c.doc.root.whole().member("definitions")
	}
	for name, raw := range schemas.raw.members() {
		s := schemas.child(name, raw)
		all := s.member("allOf")
		for i, raw := range all.raw.items() {
			part := all.item(i, raw)
			if parent, err := c.doc.follow(part); err == nil && part.ref() != "" {
				at := target{file: parent.file, at: parent.at}
				c.extends[at] = append(c.extends[at], heir{name, s})
			}
		}
	}
	return c.extends
}

// union writes any of a schema's heirs, or the schema itself, and which values the
// discriminator may have.
func (c *converter) union(t target) json.RawMessage {
	p := t.place()
	heirs := c.heirsOf(p)
	if len(heirs) > maxHeirs {
		c.made = append(c.made, decision(mapping.Cut, "", p,
			"more than %d schemas extend this one; none of their fields are offered, only its own", maxHeirs))
		return c.append(nil, p, true)
	}
	out := []byte{'{'}
	if text := p.raw.get("description"); text.isString() {
		out = appendMember(out, "description", text)
	}
	out = c.discriminated(out, p, heirs)
	out = append(appendKey(out, "anyOf"), '[')
	for _, h := range heirs {
		s := target{file: h.place.file, at: h.place.at, union: len(c.heirsOf(h.place)) > 0}
		out = append(append(append(out, `{"$ref":"#/$defs/`...), c.name(s)...), `"},`...)
	}
	base := target{file: t.file, at: t.at}
	return append(append(append(out, `{"$ref":"#/$defs/`...), c.name(base)...), `"}]}`...)
}

// discriminated writes the values of the property that tells heirs apart.
func (c *converter) discriminated(out []byte, p place, heirs []heir) []byte {
	d := p.raw.get("discriminator")
	name := d.get("propertyName").str()
	if d.isString() {
		name = d.text()
	}
	if own := p.raw.get("properties").get(name); name == "" || own.get("enum") != nil || own.get("const") != nil {
		return out
	}
	values := []string{unescapeToken(p.at[strings.LastIndexByte(p.at, '/')+1:])}
	for _, h := range heirs {
		if !slices.Contains(values, h.value) {
			values = append(values, h.value)
		}
	}
	out = appendKey(append(appendKey(out, "properties"), '{'), name)
	return append(appendStrings(append(out, `{"enum":[`...), values), "]}}"...)
}
