package core

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// readMessages reads the body of a POST: one message, or a batch where the
// version has them; the message is then empty. It returns the body as the SDK
// can hold it, and the ids that are written otherwise in it.
func readMessages(body []byte, version string) (message, []json.RawMessage, []byte, *refusal) {
	if !startsBatch(body) {
		m, refused := parseMessage(body)
		if refused != nil {
			return message{}, nil, nil, refused
		}
		ids, text, err := m.forSDK(body)
		if err != nil {
			return message{}, nil, nil, &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: err.Error()}
		}
		return m, ids, text, nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(body, &parts); err != nil {
		return message{}, nil, nil, &refusal{code: jsonrpc.CodeParseError, text: notJSON(err)}
	}
	// Without a version header a request is one of 2025-03-26.
	if version != "" && version != revision20250326 || len(parts) == 0 {
		return message{}, nil, nil, errNoBatch()
	}
	var ids []json.RawMessage
	for i, part := range parts {
		m, refused := parseMessage(part)
		if refused == nil && m.method == "initialize" {
			refused = &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: "initialize comes alone"}
		}
		if refused != nil {
			return message{}, nil, nil, refused
		}
		inexact, text, err := m.forSDK(part)
		if err != nil {
			return message{}, nil, nil, &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: err.Error()}
		}
		ids, parts[i] = append(ids, inexact...), text
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return message{}, nil, nil, errNoBatch() // raw JSON always marshals
	}
	return message{}, ids, text, nil
}

func errNoBatch() *refusal {
	return &refusal{
		code: jsonrpc.CodeInvalidRequest,
		text: "a message is one JSON object; only " + revision20250326 + " has batches, and none is empty",
	}
}

// forSDK returns the message as the SDK can hold it, and its id if that is
// written otherwise there.
func (m *message) forSDK(data []byte) (ids []json.RawMessage, text []byte, err error) {
	if !exactID(m.id) {
		ids = append(ids, m.id)
	}
	text, err = m.sdkText(data)
	return ids, text, err
}

// An exactWriter writes the answer to one POST with these ids as the client wrote
// them.
type exactWriter struct {
	http.ResponseWriter
	ids []json.RawMessage
}

// Write sends one event, or a whole answer that is no stream.
func (w *exactWriter) Write(p []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(unmarked(p, w.ids)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap is for [http.ResponseController].
func (w *exactWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A sessionWriter writes the answer to one request of a session. The SDK answers
// an unknown method with bare text and status 400, which older clients take for a
// failure of the transport; here it becomes a JSON-RPC error.
type sessionWriter struct {
	http.ResponseWriter
	asked  message // empty for what is no single request
	silent bool    // what the SDK writes is not for the client
}

// WriteHeader sends the status of the answer.
func (w *sessionWriter) WriteHeader(status int) {
	if status != http.StatusBadRequest || w.asked.id == nil || w.asked.method == "" ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.silent = true
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(http.StatusOK)
	answer := refusal{id: w.asked.id, code: jsonrpc.CodeMethodNotFound, text: "there is no method " + w.asked.method}
	w.ResponseWriter.Write(answer.encode()) // the client may be gone
}

// Write sends one event, or a whole answer that is no stream.
func (w *sessionWriter) Write(p []byte) (int, error) {
	if w.silent {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController].
func (w *sessionWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
