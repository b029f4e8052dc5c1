package core

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A posted is what the body of a POST holds.
type posted struct {
	one     message           // empty for a batch
	batch   []message         // of a batch, what is passed on
	refused []*refusal        // of a batch, what is answered here
	ids     []json.RawMessage // that are written otherwise in text
	text    []byte            // what is passed on, as the SDK can hold it
}

// messages are all that is passed on.
func (p *posted) messages() []message {
	if p.batch != nil {
		return p.batch
	}
	return []message{p.one}
}

// readMessages reads the body of a POST: one message, or a batch where the
// version has them. What is wrong with one message of a batch is answered beside
// the answers to the others (JSON-RPC 2.0, section 6).
func readMessages(body []byte, version string) (posted, *refusal) {
	if !startsBatch(body) {
		m, refused := parseMessage(body)
		if refused != nil {
			return posted{}, refused
		}
		ids, text, err := m.forSDK(body)
		if err != nil {
			return posted{}, &refusal{id: m.id, code: jsonrpc.CodeInvalidRequest, text: err.Error()}
		}
		return posted{one: m, ids: ids, text: text}, nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(body, &parts); err != nil {
		return posted{}, &refusal{code: jsonrpc.CodeParseError, text: notJSON(err)}
	}
	// Without a version header a request is one of 2025-03-26.
	if version != "" && version != revision20250326 || len(parts) == 0 {
		return posted{}, errNoBatch()
	}
	var p posted
	seen := map[jsonrpc.ID]bool{}
	left := []json.RawMessage{}
	for _, part := range parts {
		text, refused := p.take(part, seen)
		if refused != nil {
			p.refused = append(p.refused, refused)
		}
		if text != nil {
			left = append(left, text)
		}
	}
	if len(left) == 0 { // the SDK still has to say whether the session is one
		left = append(left, json.RawMessage(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":""}}`))
	}
	text, err := json.Marshal(left)
	if err != nil {
		return posted{}, errNoBatch() // raw JSON always marshals
	}
	p.text = text
	return p, nil
}

// take returns one message of a batch as the SDK can hold it, nil if it is not
// passed on. seen are the ids before it.
func (p *posted) take(part json.RawMessage, seen map[jsonrpc.ID]bool) (json.RawMessage, *refusal) {
	m, refused := parseMessage(part)
	refuse := func(code int64, text string) (json.RawMessage, *refusal) {
		return nil, &refusal{id: m.id, code: code, text: text}
	}
	switch {
	case m.id == nil && m.method != "" && (refused != nil || !strings.HasPrefix(m.method, "notifications/")):
		return nil, nil // what has no id is never answered
	case m.method == "initialize":
		return refuse(jsonrpc.CodeInvalidRequest, "initialize comes alone")
	case m.method != "" && !mayBeInBatch(m.method):
		if m.id == nil {
			return nil, nil // a notification that nobody knows
		}
		return refuse(jsonrpc.CodeMethodNotFound, "there is no method "+m.method)
	case refused != nil:
		return nil, refused
	case textOf(m.meta.Version) >= revision20260728:
		return refuse(jsonrpc.CodeInvalidRequest, "a request of "+revision20260728+" comes alone")
	}
	if m.method != "" && m.id != nil {
		id, err := sdkID(m.id)
		if err != nil || seen[id] {
			return refuse(jsonrpc.CodeInvalidRequest, idInUse)
		}
		seen[id] = true
	}
	ids, text, err := m.forSDK(part)
	if err != nil {
		return refuse(jsonrpc.CodeInvalidRequest, err.Error())
	}
	p.batch, p.ids = append(p.batch, m), append(p.ids, ids...)
	return text, nil
}

// mayBeInBatch reports whether 2025-03-26, the only revision with batches, has a
// method for clients. Of a batch with another one the SDK refuses every message.
func mayBeInBatch(method string) bool {
	switch method {
	case "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
		"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
		"notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed":
		return true
	}
	return false
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

// A batchWriter writes the answers to a batch, of which some messages have not
// been passed on.
type batchWriter struct {
	http.ResponseWriter
	refused []*refusal // to be answered first
	begun   bool
}

// WriteHeader sends the status of the answer, and what has been refused.
func (w *batchWriter) WriteHeader(status int) {
	w.begun = true
	streams := strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
	if status != http.StatusAccepted && (status != http.StatusOK || !streams) {
		w.ResponseWriter.WriteHeader(status) // the batch as a whole is refused
		return
	}
	if streams {
		w.ResponseWriter.WriteHeader(status)
		for _, r := range w.refused {
			fmt.Fprintf(w.ResponseWriter, "event: message\ndata: %s\n\n", r.encode()) // the client may be gone
		}
		return
	}
	all := make([]json.RawMessage, len(w.refused))
	for i, r := range w.refused {
		all[i] = r.encode()
	}
	text, err := json.Marshal(all)
	if err != nil {
		text = []byte("[]") // raw JSON always marshals
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(http.StatusOK)
	w.ResponseWriter.Write(text) // the client may be gone
}

// Write sends one event, or a whole answer that is no stream.
func (w *batchWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// FlushError sends what has been written.
func (w *batchWriter) FlushError() error {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for [http.ResponseController].
func (w *batchWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
