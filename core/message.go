package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxDepth is how deep a message may nest: the SDK reads 1000, of which one may be
// the array of a batch.
const maxDepth = 999

// A message is one JSON-RPC message as it came over the wire, looked at before
// the SDK decodes it: the SDK ends a session at what it cannot decode, keeps ids
// as floating point numbers, and answers some broken requests without a code.
type message struct {
	id     json.RawMessage // as it was written; nil if there is none
	method string          // "" for a response
	params json.RawMessage // nil or an object
	fields object          // of params
	meta   requestMeta     // of params
}

// A refusal is the answer to a message that is not passed on.
type refusal struct {
	id   json.RawMessage // nil if the message has none that could be repeated
	code int64
	text string
	data json.RawMessage

	status int // over HTTP, 0 is that of the code
}

// encode returns the refusal as a JSON-RPC error response. MCP has no null ids,
// so an unknown id is left out.
func (r *refusal) encode() []byte {
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", r.id, &jsonrpc.Error{Code: r.code, Message: r.text, Data: r.data}})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}`) // r.id is JSON
	}
	return text
}

// parseMessage reads one message. What is returned beside a refusal is as much
// of the message as could be read.
func parseMessage(data []byte) (message, *refusal) {
	if !utf8.Valid(data) {
		return message{}, &refusal{code: jsonrpc.CodeParseError, text: "this is not UTF-8"}
	}
	if !json.Valid(data) {
		return message{}, &refusal{code: jsonrpc.CodeParseError, text: notJSON(json.Unmarshal(data, new(any)))}
	}
	fields, ok := readObject(data)
	if !ok {
		return message{}, &refusal{code: jsonrpc.CodeInvalidRequest, text: "a message is one JSON object"}
	}
	m := message{id: fields.get("id"), params: fields.get("params")}
	if !validID(m.id) {
		return message{}, &refusal{code: jsonrpc.CodeInvalidRequest, text: "id is not a string or an integer"}
	}
	refuse := func(code int64, format string, args ...any) (message, *refusal) {
		return m, &refusal{id: m.id, code: code, text: fmt.Sprintf(format, args...)}
	}
	if string(fields.get("jsonrpc")) != `"2.0"` {
		return refuse(jsonrpc.CodeInvalidRequest, `jsonrpc is not "2.0"`)
	}
	method := fields.get("method")
	m.method = textOf(method)
	if isDeep(data) {
		return refuse(jsonrpc.CodeInvalidRequest, "arrays and objects nest more than %d deep", maxDepth)
	}
	if method == nil || string(method) == "null" {
		if m.id == nil || fields.get("result") == nil && fields.get("error") == nil {
			return refuse(jsonrpc.CodeInvalidRequest, "this is neither a request nor a response: it has no method")
		}
		if _, err := jsonrpc.DecodeMessage(data); err != nil {
			return refuse(jsonrpc.CodeInvalidRequest, "this is not a response")
		}
		return m, nil
	}
	if m.method == "" {
		return refuse(jsonrpc.CodeInvalidRequest, "method is not a string that names one")
	}
	if m.id != nil && strings.HasPrefix(m.method, "notifications/") {
		return refuse(jsonrpc.CodeInvalidRequest, "a notification has no id")
	}
	if problem := m.checkParams(); problem != "" {
		return refuse(jsonrpc.CodeInvalidParams, "%s", problem)
	}
	return m, nil
}

// isDeep reports whether this JSON nests deeper than a message may.
func isDeep(text []byte) bool {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) <= maxDepth {
		return false
	}
	depth := 0
	for at := 0; at < len(text) && depth <= maxDepth; at++ {
		switch text[at] {
		case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return depth > maxDepth
}

// notJSON says where a text stops being JSON.
func notJSON(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("this is not JSON: it goes wrong after %d bytes", syntax.Offset)
	}
	return "this is not JSON"
}

// validID reports whether an id may be repeated: it is absent, a string or an
// integer of any size.
func validID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return true
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}
