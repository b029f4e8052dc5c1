package openapi

import (
	"bytes"
	byteorder "encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const (
	// maxDocument bounds one file of a document, in bytes, as it is read and again
	// as JSON. The largest that is known to be in use has 73 MB.
	maxDocument = 128 << 20
	maxYAML     = 64 << 20 // its parser takes twenty times the memory
)

// decode returns a JSON or YAML text as JSON that checkJSON has passed. Errors
// say what the text is instead, or the line where it stops making sense.
func decode(data []byte) (node, []mapping.Decision, error) {
	if len(data) > maxDocument {
		return nil, nil, fmt.Errorf("it is larger than %d MB", maxDocument>>20)
	}
	data, err := toUTF8(data)
	if err != nil {
		return nil, nil, err
	}
	text := bytes.TrimSpace(data)
	if what := notADocument(text); what != "" {
		return nil, nil, errors.New(what)
	}
	if text[0] == '{' || text[0] == '[' {
		jsonErr := checkJSON(text)
		if jsonErr == nil {
			return text, nil, nil
		}
		// Comments and trailing commas are YAML, and people write them.
		if root, lost, err := decodeYAML(data); err == nil {
			return root, lost, nil
		}
		return nil, nil, withLine(data, text, jsonErr)
	}
	return decodeYAML(data)
}

func decodeYAML(data []byte) (node, []mapping.Decision, error) {
	if len(data) > maxYAML {
		return nil, nil, fmt.Errorf("it is larger than %d MB of YAML", maxYAML>>20)
	}
	out, lost, err := yamlToJSON(data, maxDocument)
	if err != nil {
		return nil, nil, err
	}
	return out, lost, checkJSON(out)
}

// withLine says on which line of data a part of it has a syntax error.
func withLine(data, part []byte, err error) error {
	var e *syntaxError
	if !errors.As(err, &e) {
		return err
	}
	offset := bytes.Index(data, part[:1]) + e.offset
	before := data[:min(offset, len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// toUTF8 takes off a byte order mark and decodes UTF-16. Bytes that are not UTF-8
// become U+FFFD.
func toUTF8(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], byteorder.LittleEndian), nil
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], byteorder.BigEndian), nil
	}
	if bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 {
		return nil, errors.New("it is a binary file, not an OpenAPI document")
	}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	return data, nil
}

func fromUTF16(data []byte, order byteorder.ByteOrder) []byte {
	out := make([]byte, 0, len(data)/2)
	for len(data) >= 2 {
		r := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) && len(data) >= 2 {
			if both := utf16.DecodeRune(r, rune(order.Uint16(data))); both != utf8.RuneError {
				r, data = both, data[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

var protobuf = regexp.MustCompile(`(?m)^syntax\s*=\s*["']proto[23]["']`)

// notADocument recognises what people pass by mistake, and says so; "" for a text
// that may be a document.
func notADocument(text []byte) string {
	head := bytes.ToLower(text[:min(len(text), 512)])
	switch {
	case len(text) == 0:
		return "it is empty"
	case bytes.HasPrefix(head, []byte("<?xml")):
		return "it is XML, not an OpenAPI document"
	case bytes.HasPrefix(head, []byte("<")):
		return "it is HTML, not an OpenAPI document; perhaps a page that asks who you are, or one about the document"
	case protobuf.Match(head):
		return "it is a gRPC service definition (protobuf), not an OpenAPI document"
	case bytes.HasPrefix(head, []byte("%pdf")), bytes.HasPrefix(head, []byte("pk\x03\x04")), bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "it is a binary file, not an OpenAPI document"
	}
	return ""
}
