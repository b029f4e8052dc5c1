package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tapeOf returns the lines of a trace.
func tapeOf(t *testing.T, file string) []taped {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []taped
	for line := range strings.Lines(string(text)) {
		var m taped
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if m.Time == "" {
			t.Errorf("no time in %s", line)
		}
		all = append(all, m)
	}
	return all
}

func TestTraceOfStdio(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "trace.jsonl")
	r := start(t, "serve", "--trace", file, "--config", write(t, dir, "bridge.json", demoConfig))
	sent := []string{initialize, ready, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `{no JSON`}
	r.send(sent[0])
	r.receive()
	r.send(sent[1])
	r.send(sent[2])
	r.receive()
	r.send(sent[3])
	r.receive()
	r.in.Close()
	if code, _ := r.ended(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v, want mode 0600", info, err)
	}
	var in []string
	answers := map[string]string{}
	for _, m := range tapeOf(t, file) {
		if m.Transport != "stdio" {
			t.Errorf("a message came by %s", m.Transport)
		}
		if m.Direction == "in" {
			in = append(in, string(m.Message)+m.Text)
			continue
		}
		var answer struct {
			ID            json.RawMessage
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(m.Message, &answer); err != nil {
			t.Fatal(err)
		}
		answers[string(answer.ID)] = string(answer.Result) + string(answer.Error)
	}
	if fmt.Sprint(in) != fmt.Sprint(sent) {
		t.Errorf("what came in is\n%s\nwant\n%s", strings.Join(in, "\n"), strings.Join(sent, "\n"))
	}
	if len(answers) != 3 || !strings.Contains(answers["1"], "serverInfo") || !strings.Contains(answers["2"], "shop_get_shop") || !strings.Contains(answers[""], "-32700") {
		t.Errorf("what went out is %v", answers)
	}
}

// What a backend repeats, and what a client shows, is hidden where it is secret.
func TestTraceOfHTTPHidesSecrets(t *testing.T) {
	const key, token, pass = "k3y-canary-0001", "bearer-canary-0002", "basic:canary-0003"
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"echo": [%q, %q, "\u006b3y-canary-0001"]}`, r.Header.Get("X-Key"), base64.StdEncoding.EncodeToString([]byte(pass)))
	}))
	defer api.Close()
	t.Setenv("CANARY", key)
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	config := write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"slow": {"kind": "openapi", "location": "slow.json", "baseURL": %q, "prefix": "",
		"headers": {"X-Key": "${env:CANARY}"}, "credentials": {"unused": %q}}}}`, api.URL, pass))
	file := filepath.Join(dir, "trace.jsonl")
	r := start(t, "serve", "--trace="+file, "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	for _, params := range []string{`"name":"get_slow"`, `"name":"get_slow","_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + params + `}}`
		if !strings.Contains(params, "_meta") {
			body = strings.Replace(call, "NAME", "get_slow", 1)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint+"?key="+token, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token, "X-Upstream": token,
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_slow",
		} {
			req.Header.Set(name, value)
		}
		resp, err := new(http.Client).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
			t.Errorf("the call is answered with %s, %v", resp.Status, err)
		}
		resp.Body.Close()
	}
	r.cmd.Process.Signal(syscall.SIGTERM)
	if code, _ := r.ended(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{key, token, "canary-0003", base64.StdEncoding.EncodeToString([]byte(pass)), `\u006b3y`} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s stands in the trace:\n%s", secret, text)
		}
	}
	all := tapeOf(t, file)
	if len(all) != 4 {
		t.Fatalf("%d messages are in the trace, want 4:\n%s", len(all), text)
	}
	for i, m := range all {
		direction := []string{"in", "out"}[i%2]
		if m.Transport != "http" || m.Direction != direction || m.Request != int64(1+i/2) || len(m.Message) == 0 {
			t.Errorf("message %d is %+v, want direction %s of request %d", i, m, direction, 1+i/2)
		}
		if direction == "in" && (m.Method != "POST" || m.Path != "/mcp" || m.Headers["Mcp-Name"] != "get_slow" || m.Headers["Authorization"] != "[hidden]" || m.Headers["X-Upstream"] != "[hidden]") {
			t.Errorf("request %d is %+v", i, m)
		}
		if direction == "out" && (m.Status != 200 || !strings.Contains(string(m.Message), `"result"`) || !strings.Contains(string(m.Message), "[hidden]")) {
			t.Errorf("answer %d is %+v", i, m)
		}
	}
}

func TestMask(t *testing.T) {
	m := newMask([]string{"s3cret/word", "12345678", "short", `qu"ote`})
	for text, want := range map[string]string{
		`{"a":"s3cret/word","b":1}`:                    `{"a":"[hidden]","b":1}`,
		`{"s3cret/word":["x s3cret/word y"]}`:          `{"[hidden]":["x [hidden] y"]}`,
		`{"a":"s3cret%2Fword s3cret\/word"}`:           `{"a":"[hidden] [hidden]"}`,
		`{"a":"\u0073\u0033cret/word"}`:                `{"a":"[hidden]"}`,
		`["{\"a\":\"\\u00733cret/word\"}"]`:            `["{\"a\":\"[hidden]\"}"]`,
		`{"a":"czNjcmV0L3dvcmQ="}`:                     `{"a":"[hidden]"}`,
		`{"n":12345678,"m":1234567,"f":-1.5e10}`:       `{"n":"[hidden]","m":1234567,"f":-1.5e10}`,
		`{"a":"short","b":"qu\"ote","c":"\\\"","d":1}`: `{"a":"short","b":"[hidden]","c":"\\\"","d":1}`,
		`[true,null,"é",{}]`:                           `[true,null,"é",{}]`,
	} {
		if got := string(m.json([]byte(text))); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
	if got := m.and([]string{"another"}).text("another s3cret/word"); got != "[hidden] [hidden]" {
		t.Errorf("two masks leave %q", got)
	}
}

func TestPasswords(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgres://me:p%40ssword@h/db":         "p@ssword",
		"postgres://me@h/db?password=passw0rd1": "passw0rd1",
		"host=h password=passw0rd2 user=me":     "passw0rd2",
		"host=h password='pass w0rd3' user=me":  "pass w0rd3",
		"mysql://me:passw0rd4@h:3306/db":        "passw0rd4",
	} {
		if got := newMask(passwords(dsn)).text("it is " + want); got != "it is [hidden]" {
			t.Errorf("%s: %q stays visible", dsn, got)
		}
	}
}
