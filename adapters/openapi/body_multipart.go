package openapi

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"mime/multipart"
	"net/textproto"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// multipart writes one part for each property, and one for each item of a list,
// all under the property's name (RFC 7578 section 4.3). A part is a file where
// the document describes bytes. Nulls are left out.
func (b body) multipart(v value) ([]byte, string, error) {
	if v.kind != kindObject {
		return nil, "", errors.New("the body has several parts; send it as an object")
	}
	var buf bytes.Buffer
	p := parts{doc: b.doc, to: multipart.NewWriter(&buf), form: concrete(b.name, mediaMultipart)}
	for _, m := range v.members {
		if err := b.property(&p, m); err != nil {
			return nil, "", fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if err := p.to.Close(); err != nil {
		return nil, "", err
	}
	essence, params, err := mime.ParseMediaType(p.form)
	if err != nil {
		return nil, "", errors.New("the API's media type cannot be read")
	}
	params["boundary"] = p.to.Boundary()
	return buf.Bytes(), mime.FormatMediaType(essence, params), nil
}

// property writes the parts of one property.
func (b body) property(p *parts, m member) error {
	e := b.media.Encoding[m.name]
	schema := b.doc.property(b.media.Schema, m.name)
	header := fixedHeaders(b.doc, e)
	if styled(e) && essence(p.form) == "multipart/form-data" {
		pairs, err := encodingStyle(e, escapeNone).pairs(m.name, m.value)
		for _, pair := range pairs {
			err = errors.Join(err, p.add(pair.name, "", "", header, []byte(pair.value)))
		}
		return err
	}
	written := ""
	if e != nil {
		written = e.ContentType
	}
	items := []value{m.value}
	if m.value.kind == kindArray && (written == "" || mediaKind(firstType(written)) != mediaJSON) {
		items, schema = m.value.items, b.doc.schema(schema.Items)
	}
	for _, item := range items {
		if err := p.item(m.name, item, schema, written, header); err != nil {
			return err
		}
	}
	return nil
}

// parts writes parts one after the other.
type parts struct {
	doc  *document
	to   *multipart.Writer
	form string // the media type of the whole
}

// item writes one part. written is the encoding's contentType: "", a type, or a
// list of types and ranges.
func (p *parts) item(name string, v value, schema *openapi3.Schema, written string, header textproto.MIMEHeader) error {
	first := firstType(written)
	switch {
	case v.kind == kindNull:
		return nil
	case v.kind == kindString && bytesPart(schema, written, v.text):
		f, err := parseFile(v.text)
		if err != nil {
			return fmt.Errorf("it %w", err)
		}
		t := f.typeAmong(cmp.Or(written, schema.ContentMediaType))
		if f.name == "" {
			f.name = name + extension(t)
		}
		return p.add(name, f.name, t, header, f.bytes)
	case v.kind == kindObject && mediaKind(first) == mediaXML:
		text, err := xmlDocument(p.doc, name, v, &openapi3.SchemaRef{Value: schema})
		if err != nil {
			return err
		}
		return p.add(name, "", first, header, text)
	case first != "":
		text, err := writeContent(first, v)
		if err != nil {
			return err
		}
		return p.add(name, "", first, header, []byte(text))
	case v.scalar():
		// text/plain is what a part without Content-Type is (RFC 7578 section 4.4).
		return p.add(name, "", "", header, []byte(v.text))
	}
	return p.add(name, "", "application/json", header, []byte(v.json()))
}

// bytesPart says that the text s stands for bytes: 3.0's format binary, 3.1's
// contentMediaType, or an encoding of a type that is no text. contentEncoding says
// that the wire carries base64, so such a part is a text. 3.1 takes a schema
// without a type for bytes as well, and 3.0 documents leave types out by
// negligence, so there a data: URI is bytes and anything else a text.
func bytesPart(schema *openapi3.Schema, written, s string) bool {
	switch {
	case base64Text(schema):
		return false
	case schema.Format == "binary", schema.ContentMediaType != "" && mediaKind(schema.ContentMediaType) == mediaBinary:
		return true
	case written != "":
		return mediaKind(firstType(written)) == mediaBinary
	}
	return schema.Type == nil && strings.HasPrefix(s, "data:")
}

// typeAmong returns the media type of a file where an encoding allows several.
func (f file) typeAmong(written string) string {
	switch {
	case written == "" && f.mediaType == "":
		return "application/octet-stream"
	case written == "":
		return f.mediaType
	}
	for t := range strings.SplitSeq(written, ",") {
		main, wild := strings.CutSuffix(essence(t), "/*")
		if f.mediaType != "" && (essence(t) == essence(f.mediaType) || wild && (main == "*" || strings.HasPrefix(f.mediaType, main+"/"))) {
			return f.mediaType
		}
	}
	return f.typeWithin(firstType(written))
}

// add writes one part.
func (p *parts) add(name, filename, contentType string, fixed textproto.MIMEHeader, content []byte) error {
	h := textproto.MIMEHeader{}
	for k, v := range fixed {
		h[k] = v
	}
	if essence(p.form) != "multipart/related" {
		disposition := `form-data; name="` + quoted(name) + `"`
		if filename != "" {
			disposition += `; filename="` + quoted(filename) + `"`
		}
		h.Set("Content-Disposition", disposition)
	}
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	w, err := p.to.CreatePart(h)
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

// quoted escapes what may not stand in a quoted name (HTML standard, "multipart
// form data"); RFC 7578 section 2 leaves the rest as it is.
func quoted(s string) string {
	return strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22").Replace(s)
}

// fixedHeaders returns the headers of an encoding that can have one value only;
// there is no argument for the others. Content-Type is not one of them.
func fixedHeaders(doc *document, e *openapi3.Encoding) textproto.MIMEHeader {
	h := textproto.MIMEHeader{}
	if e == nil {
		return h
	}
	for name, ref := range e.Headers {
		if ref == nil || ref.Value == nil || strings.EqualFold(name, "Content-Type") {
			continue
		}
		if only, ok := onlyValue(doc.schema(ref.Value.Schema)); ok && !strings.ContainsAny(only, "\r\n\x00") {
			h.Set(name, only)
		}
	}
	return h
}

// onlyValue returns the one value that a schema allows, as text.
func onlyValue(s *openapi3.Schema) (string, bool) {
	all := s.Enum
	if s.Const != nil {
		all = []any{s.Const}
	}
	if len(all) != 1 {
		return "", false
	}
	switch only := all[0].(type) {
	case string:
		return only, true
	case bool, float64, int:
		return fmt.Sprint(only), true
	}
	return "", false
}

// firstType is the first of a comma-separated list of media types.
func firstType(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(first)
}
