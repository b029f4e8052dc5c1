package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// A spoiler makes messages of every malformed kind out of good ones. The same
// seed gives the same messages.
type spoiler struct{ *rand.Rand }

func newSpoiler(seed uint64) spoiler { return spoiler{rand.New(rand.NewPCG(seed, 0))} }

// good are requests that are answered, with a place for an id.
func (s spoiler) good() string {
	all := []string{
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"n":1,"s":"é"}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"odd://odd/things/a"}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"prompts/get","params":{"name":"greet","arguments":{"who":"Ann"}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""},"context":{"arguments":{}}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":"odd://odd/note"}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"logging/setLevel","params":{"level":"info"}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{},` + listenMeta + `}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"removes","inputResponses":{"confirm":{"action":"accept"}},` + listenMeta + `}}`,
		`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept"}}`,
		`{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":"m"}}`,
	}
	return fmt.Sprintf(all[s.IntN(len(all))], s.IntN(1000))
}

// bad returns a message with something wrong. It has no line break.
func (s spoiler) bad() []byte {
	text := []byte(s.good())
	switch s.IntN(8) {
	case 0: // cut off
		text = text[:s.IntN(len(text))]
	case 1: // bytes changed
		for range 1 + s.IntN(4) {
			text[s.IntN(len(text))] = byte(s.IntN(256))
		}
	case 2: // nothing that was meant
		text = make([]byte, s.IntN(200))
		for i := range text {
			text[i] = byte(s.IntN(256))
		}
	case 3: // deep
		text = []byte(strings.Repeat([]string{"[", `{"a":`, `[{"jsonrpc":`}[s.IntN(3)], 1+s.IntN(3000)))
	case 4: // more than one
		text = append(text, s.good()...)
	default: // something in it is something else
		text = s.replaced(text)
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
}

// replaced puts odd values in place of values anywhere in a message.
func (s spoiler) replaced(text []byte) []byte {
	var whole any
	if json.Unmarshal(text, &whole) != nil {
		return text
	}
	odd := []any{
		nil, true, -1, 1.5, 1e300, json.Number("123456789012345678901234567890"), "", "x", "\x00", "\u2028", strings.Repeat("y", 3000),
		[]any{}, map[string]any{}, []any{nil}, map[string]any{"": nil}, "2.0", "2026-07-28", "tools/call", "notifications/cancelled",
	}
	var spoil func(v any) any
	spoil = func(v any) any {
		if s.IntN(4) == 0 {
			return odd[s.IntN(len(odd))]
		}
		fields, ok := v.(map[string]any)
		if !ok || len(fields) == 0 {
			return odd[s.IntN(len(odd))]
		}
		names := slices.Sorted(maps.Keys(fields))
		name := names[s.IntN(len(names))]
		if s.IntN(5) == 0 {
			delete(fields, name)
			return fields
		}
		fields[name] = spoil(fields[name])
		return fields
	}
	out, err := json.Marshal(spoil(whole))
	if err != nil {
		return text
	}
	return out
}

// wantJSONRPC wants every line to be a message, with no word of Go in it.
func wantJSONRPC(t *testing.T, sent []byte, line string) {
	t.Helper()
	var answers []json.RawMessage
	if json.Unmarshal([]byte(line), &answers) != nil {
		answers = []json.RawMessage{json.RawMessage(line)}
	}
	for _, one := range answers {
		var m struct {
			Version string `json:"jsonrpc"`
			Method  string
			Result  json.RawMessage
			Error   *struct {
				Code    int64
				Message string
			}
		}
		if err := json.Unmarshal(one, &m); err != nil || m.Version != "2.0" {
			t.Fatalf("%.300q is answered with %q, which is no message: %v", sent, line, err)
			return
		}
		if m.Error != nil && (m.Error.Code == 0 || goWords(m.Error.Message)) {
			t.Fatalf("%.300q is answered with code %d in words of Go: %s", sent, m.Error.Code, m.Error.Message)
		}
	}
}

func goWords(text string) bool {
	for _, word := range []string{"unmarshal", "json:", "Go struct", "mcp.", "invalid character", "nil pointer", "runtime error", "jsonrpc2"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// spoilPipe sends something broken over pipes and wants the next good one to be
// answered.
func spoilPipe(t *testing.T, p *pipe, bad []byte, n int) {
	good := fmt.Sprintf("good %d", n)
	sent := make(chan struct{})
	go func() { // which is answered before all of it has been read
		defer close(sent)
		fmt.Fprintf(p.in, "%s\n"+`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"echo","arguments":{"n":%d}}}`+"\n", bad, good, n)
	}()
	defer func() { <-sent }()
	for {
		line := p.next()
		if strings.Contains(line, good) {
			if !strings.Contains(line, fmt.Sprintf(`\"n\":%d}}`, n)) {
				t.Fatalf("after %.300q: %s", bad, line)
			}
			return
		}
		wantJSONRPC(t, bad, line)
	}
}

// Ten thousand broken messages over one pair of pipes, and each good one between
// them is answered.
func TestFaultMalformedLines(t *testing.T) {
	for _, revision := range []string{"2025-03-26", "2025-11-25"} {
		inBubble(t, func(t *testing.T) {
			before := heap()
			p := startPipe(t, wireworks(t))
			p.send(strings.Replace(handshake, "2025-11-25", revision, 1))
			p.next()
			s := newSpoiler(1)
			for n := range 5000 {
				spoilPipe(t, p, s.bad(), n)
			}
			p.in.Close()
			io.Copy(io.Discard, p.out)
			if err := <-p.done; err != nil {
				t.Error(err)
			}
			wantHeap(t, before)
		})
	}
}

// spoilPost posts something broken and wants an answer that is one.
func spoilPost(t *testing.T, h http.Handler, header map[string]string, bad []byte) {
	status, answer := ask(t, h, header, string(bad))
	if status >= 500 && status != http.StatusServiceUnavailable || goWords(answer) {
		t.Fatalf("%.300q is answered with %d: %s", bad, status, answer)
	}
}

// The same over HTTP, in a session and without one.
func TestFaultMalformedPosts(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		before := heap()
		h := wireworks(t).Handler()
		session := map[string]string{"Mcp-Protocol-Version": "2025-11-25", "Mcp-Session-Id": openSession(t, h)}
		s := newSpoiler(2)
		for n := range 10_000 {
			bad := s.bad()
			header := session
			switch n % 3 {
			case 0:
				header = modernHeader("tools/call", "echo")
			case 1:
				header = nil
			}
			if bytes.Contains(bad, []byte("subscriptions/listen")) {
				continue // it may be answered by a stream without end
			}
			spoilPost(t, h, header, bad)
			if n%20 > 0 {
				continue
			}
			if _, answer := ask(t, h, modernHeader("tools/call", "echo"), modernBody("tools/call", `"name":"echo","arguments":{"n":1}`)); !strings.Contains(answer, `{"args":{"n":1}}`) {
				t.Fatalf("after %.300q: %s", bad, answer)
			}
			if _, answer := ask(t, h, session, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); !strings.Contains(answer, `"result":{}`) {
				t.Fatalf("after %.300q the session answers %s", bad, answer)
			}
		}
		wantHeap(t, before)
	})
}

// openSession has a handshake and returns the session's id.
func openSession(t *testing.T, h http.Handler) string {
	t.Helper()
	w := recorded(t, h, post{body: handshake})
	id := w.Header().Get("Mcp-Session-Id")
	if id == "" {
		t.Fatalf("no session: %d %s", w.Code, w.Body)
	}
	return id
}

func FuzzLines(f *testing.F) {
	s := newSpoiler(3)
	for range 50 {
		f.Add(s.bad())
	}
	b, err := core.New(core.Options{}, core.Sources{"odd": oddities()})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { b.Close() })
	f.Fuzz(func(t *testing.T, bad []byte) {
		if bytes.ContainsAny(bad, "\r\n") {
			return
		}
		p := startPipe(t, b)
		p.send(handshake)
		p.next()
		spoilPipe(t, p, bad, 1)
		p.in.Close()
		io.Copy(io.Discard, p.out)
		<-p.done
	})
}
