package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// A call is seen in the collector and in the metrics, and its trace goes on to
// the backend's request.
func TestTelemetry(t *testing.T) {
	traced := make(chan string, 1)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		traced <- r.Header.Get("Traceparent")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"slow": false}`)
	}))
	defer api.Close()
	to := newTaker(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	config := write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"slow": {"kind": "openapi", "location": "slow.json", "baseURL": %q, "prefix": ""}}, "admin": {"listen": "127.0.0.1:0"}}`, api.URL))
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	admin, endpoint := r.admin(), r.endpoint()
	const id, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	body := strings.Replace(strings.Replace(call, "NAME", "get_slow", 1), `"_meta":{`, `"_meta":{"traceparent":"00-`+id+`-`+parent+`-01",`, 1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_slow",
	} {
		req.Header.Set(name, value)
	}
	resp, err := new(http.Client).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	told := <-traced

	_, page := ask(t, admin+"/metrics")
	counted := 0.0
	for series, value := range samples(t, page) {
		if strings.HasPrefix(series, "histogram mcp_server_operation_duration_seconds{") && strings.Contains(series, `gen_ai_tool_name="get_slow"`) && strings.HasSuffix(series, " count") {
			counted += value
		}
	}
	if counted != 1 {
		t.Errorf("%g calls of get_slow are counted in\n%s", counted, page)
	}

	r.cmd.Process.Signal(syscall.SIGTERM) // the last spans are sent before the end
	if code, _ := r.ended(); code != 0 {
		t.Errorf("the signal ends it with %d", code)
	}
	for _, of := range to.spans(t) {
		for _, scope := range of.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				if s.GetName() != "tools/call get_slow" {
					continue
				}
				want := fmt.Sprintf("00-%s-%s-01", id, hex.EncodeToString(s.GetSpanId()))
				if hex.EncodeToString(s.GetTraceId()) != id || hex.EncodeToString(s.GetParentSpanId()) != parent || told != want {
					t.Errorf("the span is %v, and the backend was told of %q, want %q", s, told, want)
				}
				return
			}
		}
	}
	t.Errorf("no span of the call came: %v", to.bodies)
}
