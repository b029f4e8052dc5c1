package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
)

// A peer is a server to measure: the command that serves MCP at /mcp of a port,
// and the tool that gets a row by its id.
type peer struct {
	name string
	tool string
	line func(port string) (args, environment []string)
}

// A server is a running peer. Any number of goroutines may ask it at once.
type server struct {
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	url     string
	id      atomic.Int64  // of the newest request
	session string        // of the protocol, "" where the server needs none
	listed  time.Duration // from the start of the process to its list of tools
}

// start starts the process, shakes hands as soon as the port is open, and asks for
// the tools.
func (p peer) start(b *testing.B) *server {
	b.Helper()
	port := freePort(b)
	args, environment := p.line(port)
	s := &server{cmd: exec.CommandContext(b.Context(), args[0], args[1:]...), url: "http://127.0.0.1:" + port + "/mcp"}
	s.cmd.Env = append(os.Environ(), environment...)
	s.cmd.Stdout, s.cmd.Stderr = io.Discard, &s.stderr
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		b.Fatalf("%s: %v", p.name, err)
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		_, err := s.ask(ctx, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
		if err == nil {
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			s.stop()
			b.Fatalf("%s does not answer: %v\n%s", p.name, err, s.stderr.Bytes())
		}
	}
	list, err := s.ask(ctx, "tools/list", `{}`)
	if err != nil || !bytes.Contains(list, []byte(`"`+p.tool+`"`)) {
		s.stop()
		b.Fatalf("%s lists %s: %v\n%s", p.name, list, err, s.stderr.Bytes())
	}
	s.listed = time.Since(began)
	return s
}

// stop ends the process and waits for it.
func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// memory is how much the process holds now, in MB.
func (s *server) memory(b *testing.B) float64 {
	b.Helper()
	resident, _, err := process.Memory(s.cmd.Process.Pid)
	if err != nil {
		b.Fatal(err)
	}
	return float64(resident) / 1e6
}

// client keeps a connection for each caller.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}

// ask posts one request and returns the body of the answer, which is JSON or one
// event that holds it.
func (s *server) ask(ctx context.Context, method, params string) ([]byte, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id.Add(1), method, params)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method != "initialize" {
		r.Header.Set("MCP-Protocol-Version", "2025-06-18")
	}
	if s.session != "" {
		r.Header.Set("Mcp-Session-Id", s.session)
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %.500s", answer.Status, text)
	}
	if method == "initialize" {
		s.session = answer.Header.Get("Mcp-Session-Id")
	}
	return text, nil
}

// get looks a row up, and holds the answer against what the row is.
func (s *server) get(tool string) lookup {
	return func(ctx context.Context, id int64) error {
		text, err := s.ask(ctx, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"id":%d}}`, tool, id))
		if err != nil {
			return err
		}
		if !bytes.Contains(text, fmt.Appendf(nil, "item no %d.", id)) || bytes.Contains(text, []byte(`"isError":true`)) {
			return fmt.Errorf("row %d: %.500s", id, text)
		}
		return nil
	}
}

func freePort(b *testing.B) string {
	b.Helper()
	var config net.ListenConfig
	l, err := config.Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err := errors.Join(err, l.Close()); err != nil {
		b.Fatal(err)
	}
	return port
}

// quoted writes a string for JSON, YAML and TOML alike.
func quoted(b *testing.B, text string) string {
	b.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		b.Fatal(err)
	}
	return string(out)
}
