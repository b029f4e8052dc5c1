package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
)

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	ready      = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

const demoConfig = `{"sources": {"shop": {"kind": "demo-api"}}}`

func TestStdio(t *testing.T) {
	r := start(t, "serve", "--config", write(t, t.TempDir(), "bridge.json", demoConfig))
	r.send(initialize)
	hello, _ := r.receive()["result"].(map[string]any)
	if info, _ := hello["serverInfo"].(map[string]any); info["name"] != "shop" {
		t.Errorf("initialize is answered with %v", hello)
	}
	r.send(ready)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	list, _ := r.receive()["result"].(map[string]any)
	if tools, _ := list["tools"].([]any); len(tools) == 0 {
		t.Errorf("tools/list is answered with %v", list)
	}
	r.told("serving MCP on standard input and output")
	r.told("shop: ")
	r.in.Close()
	if code, rest := r.ended(); code != 0 || rest != "" {
		t.Errorf("the end of the input ends it with %d and %q, want 0 and nothing", code, rest)
	}
}

// A backend answers when the test lets it.
type backend struct {
	*httptest.Server
	asked, answer chan struct{}
}

func newBackend(t *testing.T) *backend {
	b := &backend{asked: make(chan struct{}, 1), answer: make(chan struct{})}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.asked <- struct{}{}
		<-b.answer
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"slow": true}`)
	}))
	t.Cleanup(b.Close)
	return b
}

const slowDocument = `{"openapi": "3.1.0", "info": {"title": "Slow", "version": "1"}, "paths": {"/slow": {"get": {"operationId": "getSlow", "responses": {"200": {"description": "ok"}}}}}}`

func TestStdioAnswersBeforeASignalEndsIt(t *testing.T) {
	slow := newBackend(t)
	r := start(t, "serve", write(t, t.TempDir(), "slow.json", slowDocument), "--base-url", slow.URL)
	r.send(initialize)
	r.receive()
	r.send(ready)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_slow"}}`)
	<-slow.asked
	r.cmd.Process.Signal(syscall.SIGTERM)
	close(slow.answer)
	if answer := r.receive(); answer["id"] != 2.0 || !strings.Contains(fmt.Sprint(answer["result"]), "slow") {
		t.Errorf("the call is answered with %v", answer)
	}
	if code, rest := r.ended(); code != 0 || rest != "" {
		t.Errorf("the signal ends it with %d and %q, want 0 and nothing", code, rest)
	}
}

// post sends one request of 2026-07-28 and returns the body of the answer.
func post(t *testing.T, endpoint, method, name, params string) io.Reader {
	t.Helper()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + strings.Trim(params+","+meta, ",") + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	if name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		t.Errorf("%s is answered with %s", method, resp.Status)
	}
	return resp.Body
}

