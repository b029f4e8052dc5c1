package openapi

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// unpack undoes the content codings of an answer, the last first. Only gzip is
// asked for, and servers send others all the same. It returns the name of a coding
// that it cannot undo, and then the bytes are worth nothing.
func unpack(h http.Header, body io.Reader) (plain io.Reader, unknown string, err error) {
	codings := strings.Split(strings.ToLower(strings.Join(h.Values("Content-Encoding"), ",")), ",")
	for _, coding := range slices.Backward(codings) {
		coding = strings.TrimSpace(coding)
		if coding == "" || coding == "identity" {
			continue
		}
		packed := bufio.NewReader(body)
		if _, err := packed.Peek(1); errors.Is(err, io.EOF) {
			return packed, "", nil // no content at all
		}
		switch coding {
		case "gzip", "x-gzip":
			body, err = gzip.NewReader(packed)
		case "deflate":
			body, err = inflate(packed)
		default:
			return nil, coding, nil
		}
		if err != nil {
			return nil, "", err
		}
	}
	return body, "", nil
}

// inflate reads what is called deflate: zlib's format, or what is inside of it (RFC
// 9110 section 8.4.1.2).
func inflate(packed *bufio.Reader) (io.Reader, error) {
	head, err := packed.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 { // RFC 1950 section 2.2
		return zlib.NewReader(packed)
	}
	return flate.NewReader(packed), nil
}

// unreadable is a success whose content cannot be shown.
func unreadable(op *operation, r *reply) error {
	next := "do not retry; tell the user"
	if !safe(op.method) {
		next = "do not retry, for it was carried out; tell the user"
	}
	return &mapping.Error{
		Code: mapping.Unsupported, Next: next,
		Problem: fmt.Sprintf("the API answered %s in the encoding %q, which it was not asked for and which cannot be read here", statusWords(r.status), r.coding),
	}
}
