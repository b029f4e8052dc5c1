package core

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The SDK keeps ids and progress tokens as floating point numbers. One beyond
// 2^53 goes in as a string that no client is likely to use, and comes out again
// as it was written.
const integerMark = "\x00integer "

// maxExact is the greatest integer up to which every integer is a float64.
const maxExact = 1 << 53

// exactID reports whether the SDK can repeat this id.
func exactID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxExact <= n && n <= maxExact
}

// sdkID returns an id that the SDK can hold.
func sdkID(id json.RawMessage) (jsonrpc.ID, error) {
	if !exactID(id) {
		return jsonrpc.MakeID(integerMark + string(id))
	}
	var value any
	if err := json.Unmarshal(id, &value); err != nil {
		return jsonrpc.ID{}, err
	}
	return jsonrpc.MakeID(value)
}

// marked returns an id that the SDK can hold, as JSON.
func marked(id json.RawMessage) json.RawMessage {
	if exactID(id) {
		return id
	}
	text, err := json.Marshal(integerMark + string(id))
	if err != nil {
		return id // a string always marshals
	}
	return text
}

// unmarked writes these ids as they were wherever text has them marked.
func unmarked(text []byte, ids []json.RawMessage) []byte {
	for _, id := range ids {
		text = bytes.ReplaceAll(text, marked(id), id)
	}
	return text
}

// sdkParams returns the params with every integer that the SDK would round
// marked.
func (m *message) sdkParams() json.RawMessage {
	if m.method == "notifications/cancelled" {
		return changeField(m.params, "requestId", marked)
	}
	if exactID(m.meta.Progress) {
		return m.params
	}
	return changeField(m.params, "_meta", func(meta json.RawMessage) json.RawMessage {
		return changeField(meta, "progressToken", marked)
	})
}

// changeField changes one field of an object, if it is there.
func changeField(whole json.RawMessage, name string, change func(json.RawMessage) json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(whole, &fields) != nil || len(fields[name]) == 0 {
		return whole
	}
	fields[name] = change(fields[name])
	text, err := json.Marshal(fields)
	if err != nil {
		return whole // raw JSON always marshals
	}
	return text
}

// sdkText returns the message as the SDK can hold it. It is data where nothing
// has to be changed.
func (m *message) sdkText(data []byte) ([]byte, error) {
	params := m.sdkParams()
	if m.method == "" || exactID(m.id) && bytes.Equal(params, m.params) {
		return data, nil
	}
	return json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{"2.0", marked(m.id), m.method, params})
}

// tokenOf returns a progress token as it was written.
func tokenOf(token any) any {
	if text, ok := token.(string); ok && strings.HasPrefix(text, integerMark) {
		return json.Number(strings.TrimPrefix(text, integerMark))
	}
	return token
}
