package openapi

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
)

// xml writes a value by the XML Object of its schema: names, attributes, wrapped
// lists, namespaces and prefixes. A text is XML that the model wrote itself.
//
// The root is called by its xml.name, else by the component that it is, else
// "root". What the specification leaves open: nulls are left out, a list at the
// root is always wrapped, for a document has one root, and properties are written
// in the order they were sent.
func (b body) xml(v value) ([]byte, error) {
	if v.kind == kindString {
		return []byte(v.text), nil
	}
	root := "root"
	if ref := b.media.Schema; ref != nil && ref.Ref != "" {
		root = ref.Ref[strings.LastIndexByte(ref.Ref, '/')+1:]
	}
	return xmlDocument(b.doc, root, v, b.media.Schema)
}

// xmlDocument writes an object or a list whose element is called root, unless the
// schema names it.
func xmlDocument(doc *document, root string, v value, ref *openapi3.SchemaRef) ([]byte, error) {
	w := xmlWriter{doc: doc}
	w.buf.WriteString(xml.Header)
	if v.kind == kindArray {
		w.wrapped(root, v, doc.schema(ref))
	} else {
		w.element(root, v, ref)
	}
	return w.buf.Bytes(), w.err
}

// An xmlWriter writes elements; it keeps the first error.
type xmlWriter struct {
	doc *document
	buf bytes.Buffer
	err error
}

// property writes one property of an object, which may be several elements.
func (w *xmlWriter) property(name string, v value, ref *openapi3.SchemaRef) {
	schema := w.doc.schema(ref)
	switch {
	case v.kind == kindNull:
	case v.kind != kindArray:
		w.element(name, v, ref)
	case schema.XML != nil && schema.XML.Wrapped:
		w.wrapped(name, v, schema)
	default:
		for _, item := range v.items {
			w.property(name, item, schema.Items)
		}
	}
}

// wrapped writes a list inside an element of its own. Its items bear their own
// name, else that of the element around them.
func (w *xmlWriter) wrapped(name string, v value, schema *openapi3.Schema) {
	name = xmlName(name, schema.XML)
	w.open(name, schema.XML, nil)
	for _, item := range v.items {
		w.property(local(name), item, schema.Items)
	}
	w.close(name)
}

// element writes a scalar or an object.
func (w *xmlWriter) element(name string, v value, ref *openapi3.SchemaRef) {
	schema := w.doc.schema(ref)
	name = xmlName(name, schema.XML)
	var attributes []pair
	var inner []member
	for _, m := range v.members {
		x := w.doc.property(ref, m.name).XML
		if x == nil || !x.Attribute || !m.value.scalar() {
			inner = append(inner, m)
			continue
		}
		attribute := xmlName(m.name, x)
		if x.Prefix != "" && x.Namespace != "" {
			attributes = append(attributes, pair{"xmlns:" + x.Prefix, x.Namespace})
		}
		attributes = append(attributes, pair{attribute, m.value.text})
	}
	w.open(name, schema.XML, attributes)
	for _, m := range inner {
		w.property(m.name, m.value, w.doc.propertyRef(ref, m.name))
	}
	if v.scalar() {
		w.text(v.text)
	}
	w.close(name)
}

func (w *xmlWriter) open(name string, x *openapi3.XML, attributes []pair) {
	w.name(name)
	w.buf.WriteString("<" + name)
	if x != nil && x.Namespace != "" {
		space := "xmlns"
		if x.Prefix != "" {
			space += ":" + x.Prefix
		}
		attributes = append([]pair{{space, x.Namespace}}, attributes...)
	}
	for _, a := range attributes {
		w.name(a.name)
		w.buf.WriteString(" " + a.name + `="`)
		w.text(a.value)
		w.buf.WriteByte('"')
	}
	w.buf.WriteByte('>')
}

func (w *xmlWriter) close(name string) { w.buf.WriteString("</" + name + ">") }

// text writes character data. XML 1.0 has no way to write most control characters.
func (w *xmlWriter) text(s string) {
	for _, r := range s {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			w.fail(fmt.Errorf("a text holds the character %q, which XML cannot carry", r))
			return
		}
	}
	if err := xml.EscapeText(&w.buf, []byte(s)); err != nil {
		w.fail(err)
	}
}

// name refuses what is no XML name; a bad one would write other elements.
func (w *xmlWriter) name(s string) {
	first, _ := utf8.DecodeRuneInString(s)
	bad := s == "" || strings.ContainsAny(s, " \t\r\n<>&\"'/=?!;") || strings.ContainsRune("-.0123456789", first)
	if bad {
		w.fail(fmt.Errorf("%q cannot be the name of an XML element", s))
	}
}

func (w *xmlWriter) fail(err error) { w.err = errors.Join(w.err, err) }

// xmlName is an element's or attribute's name: the XML Object's before name, with
// its prefix.
func xmlName(name string, x *openapi3.XML) string {
	if x == nil {
		return name
	}
	if x.Name != "" {
		name = x.Name
	}
	if x.Prefix != "" {
		return x.Prefix + ":" + name
	}
	return name
}

// local is a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }
