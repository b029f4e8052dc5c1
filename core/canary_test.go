package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"go.opentelemetry.io/otel/sdk/metric"
)

// canary stands wherever a client or a backend puts something of its own.
const canary = "CANARY"

// canaries is a source whose answers, failures and panics hold the canary.
func canaries() *adaptertest.Fake {
	says := errors.New("the driver says " + canary)
	outcomes := map[string]adaptertest.CallFunc{
		"answers": func(context.Context, mapping.Call) (*mapping.Result, error) {
			return &mapping.Result{JSON: json.RawMessage(`{"a":"` + canary + `"}`), Note: canary}, nil
		},
		"breaks": func(context.Context, mapping.Call) (*mapping.Result, error) { return nil, says },
		"panics": func(context.Context, mapping.Call) (*mapping.Result, error) { panic(says) },
		"lies": func(context.Context, mapping.Call) (*mapping.Result, error) {
			return &mapping.Result{JSON: json.RawMessage(`{` + canary)}, nil
		},
	}
	for _, code := range []mapping.Code{mapping.Invalid, mapping.NotFound, mapping.Denied, mapping.Unauthenticated, mapping.Conflict,
		mapping.Exhausted, mapping.Unavailable, mapping.Timeout, mapping.Canceled, mapping.Unsupported, mapping.Internal} {
		outcomes[string(code)] = func(context.Context, mapping.Call) (*mapping.Result, error) {
			return nil, &mapping.Error{Code: code, Problem: canary, Allowed: canary, Next: canary, Detail: canary, Err: says}
		}
	}
	f := &adaptertest.Fake{Calls: outcomes, Offer: mapping.Catalog{
		Scheme: "can",
		Resources: []mapping.Resource{
			{Path: "things/{name}", Name: "thing"},
			{Path: "broken/{name}", Name: "broken"},
		},
		Prompts: []mapping.Prompt{{Name: "greet", Args: []mapping.PromptArg{{Name: "who", Required: true}}, Messages: []mapping.PromptMessage{{Role: "user", Text: "Greet {{who}}."}}}},
	}, Reads: map[string]adaptertest.ReadFunc{
		"broken/{name}": func(context.Context, mapping.Read) (*mapping.Result, error) {
			return nil, &mapping.Error{Code: mapping.Internal, Problem: canary, Err: says}
		},
	}}
	for key := range outcomes {
		f.Offer.Operations = append(f.Offer.Operations, mapping.Operation{Key: key, Name: key, Effect: mapping.Reads, Params: []mapping.Param{
			{Name: "n", Schema: json.RawMessage(`{"type":"integer"}`)},
			{Name: "s", Schema: json.RawMessage(`{"type":"string"}`)},
		}})
	}
	return f
}

// canaryRequests are requests that hold the canary, by method, name and params.
func canaryRequests() [][3]string {
	all := [][3]string{
		{"tools/call", canary, `"name":"` + canary + `"`},
		{"tools/call", "answers", `"name":"answers","arguments":{"n":"` + canary + `"}`},
		{"tools/call", "answers", `"name":"answers","arguments":{"` + canary + `":1}`},
		{"tools/call", "answers", `"name":"answers","arguments":["` + canary + `"]`},
		{"tools/call", "answers", `"name":7,"arguments":"` + canary + `"`},
		{"resources/read", "can://can/things/" + canary, `"uri":"can://can/things/` + canary + `"`},
		{"resources/read", "can://can/broken/" + canary, `"uri":"can://can/broken/` + canary + `"`},
		{"resources/read", "can://can/" + canary, `"uri":"can://can/` + canary + `"`},
		{"resources/read", canary + "://x", `"uri":"` + canary + `://x"`},
		{"prompts/get", "greet", `"name":"greet","arguments":{"who":"` + canary + `"}`},
		{"prompts/get", "greet", `"name":"greet","arguments":{"` + canary + `":"x"}`},
		{"prompts/get", canary, `"name":"` + canary + `"`},
		{"completion/complete", "", `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"` + canary + `"}`},
		{"completion/complete", "", `"ref":{"type":"` + canary + `","name":"greet"},"argument":{"name":"who","value":"x"}`},
		{"tools/list", "", `"cursor":"` + canary + `"`},
		{"resources/subscribe", "", `"uri":"can://can/things/` + canary + `"`},
		{"logging/setLevel", "", `"level":"` + canary + `"`},
		{canary, "", ""},
		{"notifications/cancelled", "", `"requestId":"` + canary + `","reason":"` + canary + `"`},
	}
	for key := range canaries().Calls {
		all = append(all, [3]string{"tools/call", key, `"name":"` + key + `","arguments":{"s":"` + canary + `"}`})
	}
	return all
}

// Nothing that a client sends or a backend answers is in a log of any level, a
// metric, a span or the audit, but for names in the audit: that a client asked
// for a tool which there is not is worth knowing.
func TestNothingOfACallIsSeenFromOutside(t *testing.T) {
	log := &logLines{}
	told := &audits{}
	recorder, provider := spans(t)
	reader := metric.NewManualReader()
	b := newBridge(t, core.Options{
		Logger:  slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug - 100})),
		Tracing: provider,
		Metrics: metric.NewMeterProvider(metric.WithReader(reader)),
		Audit:   told.tell,
	}, core.Sources{"can": canaries()})
	server := httptest.NewServer(b.Handler())
	defer server.Close()

	for _, r := range canaryRequests() { // without sessions
		secret := []string{"Authorization: Bearer " + canary, "X-Upstream: " + canary, "Cookie: " + canary}
		say(t, server.URL, r[0], r[1], r[2], secret...)
	}
	say(t, server.URL+"/"+canary+"?"+canary, canary, canary, `"`+canary+`":`+canary)
	for _, body := range []string{canary, `["` + canary + `"]`, `{"jsonrpc":"2.0","id":"` + canary + `","method":1}`} {
		post{header: map[string]string{"Mcp-Session-Id": canary, "Origin": "http://localhost"}, body: body}.send(t, server.URL)
	}
	p := startPipe(t, b) // in a session
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	p.next()
	for i, r := range canaryRequests() {
		if strings.HasPrefix(r[0], "notifications/") {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, r[0], r[2]))
			continue
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, i+2, r[0], r[2]))
		p.next()
	}
	p.send(canary)
	p.next()
	p.end()

	lines := log.take()
	calls := 0
	for _, line := range lines {
		if strings.Contains(line, canary) {
			t.Errorf("in the log: %s", line)
		}
		if strings.Contains(line, `"msg":"call"`) {
			calls++
		}
	}
	for _, span := range recorder.Ended() {
		if text := fmt.Sprintf("%+v %+v %+v %+v", span.Name(), span.Attributes(), span.Status(), span.Events()); strings.Contains(text, canary) {
			t.Errorf("in a span: %s", text)
		}
	}
	if text := fmt.Sprintf("%+v", measured(t, reader)); strings.Contains(text, canary) {
		t.Errorf("in the metrics: %s", text)
	}
	for _, e := range told.all {
		if e.Source == "" {
			e.Tool = ""
		}
		if text := fmt.Sprintf("%+v", e); strings.Contains(text, canary) {
			t.Errorf("in the audit: %s", text)
		}
	}
	if least := 2 * len(canaries().Calls); calls < least || len(told.all) < least || len(recorder.Ended()) < least {
		t.Errorf("%d lines, %d events and %d spans of calls, want at least %d: this test looks at nothing", calls, len(told.all), len(recorder.Ended()), least)
	}
}
