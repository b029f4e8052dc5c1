package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// FuzzPosts holds the short front against the SDK: whatever is sent to both, in a
// session or of 2026-07-28, is answered alike.
func FuzzPosts(f *testing.F) {
	p := newPair(f, func() *core.Bridge { return rich(f, core.Options{}) })
	sessions := p.open(f, "2025-06-18", nil)
	for _, w := range wishes() {
		if len(w.params) < 500 {
			f.Add(false, w.in("2026-07-28", "1", "").body, "2026-07-28", w.method, w.name, "application/json", "application/json, text/event-stream")
			f.Add(true, w.in("2025-06-18", `"a"`, "").body, "2025-06-18", "", "", "application/json", "*/*")
		}
	}
	plain := wish{method: "tools/call", params: `"name":"empty"`, name: "empty"}.in("2026-07-28", "1", "").body
	for _, kind := range []string{"application/json; x", "application/json;charset=utf-8", "application/json, text/plain", "\tApplication/Json"} {
		f.Add(false, plain, "2026-07-28", "tools/call", "empty", kind, "application/json")
	}
	for _, accept := range []string{"application/json;q=0, text/event-stream", "*/*;x", "text/*,application/*", "application/jsonp", " */* ", "text/event-stream"} {
		f.Add(false, plain, "2026-07-28", "tools/call", "empty", "application/json", accept)
	}
	for _, id := range ids() {
		f.Add(true, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"numbers","_meta":{"x":1}}}`, id), "", "", "", "application/json", "*/*")
	}
	for _, text := range []string{`\ud800`, `\u0000`, `\/`, `\ud83d\ude00`, `\u0041`} {
		f.Add(true, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"echo","arguments":{"s":"%s"},"_meta":{"%s":"%s"}}}`, text, text, text, text), "", "", "", "application/json", "*/*")
	}
	f.Fuzz(func(t *testing.T, inSession bool, body, version, method, name, kind, accept string) {
		for _, open := range []string{"waits", "removes", "subscri", "setLevel", "initialize"} {
			if strings.Contains(body, open) {
				t.Skip() // it stays open, or changes what comes after it
			}
		}
		request := post{header: map[string]string{}, body: body}
		for header, value := range map[string]string{"Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name, "Content-Type": kind, "Accept": accept} {
			request.header[header] = value
		}
		if !inSession {
			p.asked(t, request, [2]string{})
			return
		}
		p.asked(t, request, sessions)
	})
}
