package core

import (
	"encoding/json"
	"testing"
)

// FuzzMessage checks that whatever comes over the wire is either a message whose
// parts can be passed on, or refused by an answer that is JSON-RPC.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":null}}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":null}`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`,
		`{"jsonrpc":"2.0","id":-1e3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","method":"x","params":{"name":"","_meta":[]}}`,
		`{"jsonrpc":"2.0","id":-,"method":"ping"}`,
		`[{"jsonrpc":"2.0"}]`, `null`, `"`, "\xff", `{"id":1,"id":2}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, refused := parseMessage(data)
		if refused != nil {
			var answer struct {
				Version string `json:"jsonrpc"`
				Error   struct {
					Code    int64  `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			if err := json.Unmarshal(refused.encode(), &answer); err != nil {
				t.Fatalf("refusal %s: %v", refused.encode(), err)
			}
			if answer.Version != "2.0" || answer.Error.Code > -32600 || answer.Error.Message == "" {
				t.Errorf("refusal %s lacks version, code or words", refused.encode())
			}
			return
		}
		if !validID(m.id) || m.params != nil && m.params[0] != '{' {
			t.Errorf("%q was taken with id %s and params %s", data, m.id, m.params)
		}
		if _, err := sdkID(m.id); m.id != nil && err != nil {
			t.Errorf("the SDK cannot hold the id of %q: %v", data, err)
		}
		if text, err := m.sdkText(data); err != nil || !json.Valid(text) {
			t.Errorf("%q is passed on as %q, %v", data, text, err)
		}
	})
}
