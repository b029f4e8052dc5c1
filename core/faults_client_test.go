package core_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A network is connections without buffers inside a bubble, where a peer that
// does not read is felt at once and every goroutine has to end.
type network struct {
	t      *testing.T
	dialed chan net.Conn
	closed chan struct{}
	gone   chan net.Conn // which the server has closed
	server *http.Server
	client *http.Client
}

// serveInBubble serves a bridge. close ends it all.
func serveInBubble(t *testing.T, b *core.Bridge) *network {
	n := &network{t: t, dialed: make(chan net.Conn), closed: make(chan struct{}), gone: make(chan net.Conn, 1000)}
	n.server = &http.Server{Handler: b.Handler(), ConnState: func(c net.Conn, s http.ConnState) {
		if s == http.StateClosed {
			n.gone <- c
		}
	}}
	n.client = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return n.dial(), nil }}}
	go n.server.Serve(n)
	return n
}

func (n *network) dial() net.Conn {
	here, there := net.Pipe()
	n.dialed <- there
	return here
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.dialed:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error   { return nil }
func (n *network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (n *network) close() {
	n.client.CloseIdleConnections()
	close(n.closed)
	n.server.Close()
}

// raw writes a whole request on a connection of its own and returns that.
func (n *network) raw(header, body string) net.Conn {
	n.t.Helper()
	c := n.dial()
	text := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s", header, len(body), body)
	if _, err := io.WriteString(c, text); err != nil {
		n.t.Fatal(err)
	}
	return c
}

// modernCall is a call as 2026-07-28 sends it, with the headers it needs.
func modernCall(tool, meta string) (header, body string) {
	body = strings.Replace(modernBody("tools/call", fmt.Sprintf(`"name":%q`, tool)), `"_meta":{`, `"_meta":{`+meta, 1)
	return "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n", body
}

// works wants that a bridge still answers.
func (n *network) works(name, want string) {
	n.t.Helper()
	c := n.raw(modernCall(name, ""))
	defer c.Close()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		n.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(answer), want) {
		n.t.Errorf("afterwards %s is answered with %s, %v; want %s", name, answer, err, want)
	}
}

// A client that takes no more of its answer is given up, whether it reads nothing
// at all or has gone away without a word; what was for it is freed.
func TestFaultClientDoesNotRead(t *testing.T) {
	for _, meta := range []string{``, `"progressToken":1,`} {
		inBubble(t, func(t *testing.T) {
			large := `"` + strings.Repeat("x", 40_000) + `"`
			b := newBridge(t, core.Options{}, core.Sources{"one": onOne(adaptertest.Answer(large))})
			n := serveInBubble(t, b)
			defer n.close()
			begin := time.Now()
			c := n.raw(modernCall("do", meta))
			defer c.Close()
			<-n.gone
			if took := time.Since(begin); took < 30*time.Second || took > time.Minute {
				t.Errorf("the client was given up after %s, want 30s or a little more", took)
			}
			n.works("do", "xxx")
		})
	}
}

// A client that goes away in the middle of a call of 2026-07-28 has canceled it;
// before, the call goes on, and its session can still be used.
func TestFaultClientGone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		started, ended := make(chan struct{}), make(chan error, 1)
		release := make(chan struct{})
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
			started <- struct{}{}
			select {
			case <-ctx.Done():
			case <-release:
			}
			ended <- ctx.Err()
			return &mapping.Result{JSON: json.RawMessage(`{"ok":true}`)}, ctx.Err()
		})})
		n := serveInBubble(t, b)
		defer n.close()
		for _, meta := range []string{``, `"progressToken":1,`} {
			c := n.raw(modernCall("do", meta))
			<-started
			c.Close()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("%q: the adapter saw %v, want Canceled", meta, err)
			}
		}

		c := n.raw("", handshake)
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		c.Close()
		session := "Mcp-Session-Id: " + response.Header.Get("Mcp-Session-Id") + "\r\n"
		c = n.raw(session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"do"}}`)
		<-started
		c.Close()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Errorf("hanging up has canceled a call of 2025-11-25: %v", err)
		default:
		}
		close(release)
		if err := <-ended; err != nil {
			t.Errorf("the call ended with %v", err)
		}
		c = n.raw(session, `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		defer c.Close()
		response, err = http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("the session answers %v, %v", response, err)
		}
		response.Body.Close()
	})
}

// A stream whose client has gone away without a word ends soon after the next
// sign of life on it.
func TestFaultHalfOpenStream(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(nil)})
		n := serveInBubble(t, b)
		defer n.close()
		begin := time.Now()
		c := n.raw("Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n", listenRequest(1))
		defer c.Close()
		lines := bufio.NewReader(c)
		for line := ""; !strings.Contains(line, "acknowledged"); {
			var err error
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		<-n.gone
		if took := time.Since(begin); took > 2*time.Minute {
			t.Errorf("the stream ended after %s", took)
		}
		n.works("do", "structuredContent")
	})
}
