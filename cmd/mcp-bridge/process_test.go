package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A running is a mcp-bridge process of a test.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	lines chan string // of standard error
}

// start runs mcp-bridge. It is killed when the test ends.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{t: t, cmd: exec.CommandContext(t.Context(), "mcp-bridge", args...), lines: make(chan string, 1000)}
	r.cmd.WaitDelay = time.Second
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.out = bufio.NewReader(out)
	errs, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(r.lines)
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			r.lines <- lines.Text()
		}
	}()
	return r
}

// told waits for a line on standard error that holds part, and returns it.
func (r *running) told(part string) string {
	r.t.Helper()
	late := time.After(30 * time.Second)
	var before []string
	for {
		select {
		case line, ok := <-r.lines:
			if !ok {
				r.t.Fatalf("standard error ends without %q:\n%s", part, strings.Join(before, "\n"))
			}
			if strings.Contains(line, part) {
				return line
			}
			before = append(before, line)
		case <-late:
			r.t.Fatalf("no %q on standard error:\n%s", part, strings.Join(before, "\n"))
		}
	}
}

// send writes one message of the protocol.
func (r *running) send(message string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, message+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// receive reads the next message.
func (r *running) receive() map[string]any {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	if err != nil {
		r.t.Fatalf("no message: %v", err)
	}
	var message map[string]any
	if err := json.Unmarshal([]byte(line), &message); err != nil {
		r.t.Fatalf("standard output carries %q: %v", line, err)
	}
	return message
}

// ended waits for the end and returns the exit code and what was left on
// standard output.
func (r *running) ended() (code int, rest string) {
	r.t.Helper()
	left, err := io.ReadAll(r.out)
	if err != nil {
		r.t.Fatal(err)
	}
	for range r.lines { // until standard error ends
	}
	err = r.cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		r.t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode(), string(left)
}

// write makes a file in dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What an API sends beyond its answers is not written down: net/http would repeat
// it on standard error, past everything that hides secrets.
func TestUnexpectedAnswersAreNotRepeated(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dropped := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			dropped <- err
			return
		}
		defer conn.Close()
		requests := bufio.NewReader(conn)
		for line := ""; line != "\r\n" && err == nil; {
			line, err = requests.ReadString('\n')
		}
		// An answer to HEAD has no body, and this has one all the same.
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\ncanary-of-the-body")
		_, err = requests.ReadByte()
		dropped <- err // the client has looked at what it did not expect
	}()
	spec := write(t, t.TempDir(), "api.yaml", "{openapi: 3.0.3, info: {title: t, version: '1'}, servers: [{url: 'http://"+l.Addr().String()+"'}], paths: {/a: {head: {operationId: look, responses: {'200': {description: ok}}}}}}")
	r := start(t, "serve", spec)
	r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	r.receive()
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look","arguments":{}}}`)
	if m := r.receive(); m["result"] == nil {
		t.Fatalf("the call: %v", m)
	}
	if err := <-dropped; !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("the connection ends with %v", err)
	}
	r.in.Close()
	for line := range r.lines {
		if strings.Contains(line, "canary") {
			t.Errorf("on standard error: %s", line)
		}
	}
}
