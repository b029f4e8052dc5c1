package core_test

import (
	"fmt"
	"strings"
	"testing"
)

const listenMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func listenRequest(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, id, listenMeta)
}

// When the bridge closes, every request that listens is answered.
func TestListensEndWithAResult(t *testing.T) {
	b := wireworks(t)
	p := startPipe(t, b)
	for id := range 3 {
		p.send(listenRequest(id))
		p.next()
	}
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	left := map[string]bool{"0": true, "1": true, "2": true}
	for range 3 {
		m, _ := decode(t, p.next()).(map[string]any)
		if result, _ := m["result"].(map[string]any); result["resultType"] != "complete" {
			t.Errorf("a listen ended with %v", m)
		}
		delete(left, fmt.Sprint(m["id"]))
	}
	if len(left) > 0 {
		t.Errorf("%v were not answered", left)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	p.end()
}

// The same over HTTP, where each has a stream of its own.
func TestStreamsEndWithAResult(t *testing.T) {
	b := wireworks(t)
	h := serveWire(t, b.Handler())
	for id := range 3 {
		name := fmt.Sprint(id)
		for _, line := range []string{"POST", "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen", listenRequest(id)} {
			h.send(t, name, line)
		}
		if problem := h.expect(t, name, `{"method": "notifications/subscriptions/acknowledged"}`); problem != "" {
			t.Fatal(problem)
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for id := range 3 {
		for _, want := range []string{fmt.Sprintf(`{"id": %d, "result": {"resultType": "complete"}}`, id), "end"} {
			if problem := h.expect(t, fmt.Sprint(id), want); problem != "" {
				t.Errorf("%d: %s, want %s", id, problem, want)
			}
		}
	}
}

// One client cannot open streams without end.
func TestListensAreBounded(t *testing.T) {
	p := startPipe(t, wireworks(t))
	for id := range 100 {
		p.send(listenRequest(id))
		p.next()
	}
	p.send(listenRequest(100))
	if got := p.next(); !strings.Contains(got, `"id":100,"error":{"code":-32603,"message":"too many requests listen already`) {
		t.Errorf("the 101st listen: %s", got)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	p.send(listenRequest(101))
	if got := p.next(); !strings.Contains(got, "acknowledged") {
		t.Errorf("after one has ended: %s", got)
	}
	p.in.Close()
	for range 100 {
		if got := p.next(); !strings.Contains(got, `"resultType":"complete"`) {
			t.Errorf("after the end of input: %s", got)
		}
	}
	p.end()
}
