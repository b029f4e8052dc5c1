package main

import (
	"encoding/base64"
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

const canaryDocument = `{"openapi": "3.1.0", "info": {"title": "Can", "version": "1"}, "security": [{"key": []}],
	"components": {"securitySchemes": {"key": {"type": "http", "scheme": "basic"}}},
	"paths": {"/items/{id}": {"get": {"operationId": "getItem",
		"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}, {"name": "how", "in": "query", "required": true, "schema": {"type": "string"}}],
		"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}}}}}}`

// TestNothingOfACallIsWrittenDown holds the whole program against its promise:
// arguments and answers are in the trace that was asked for and nowhere else,
// credentials nowhere at all. The log writes everything that it can.
func TestNothingOfACallIsWrittenDown(t *testing.T) {
	const argument, answer, secret = "ARGUMENT-CANARY", "ANSWER-CANARY", "SECRET-CANARY"
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Canary", answer)
		echo := fmt.Sprintf(`{"message": %q, "echo": %q}`, answer, r.Header.Get("Authorization"))
		switch how := r.URL.Query().Get("how"); how {
		case "cut":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, echo)
			panic(http.ErrAbortHandler)
		case "away":
			http.Redirect(w, r, "http://127.0.0.1:1/"+answer, http.StatusFound)
		case "none":
			io.WriteString(w, "{"+answer)
		default:
			status := 0
			fmt.Sscanf(how, "%d", &status)
			w.WriteHeader(max(status, 200))
			io.WriteString(w, echo)
		}
	}))
	defer api.Close()
	to := newTaker(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization="+secret)
	t.Setenv("SECRET", "me:"+secret)
	dir := t.TempDir()
	write(t, dir, "can.json", canaryDocument)
	config := write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {
			"can": {"kind": "openapi", "location": "can.json", "baseURL": %q, "prefix": "", "credentials": {"key": "${env:SECRET}"}},
			"down": {"kind": "openapi", "location": "can.json", "baseURL": "http://127.0.0.1:1/", "prefix": "down_", "headers": {"X-Key": "%[2]s"}}
		}, "admin": {"listen": "127.0.0.1:0"}, "log": {"level": "debug"}, "audit": {"file": "audit.jsonl"}}`, api.URL, secret))
	tape := filepath.Join(dir, "trace.jsonl")
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0", "--trace", tape)
	admin, endpoint := r.admin(), r.endpoint()
	until(t, http.StatusOK, admin+"/readyz")
	ways := []string{"200", "400", "401", "403", "404", "409", "422", "500", "cut", "away", "none"}
	calls := func(tool, how string) {
		t.Helper()
		arguments := fmt.Sprintf(`"name":%q,"arguments":{"id":%q,"how":%q}`, tool, argument, how)
		if _, err := io.Copy(io.Discard, post(t, endpoint, "tools/call", tool, arguments)); err != nil {
			t.Fatal(err)
		}
	}
	for _, how := range ways {
		calls("get_item", how)
	}
	calls("down_get_item", "200")
	_, metrics := ask(t, admin+"/metrics")
	_, ready := ask(t, admin+"/readyz")
	r.cmd.Process.Signal(syscall.SIGTERM)
	var log strings.Builder
	for line := range r.lines {
		log.WriteString(line + "\n")
	}
	if code, _ := r.ended(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
	audit, err := os.ReadFile(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(tape)
	if err != nil {
		t.Fatal(err)
	}
	trace := string(text)
	basic := base64.StdEncoding.EncodeToString([]byte("me:" + secret))
	for _, sink := range []struct {
		name, text, least string
		times             int
		mayHold           bool // arguments and answers
	}{
		{"log", log.String(), "msg=call", len(ways) + 1, false},
		{"metrics", metrics, `gen_ai_tool_name="get_item"`, 1, false},
		{"readiness", ready, "ready", 1, false},
		{"audit", string(audit), `"tool":"get_item"`, len(ways), false},
		{"spans", strings.Join(to.bodies, ""), `"name":"tools/call get_item"`, len(ways), false},
		{"trace", trace, argument, len(ways) + 1, true},
		{"trace", trace, answer, len(ways) - 3, true},
	} {
		if got := strings.Count(sink.text, sink.least); got < sink.times {
			t.Errorf("%s has %s %d times, want %d: this test looks at nothing", sink.name, sink.least, got, sink.times)
		}
		if strings.Contains(sink.text, secret) || strings.Contains(sink.text, basic) {
			t.Errorf("a credential is in the %s:\n%s", sink.name, sink.text)
		}
		if !sink.mayHold && (strings.Contains(sink.text, argument) || strings.Contains(sink.text, answer)) {
			t.Errorf("an argument or an answer is in the %s:\n%s", sink.name, sink.text)
		}
	}
}

// Sources that cannot be reached are told of without what lets the bridge in.
func TestCredentialsOfSourcesAreNotLogged(t *testing.T) {
	const secret = "SECRET-CANARY"
	r := start(t, "serve", "--http", "127.0.0.1:0", "--config", write(t, t.TempDir(), "bridge.json", strings.ReplaceAll(`{"sources": {
		"web": {"kind": "openapi", "location": "http://me:SECRET@127.0.0.1:1/doc.json?key=SECRET"},
		"pg": {"kind": "postgres", "dsn": "postgres://me:SECRET@127.0.0.1:1/db"},
		"words": {"kind": "postgres", "dsn": "host=127.0.0.1 port=1 user=me password=SECRET"},
		"my": {"kind": "mysql", "dsn": "mysql://me:SECRET@127.0.0.1:1/db"}
	}, "log": {"level": "debug"}}`, "SECRET", secret)))
	for range 4 {
		if line := r.told("source not loaded"); strings.Contains(line, secret) {
			t.Errorf("the log says %s", line)
		}
	}
}
