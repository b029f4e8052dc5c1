package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An answer is how the bytes of an answer reach a model.
type answer int

const (
	answerJSON answer = iota
	answerText
	answerImage
	answerAudio
	answerBlob
)

// answerKind looks at the media type, and at the bytes where there is none or
// where what calls itself JSON is not.
func answerKind(contentType string, body []byte) answer {
	if !strings.Contains(contentType, "/") { // none, or no media type
		if validJSON(body) {
			return answerJSON
		}
		contentType = http.DetectContentType(body)
	}
	switch mediaKind(contentType) {
	case mediaJSON, mediaLines:
		return answerJSON
	case mediaForm, mediaMultipart, mediaYAML, mediaXML, mediaText:
		return answerText
	case mediaBinary:
	}
	switch main, _, _ := strings.Cut(essence(contentType), "/"); {
	case showable(essence(contentType)):
		return answerImage
	case main == "audio":
		return answerAudio
	}
	return answerBlob
}

// showable says that models can look at an image of this type; the model's vendor
// would refuse the whole conversation for another.
func showable(mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// result turns an answer into what mapping shows, or a failure into an error.
func (a *Adapter) result(op *operation, r *reply, c mapping.Call) (*mapping.Result, error) {
	if (r.status < 200 || r.status > 299) && r.status != http.StatusNotModified {
		return nil, a.statusFailure(op, r, c.Caller)
	}
	if r.coding != "" {
		return nil, unreadable(op, r)
	}
	if len(bytes.TrimSpace(r.body)) == 0 {
		return &mapping.Result{Note: emptyNote(op, r)}, nil
	}
	t := r.header.Get("Content-Type")
	kind := answerKind(t, r.body)
	switch kind {
	case answerJSON:
		return jsonResult(op, r, c), nil
	case answerText:
		return textResult(op, r, c), nil
	case answerImage, answerAudio, answerBlob:
	}
	return bytesResult(kind, t, r), nil
}

// emptyNote says in words that a call without an answer worked, and what the
// header says where that is the answer.
func emptyNote(op *operation, r *reply) string {
	note := fmt.Sprintf("It worked: the API answered %s without content", statusWords(r.status))
	names := []string{"Location"}
	if op.method == http.MethodHead || op.method == http.MethodOptions {
		names = []string{"Allow", "Content-Type", "Content-Length", "Last-Modified", "Etag", "Location"}
	}
	for _, name := range names {
		if v := r.header.Get(name); v != "" {
			note += "; " + name + ": " + v
		}
	}
	return note + "."
}

// jsonResult hands JSON on as it came, digit for digit. What a limit cut is closed
// after its last whole item; what is no JSON at all is a text.
func jsonResult(op *operation, r *reply, c mapping.Call) *mapping.Result {
	body := jsonBytes(r)
	if !validJSON(body) {
		return textResult(op, r, c)
	}
	res := &mapping.Result{JSON: body, Truncated: r.cut}
	if !r.cut {
		res.Next = next(op, r, c)
	}
	if r.cut || int64(len(body)) > c.Budget {
		res.Note = narrowNote(op, r.cut)
	}
	return res
}

// jsonBytes is the body as UTF-8 JSON: RFC 8259 section 8.1 allows nothing else,
// and servers send other charsets and marks all the same. One value a line becomes
// a list.
func jsonBytes(r *reply) json.RawMessage {
	t := r.header.Get("Content-Type")
	body := r.body
	if !validJSON(body) && !r.cut {
		body = r.text()
	}
	if mediaKind(t) != mediaLines {
		if r.cut {
			return cutJSON(body)
		}
		return body
	}
	end := []byte{'\n'}
	if bytes.HasPrefix(body, []byte{0x1e}) { // RFC 7464, whose values may have several lines
		end = body[:1]
	}
	lines := bytes.Split(body, end)
	list := []byte{'['}
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 || r.cut && !json.Valid(line) {
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, line...)
	}
	return append(list, ']')
}

func textResult(op *operation, r *reply, c mapping.Call) *mapping.Result {
	t := r.header.Get("Content-Type")
	block := mapping.Block{Kind: mapping.Text, Text: string(r.text())}
	if essence(t) != "text/plain" {
		block.MIME = essence(t)
	}
	res := &mapping.Result{Blocks: []mapping.Block{block}, Truncated: r.cut}
	if r.cut || int64(len(block.Text)) > c.Budget {
		res.Note = narrowNote(op, r.cut)
	}
	return res
}

// bytesResult hands bytes on exactly, or not at all.
func bytesResult(kind answer, contentType string, r *reply) *mapping.Result {
	mediaType := essence(contentType)
	if mediaType == "" {
		mediaType = essence(http.DetectContentType(r.body))
	}
	if r.cut {
		return &mapping.Result{Truncated: true, Note: fmt.Sprintf("The answer is %s of more than %d bytes, which is more than can be passed on; it was left out.", mediaType, len(r.body))}
	}
	block := mapping.Block{Kind: mapping.Blob, Data: r.body, MIME: mediaType}
	switch kind {
	case answerImage:
		block.Kind = mapping.Image
	case answerAudio:
		block.Kind = mapping.Audio
	case answerJSON, answerText, answerBlob:
	}
	return &mapping.Result{Blocks: []mapping.Block{block}}
}
