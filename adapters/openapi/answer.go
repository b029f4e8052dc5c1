package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// result turns an answer into what mapping shows, or a failure into an error.
func (a *Adapter) result(op *operation, r *reply, c mapping.Call) (*mapping.Result, error) {
	if r.status < 200 || r.status > 299 {
		return nil, statusFailure(r)
	}
	if len(r.body) == 0 {
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: emptyAnswer(r)}}}, nil
	}
	t := r.header.Get("Content-Type")
	switch answerKind(t, r.body) {
	case answerJSON:
		return &mapping.Result{JSON: r.body, Truncated: r.cut}, nil
	case answerText:
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: string(r.body)}}, Truncated: r.cut}, nil
	case answerImage:
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Image, Data: r.body, MIME: essence(t)}}, Truncated: r.cut}, nil
	}
	return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Blob, Data: r.body, MIME: essence(t)}}, Truncated: r.cut}, nil
}

type answer int

const (
	answerJSON answer = iota
	answerText
	answerImage
	answerBlob
)

func answerKind(contentType string, body []byte) answer {
	if contentType == "" {
		contentType = http.DetectContentType(body)
		if json.Valid(body) {
			return answerJSON
		}
	}
	switch mediaKind(contentType) {
	case mediaJSON:
		if json.Valid(body) {
			return answerJSON
		}
		return answerText
	case mediaBinary:
		switch essence(contentType) {
		case "image/png", "image/jpeg", "image/gif", "image/webp":
			return answerImage
		}
		return answerBlob
	}
	return answerText
}

// emptyAnswer says in words that a call without an answer worked.
func emptyAnswer(r *reply) string {
	return fmt.Sprintf("Done: the API answered %s and sent no content.", statusWords(r.status))
}

func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return fmt.Sprintf("%d %s", status, words)
	}
	return fmt.Sprint(status)
}
