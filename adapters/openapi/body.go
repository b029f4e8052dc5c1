package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/getkin/kin-openapi/openapi3"
)

// A body is how one operation's payload is written.
type body struct {
	doc   *document
	name  string // the media type, as the document writes it
	media *openapi3.MediaType
}

// write returns the bytes and their Content-Type. raw and v are the same value.
func (b body) write(raw json.RawMessage, v value) (written []byte, contentType string, err error) {
	schema := b.doc.schema(b.media.Schema)
	kind := bodyKind(b.name, schema)
	switch kind {
	case mediaForm:
		written, err = b.form(v)
	case mediaMultipart:
		return b.multipart(v)
	case mediaLines:
		written, err = lines(b.name, v)
	case mediaXML:
		written, err = b.xml(v)
	case mediaBinary:
		return binary(b.name, v)
	case mediaText:
		return text(b.name, v.plain())
	case mediaJSON, mediaYAML:
		written = raw
		if kind == mediaYAML && v.kind == kindString {
			written = []byte(v.text) // YAML that the model wrote itself
		}
	}
	return written, concrete(b.name, kind), err
}

// concrete is the media type that is sent for one that the document names, which
// may be a range.
func concrete(name string, kind media) string {
	if !strings.Contains(essence(name), "*") && name != "" {
		return name
	}
	switch kind {
	case mediaMultipart:
		return "multipart/form-data"
	case mediaText:
		return "text/plain"
	case mediaBinary:
		return "application/octet-stream"
	case mediaJSON, mediaForm, mediaLines, mediaYAML, mediaXML:
	}
	return "application/json"
}

// lines writes a list as one JSON value a line, and anything else as one line.
// RFC 7464 begins each with a record separator.
func lines(name string, v value) ([]byte, error) {
	items := v.items
	if v.kind == kindString {
		return []byte(v.text), nil
	}
	if v.kind != kindArray {
		items = []value{v}
	}
	var out []byte
	for _, item := range items {
		if strings.HasSuffix(essence(name), "json-seq") {
			out = append(out, 0x1e)
		}
		out = append(item.appendJSON(out), '\n')
	}
	return out, nil
}

// binary writes bytes that came as base64 or as a data: URI.
func binary(name string, v value) ([]byte, string, error) {
	if v.kind != kindString {
		return nil, "", errors.New("the body is bytes; send them as one string, in base64 or as a data: URI")
	}
	f, err := parseFile(v.text)
	if err != nil {
		return nil, "", fmt.Errorf("the body %w", err)
	}
	return f.bytes, f.typeWithin(name), nil
}

// typeWithin returns the media type of a file, which the document calls name: a
// type, or a range that the file's own type may lie in.
func (f file) typeWithin(name string) string {
	if !strings.Contains(essence(name), "*") && name != "" {
		return name
	}
	main, _, _ := strings.Cut(essence(name), "/")
	for _, t := range []string{f.mediaType, http.DetectContentType(f.bytes)} {
		if t != "" && (main == "*" || main == "" || strings.HasPrefix(t, main+"/")) {
			return t
		}
	}
	return "application/octet-stream"
}

// text writes s in the charset that the media type names, UTF-8 if none.
func text(name, s string) ([]byte, string, error) {
	name = concrete(name, mediaText)
	label := charsetOf(name)
	if label == "" || strings.EqualFold(label, "utf-8") || strings.EqualFold(label, "us-ascii") && ascii(s) {
		return []byte(s), withCharset(name, s), nil
	}
	encoding, _ := charset.Lookup(label)
	if encoding == nil {
		return nil, "", fmt.Errorf("the API wants the charset %q, which the bridge does not know", label)
	}
	encoded, err := encoding.NewEncoder().String(s)
	// The encoder writes what the charset lacks as an HTML entity.
	if back, backErr := encoding.NewDecoder().String(encoded); err != nil || backErr != nil || back != s {
		return nil, "", fmt.Errorf("the text holds a character that the API's charset %q does not have", label)
	}
	return []byte(encoded), name, nil
}