// tools lists the names of the tools at an endpoint.
func tools(t *testing.T, endpoint string) string {
	t.Helper()
	var answer struct {
		Result struct{ Tools []struct{ Name string } }
	}
	body, err := io.ReadAll(post(t, endpoint, "tools/list", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("tools/list is answered with %q", body)
	}
	var names []string
	for _, tool := range answer.Result.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// endpoint waits until HTTP is served, and returns where.
func (r *running) endpoint() string {
	r.t.Helper()
	_, url, _ := strings.Cut(r.told("serving MCP at "), "serving MCP at ")
	return url
}

func TestHTTPAnswersBeforeASignalEndsIt(t *testing.T) {
	slow := newBackend(t)
	r := start(t, "serve", write(t, t.TempDir(), "slow.json", slowDocument), "--base-url", slow.URL, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	if got := tools(t, endpoint); got != "get_slow" {
		t.Errorf("the tools are %q, want get_slow", got)
	}
	stream := post(t, endpoint, "subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`)
	first := make([]byte, 1)
	if _, err := stream.Read(first); err != nil {
		t.Fatalf("the stream does not begin: %v", err)
	}
	called := make(chan string)
	go func() {
		body, err := io.ReadAll(post(t, endpoint, "tools/call", "get_slow", `"name":"get_slow"`))
		if err != nil {
			body = []byte(err.Error())
		}
		called <- string(body)
	}()
	<-slow.asked
	r.cmd.Process.Signal(syscall.SIGTERM)
	close(slow.answer)
	if answer := <-called; !strings.Contains(answer, `"slow":true`) {
		t.Errorf("the call is answered with %s", answer)
	}
	if _, err := io.Copy(io.Discard, stream); err != nil {
		t.Errorf("the stream breaks off: %v", err)
	}
	if code, rest := r.ended(); code != 0 || rest != "" {
		t.Errorf("the signal ends it with %d and %q on standard output, want 0 and nothing", code, rest)
	}
}

func TestHangupReadsTheConfigAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	config := write(t, dir, "bridge.json", `{"sources": {"a": {"kind": "openapi", "location": "slow.json"}}}`)
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	for _, step := range []struct{ config, told, tools string }{
		{`{"sources": {"a": {"kind": "openapi", "location": "slow.json"}, "b": {"kind": "openapi", "location": "slow.json"}}}`, "reloaded because=SIGHUP", "a_get_slow b_get_slow"},
		{`{"sources": {"a": {"kind": "openapi", "location": "none.json"}}, "name": "a"}`, "not reloaded", "a_get_slow b_get_slow"},
		{`{"sources": {"a": {"kind": "openapi", "locatoin": "slow.json"}}, "name": "a"}`, "did you mean", "a_get_slow b_get_slow"},
		{`{"sources": {"a": {"kind": "openapi", "location": "slow.json"}}, "name": "b", "limits": {"timeout": "9s", "rate": "60/1m"}, "log": {"errors": true}}`, "changed, but read at the start only: limits.timeout, limits.rate, log.errors, name; start the bridge again, or change it back", "a_get_slow b_get_slow"},
		{`{"sources": {"b": {"kind": "openapi", "location": "slow.json", "deny": ["key:GET *"]}, "a": {"kind": "openapi", "location": "slow.json", "prefix": "x_"}}, "name": "a"}`, "reloaded because=SIGHUP", "x_get_slow"},
	} {
		if err := os.WriteFile(config, []byte(step.config), 0o600); err != nil {
			t.Fatal(err)
		}
		r.cmd.Process.Signal(syscall.SIGHUP)
		r.told(step.told)
		if got := tools(t, endpoint); got != step.tools {
			t.Errorf("%s\nserves %s, want %s", step.config, got, step.tools)
		}
	}
	r.cmd.Process.Signal(os.Interrupt)
	if code, _ := r.ended(); code != 0 {
		t.Errorf("the signal ends it with %d, want 0", code)
	}
}

// What rules for all deny of the data is kept from by the adapter, which a reload
// has to tell.
func TestHangupHidesData(t *testing.T) {
	dir := t.TempDir()
	config := write(t, dir, "bridge.json", `{"sources": {"d": {"kind": "demo-db"}}, "name": "d"}`)
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	if got := tools(t, endpoint); !strings.Contains(got, "d_find_bikes") {
		t.Fatalf("serves %s", got)
	}
	if err := os.WriteFile(config, []byte(`{"sources": {"d": {"kind": "demo-db"}}, "name": "d", "rules": {"deny": ["table:bikes"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told("reloaded")
	if got := tools(t, endpoint); strings.Contains(got, "d_find_bikes") || !strings.Contains(got, "d_find_rides") {
		t.Errorf("after the table was denied it serves %s", got)
	}
}

func TestServeEndsWhenNothingCanBeServed(t *testing.T) {
	for _, args := range [][]string{{"none.yaml"}, {"none.yaml", "--http", "127.0.0.1:0"}} {
		r := start(t, append([]string{"serve"}, args...)...)
		r.told("nothing can be served")
		if code, rest := r.ended(); code != 1 || rest != "" {
			t.Errorf("serve %v ends with %d and %q on standard output, want 1 and nothing", args, code, rest)
		}
	}
}

func TestServeListensOnThisMachineOnly(t *testing.T) {
	for _, address := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		var out, errs bytes.Buffer
		p := &process{in: strings.NewReader(""), out: &out, err: &errs, lookup: os.LookupEnv}
		config := write(t, t.TempDir(), "bridge.json", demoConfig)
		if code := p.run([]string{"serve", "--config", config, "--http=" + address}); code != 1 || !strings.Contains(errs.String(), "--allow-remote") {
			t.Errorf("--http=%s ends with %d and %q", address, code, &errs)
		}
	}
	r := start(t, "serve", "--config", write(t, t.TempDir(), "bridge.json", demoConfig), "--http=0.0.0.0:0", "--allow-remote")
	r.endpoint()
}

func TestBareHTTPTakesTheAddressOfTheConfig(t *testing.T) {
	config := write(t, t.TempDir(), "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "http": {"listen": "127.0.0.1:0"}}`)
	for _, args := range [][]string{{"serve", "--http", "--config", config}, {"serve", "--config", config, "--http"}} {
		r := start(t, args...)
		if endpoint := r.endpoint(); !strings.HasPrefix(endpoint, "http://127.0.0.1:") || strings.Contains(endpoint, ":8808") {
			t.Errorf("%v serves at %s", args, endpoint)
		}
	}
}

// The transport of 2024-11-05 is there where the config asks for it, and what was
// asked over it is answered before a signal ends the stream.
func TestSSE(t *testing.T) {
	slow := newBackend(t)
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	for _, on := range []bool{false, true} {
		config := write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"a": {"kind": "openapi", "location": "slow.json", "baseURL": %q}}, "http": {"sse": %t}}`, slow.URL, on))
		r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
		endpoint := strings.TrimSuffix(r.endpoint(), "/mcp")
		status, stream := get(t, endpoint+"/sse")
		if !on {
			if status != http.StatusNotFound {
				t.Errorf("without http.sse: status %d, want 404", status)
			}
			continue
		}
		events := bufio.NewScanner(stream)
		next := func() string {
			for events.Scan() {
				if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
					return data
				}
			}
			return fmt.Sprint("no more events: ", events.Err())
		}
		to := endpoint + next()
		send := func(body string) {
			if status := postJSON(t, to, body); status != http.StatusAccepted {
				t.Errorf("%s is answered with status %d", body, status)
			}
		}
		send(initialize)
		if got := next(); !strings.Contains(got, `"serverInfo"`) {
			t.Errorf("initialize is answered with %s", got)
		}
		send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a_get_slow"}}`)
		<-slow.asked
		r.cmd.Process.Signal(syscall.SIGTERM)
		close(slow.answer)
		if got := next(); !strings.Contains(got, `"slow":true`) {
			t.Errorf("the call is answered with %s", got)
		}
		if got := next(); got != "no more events: <nil>" {
			t.Errorf("after the answer came %s", got)
		}
		if code, _ := r.ended(); code != 0 {
			t.Errorf("the signal ends it with %d, want 0", code)
		}
	}
}

func get(t *testing.T, url string) (status int, body io.Reader) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp.StatusCode, resp.Body
}

func postJSON(t *testing.T, url, body string) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}
