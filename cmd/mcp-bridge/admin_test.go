package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// admin waits until the admin address is served, and returns its URL.
func (r *running) admin() string {
	r.t.Helper()
	_, url, _ := strings.Cut(r.told("admin at "), "admin at ")
	return url
}

// ask gets a page of the admin address.
func ask(t *testing.T, url string, header ...string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// until asks until the answer has this status.
func until(t *testing.T, status int, url string) string {
	t.Helper()
	late := time.Now().Add(time.Minute)
	for {
		if got, body := ask(t, url); got == status {
			return body
		}
		if time.Now().After(late) {
			t.Fatalf("%s never answers %d", url, status)
		}
	}
}

func TestAdmin(t *testing.T) {
	config := write(t, t.TempDir(), "bridge.json", `{"sources": {
		"shop": {"kind": "demo-api"},
		"none": {"kind": "openapi", "location": "none.json"}
	}, "admin": {"listen": "127.0.0.1:0"}}`)
	r := start(t, "serve", "--config", config)
	admin := r.admin()
	r.told("shop: ")
	for _, c := range []struct {
		path, body string
		status     int
		header     []string
	}{
		{"/healthz", "alive\n", 200, nil},
		{"/readyz", "ready, without none; the log says why\n", 200, nil},
		{"/readyz", "ready, without none; the log says why\n", 200, []string{"Host", "localhost:1"}},
		{"/readyz", "ready, without none; the log says why\n", 200, []string{"Host", "[::1]"}},
		{"/readyz", "this is not served under the name that was asked for\n", 403, []string{"Host", "rebound.example.com"}},
		{"/mcp", "404 page not found\n", 404, nil},
	} {
		if status, body := ask(t, admin+c.path, c.header...); status != c.status || body != c.body {
			t.Errorf("%s %v is answered with %d %q, want %d %q", c.path, c.header, status, body, c.status, c.body)
		}
	}
	printed, err := exec.CommandContext(t.Context(), "mcp-bridge", "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Version, Go, Platform string }
	if _, body := ask(t, admin+"/version"); json.Unmarshal([]byte(body), &v) != nil {
		t.Errorf("/version is answered with %q", body)
	}
	if got := fmt.Sprintf("mcp-bridge %s %s %s\n", v.Version, v.Go, v.Platform); got != string(printed) {
		t.Errorf("/version says %q, and the command %q", got, printed)
	}
}

func TestAdminIsNotReadyBeforeTheSourcesAre(t *testing.T) {
	slow := newBackend(t)
	config := write(t, t.TempDir(), "bridge.json", fmt.Sprintf(`{"sources": {"slow": {"kind": "openapi", "location": %q}}, "admin": {"listen": "127.0.0.1:0"}}`, slow.URL))
	r := start(t, "serve", "--config", config)
	admin := r.admin()
	<-slow.asked
	if status, body := ask(t, admin+"/readyz"); status != 503 || body != "not ready: the sources are being loaded\n" {
		t.Errorf("/readyz is answered with %d %q", status, body)
	}
	if status, _ := ask(t, admin+"/healthz"); status != 200 {
		t.Errorf("/healthz is answered with %d", status)
	}
	close(slow.answer)
}

// slowConfig serves a slow backend and has an admin address.
func slowConfig(t *testing.T, slow *backend) string {
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	return write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"slow": {"kind": "openapi", "location": "slow.json", "baseURL": %q, "prefix": ""}}, "admin": {"listen": "127.0.0.1:0"}}`, slow.URL))
}

func TestDrain(t *testing.T) {
	slow := newBackend(t)
	r := start(t, "serve", "--config", slowConfig(t, slow), "--http", "127.0.0.1:0")
	admin := r.admin()
	endpoint := r.endpoint()
	until(t, http.StatusOK, admin+"/readyz")
	called := make(chan string)
	go func() {
		body, err := io.ReadAll(post(t, endpoint, "tools/call", "get_slow", `"name":"get_slow"`))
		called <- fmt.Sprint(string(body), err)
	}()
	<-slow.asked
	r.cmd.Process.Signal(syscall.SIGTERM)
	if got := until(t, http.StatusServiceUnavailable, admin+"/readyz"); got != "not ready: shutting down\n" {
		t.Errorf("/readyz says %q", got)
	}
	if status, _ := ask(t, admin+"/healthz"); status != 200 {
		t.Errorf("/healthz is answered with %d while calls are under way", status)
	}
	close(slow.answer)
	if answer := <-called; !strings.Contains(answer, `"slow":true`) {
		t.Errorf("the call is answered with %s", answer)
	}
	if code, rest := r.ended(); code != 0 || rest != "" {
		t.Errorf("the signal ends it with %d and %q on standard output, want 0 and nothing", code, rest)
	}
}

// A call that goes on for too long does not keep the program from ending.
func TestDrainEnds(t *testing.T) {
	slow := newBackend(t)
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	config := write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"slow": {"kind": "openapi", "location": "slow.json", "baseURL": %q, "prefix": ""}}, "limits": {"drain": "10ms"}}`, slow.URL))
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		callAndForget(t, endpoint)
	}()
	<-slow.asked
	r.cmd.Process.Signal(syscall.SIGTERM)
	if code, rest := r.ended(); code != 0 || rest != "" {
		t.Errorf("the signal ends it with %d and %q on standard output, want 0 and nothing", code, rest)
	}
	<-ended
	close(slow.answer)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	slow := newBackend(t)
	r := start(t, "serve", "--config", slowConfig(t, slow), "--http", "127.0.0.1:0")
	admin := r.admin()
	endpoint := r.endpoint()
	until(t, http.StatusOK, admin+"/readyz")
	go callAndForget(t, endpoint)
	<-slow.asked
	r.cmd.Process.Signal(syscall.SIGTERM)
	until(t, http.StatusServiceUnavailable, admin+"/readyz")
	r.cmd.Process.Signal(syscall.SIGTERM)
	if code, _ := r.ended(); code != -1 {
		t.Errorf("the second signal ends it with %d, want -1: killed by it", code)
	}
	close(slow.answer)
}

// callAndForget calls get_slow, whatever becomes of that.
func callAndForget(t *testing.T, endpoint string) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(strings.ReplaceAll(call, "NAME", "get_slow")))
	if err != nil {
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", "get_slow")
	if resp, err := new(http.Client).Do(req); err == nil {
		resp.Body.Close()
	}
}

// call is a tools/call of 2026-07-28.
const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

func TestAdminListensOnThisMachineOnly(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0":  "admin.allowRemote",
		":0":         "admin.allowRemote",
		"elsewhere":  "is not an address",
		"1.2.3.4:99": "admin.allowRemote",
	} {
		var errs strings.Builder
		p := &process{in: strings.NewReader(""), out: io.Discard, err: &errs, lookup: os.LookupEnv}
		config := write(t, t.TempDir(), "bridge.json", fmt.Sprintf(`{"sources": {"shop": {"kind": "demo-api"}}, "admin": {"listen": %q}}`, address))
		if code := p.run([]string{"serve", "--config", config}); code != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("admin.listen %s ends with %d and %q", address, code, &errs)
		}
	}
	config := write(t, t.TempDir(), "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "admin": {"listen": "0.0.0.0:0", "allowRemote": true}}`)
	start(t, "serve", "--config", config).admin()
}
