package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// What the wire needs of a document is decoded into kin-openapi's types from a
// slim copy: only the fields that decide how bytes are written, so that a
// mistake anywhere else cannot keep an operation from being called. References
// between schemas become FILE#POINTER of where they lead in the end, whatever
// they were relative to.

// schema returns what ref says, following references one after the other. It is
// never nil: a reference that leads nowhere, or only to itself, is the schema
// that allows anything. Only what matters on the wire is in it: type, format,
// properties, required, items, prefixItems, additionalProperties, allOf, oneOf,
// anyOf, enum, const, discriminator, xml, readOnly, writeOnly, contentEncoding
// and contentMediaType.
func (d *document) schema(ref *openapi3.SchemaRef) *openapi3.Schema {
	if ref == nil {
		return &openapi3.Schema{}
	}
	if ref.Value != nil || ref.Ref == "" {
		return orEmpty(ref.Value)
	}
	d.mu.Lock()
	known := d.schemas[ref.Ref]
	d.mu.Unlock()
	if known != nil {
		return known
	}
	name, at, _ := strings.Cut(ref.Ref, "#")
	file := d.files[name]
	if file == nil {
		return &openapi3.Schema{}
	}
	p, _ := file.lookup(at)
	schema := d.slim(p)
	d.mu.Lock()
	d.schemas[ref.Ref] = schema
	d.mu.Unlock()
	return schema
}

func orEmpty(s *openapi3.Schema) *openapi3.Schema {
	if s == nil {
		return &openapi3.Schema{}
	}
	return s
}

// slim decodes the schema at p, which is never nil. A reference at p itself is
// followed.
func (d *document) slim(p place) *openapi3.Schema {
	var ref openapi3.SchemaRef
	if p.raw == nil || ref.UnmarshalJSON(d.appendSlim(nil, p)) != nil {
		return &openapi3.Schema{}
	}
	if ref.Ref != "" {
		return d.schema(&ref)
	}
	return orEmpty(ref.Value)
}

// appendSlim appends a slim copy of a schema.
func (d *document) appendSlim(out []byte, p place) []byte {
	if !p.raw.isObject() {
		if p.raw.isTrue() || p.raw.kind() == 'f' {
			return append(out, p.raw...)
		}
		return append(out, "{}"...)
	}
	p = p.scoped()
	s := p.object()
	if ref := s.get("$ref").str(); ref != "" {
		if to, err := d.resolveSchema(p, ref); err == nil {
			out = appendString(appendKey(append(out, '{'), "$ref"), to.file.name+"#"+to.at)
			return append(out, '}')
		}
	}
	out = append(out, '{')
	for i, key := range s.keys {
		out = d.slimKeyword(out, key, s.child(key, s.values[i]))
	}
	return append(out, '}')
}

func (d *document) slimKeyword(out []byte, key string, p place) []byte {
	switch key {
	case "type":
		return slimType(out, p.raw)
	case "format", "contentEncoding", "contentMediaType":
		if !p.raw.isString() {
			return out
		}
	case "readOnly", "writeOnly", "nullable":
		if !p.raw.isTrue() {
			return out
		}
	case "enum":
		if !p.raw.isArray() {
			return out
		}
	case "required":
		return append(appendStrings(append(appendKey(out, key), '['), texts(p.raw)), ']')
	case "const", "xml", "discriminator":
	case "items", "additionalProperties":
		if p.raw.isArray() {
			return d.slimList(out, "prefixItems", p)
		}
		return d.appendSlim(appendKey(out, key), p)
	case "prefixItems", "allOf", "oneOf", "anyOf":
		return d.slimList(out, key, p)
	case "properties":
		return d.slimProperties(out, p)
	default:
		return out
	}
	if key == "xml" && !p.raw.isObject() || key == "discriminator" {
		return out
	}
	return appendMember(out, key, p.raw)
}

func slimType(out []byte, raw node) []byte {
	words := []string{raw.str()}
	if raw.isArray() {
		words = texts(raw)
	}
	var types []string
	for _, word := range words {
		if t := typeWord(word); t != "" && !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	if slices.Contains(words, "file") {
		out = appendString(appendKey(out, "format"), "binary")
	}
	if len(types) == 0 {
		return out
	}
	return append(appendStrings(append(appendKey(out, "type"), '['), types), ']')
}

func (d *document) slimList(out []byte, key string, p place) []byte {
	out = append(appendKey(out, key), '[')
	for i, raw := range p.raw.items() {
		if i > 0 {
			out = append(out, ',')
		}
		out = d.appendSlim(out, p.item(i, raw))
	}
	return append(out, ']')
}

func (d *document) slimProperties(out []byte, p place) []byte {
	out = append(appendKey(out, "properties"), '{')
	s := d.members(p).object()
	for i, name := range s.keys {
		out = d.appendSlim(appendKey(out, name), p.child(name, s.values[i]))
	}
	return append(out, '}')
}

// slimParam appends a slim copy of a Parameter or Header Object.
func (d *document) slimParam(out []byte, p place) []byte {
	out = append(out, '{')
	for key, raw := range p.raw.members() {
		switch key {
		case "name", "in", "style":
			out = appendString(appendKey(out, key), raw.text())
		case "explode", "allowReserved", "required", "allowEmptyValue":
			if raw.isTrue() || raw.kind() == 'f' {
				out = appendMember(out, key, raw)
			}
		case "schema":
			out = d.appendSlim(appendKey(out, key), p.child(key, raw))
		case "content":
			out = append(appendKey(out, key), '{')
			content := p.child(key, raw)
			for name, raw := range raw.members() {
				out = d.slimMedia(appendKey(out, name), d.mediaType(content.child(name, raw)), place{})
			}
			out = append(out, '}')
		}
	}
	return append(out, '}')
}

// slimMedia appends a slim copy of a Media Type Object. Its schema is another's
// place if that is given.
func (d *document) slimMedia(out []byte, p, schema place) []byte {
	if schema.raw == nil {
		schema = p.member("schema")
	}
	out = append(out, '{')
	if schema.raw != nil {
		out = d.appendSlim(appendKey(out, "schema"), schema)
	}
	if items := p.member("itemSchema"); items.raw != nil {
		out = d.appendSlim(appendKey(out, "itemSchema"), items)
	}
	encoding := p.member("encoding")
	if !encoding.raw.isObject() {
		return append(out, '}')
	}
	out = append(appendKey(out, "encoding"), '{')
	for name, raw := range encoding.raw.members() {
		if raw.isObject() {
			out = d.slimEncoding(appendKey(out, name), encoding.child(name, raw))
		}
	}
	return append(out, "}}"...)
}

// slimEncoding appends a slim copy of an Encoding Object.
func (d *document) slimEncoding(out []byte, p place) []byte {
	out = append(out, '{')
	for key, raw := range p.raw.members() {
		switch key {
		case "contentType", "style":
			out = appendString(appendKey(out, key), raw.text())
		case "explode", "allowReserved":
			if raw.isTrue() || raw.kind() == 'f' {
				out = appendMember(out, key, raw)
			}
		case "headers":
			out = append(appendKey(out, key), '{')
			for name, header := range raw.members() {
				if h, err := d.follow(p.child(key, raw).child(name, header)); err == nil && h.raw.isObject() {
					out = d.slimParam(appendKey(out, name), h)
				}
			}
			out = append(out, '}')
		}
	}
	return append(out, '}')
}
