package core_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// BenchmarkFronts calls an echo in this process: by CallTool, over HTTP as the
// bridge answers it, and over HTTP as the SDK does once it has been asked for. They
// take turns. It prints microseconds of each, without what making the request and
// keeping the answer takes, and how many times CallTool's the other two are.
func BenchmarkFronts(b *testing.B) {
	type text struct {
		Text string `json:"text"`
	}
	echo := func() *core.Bridge {
		br, err := core.New(core.Options{Name: "bench"}, core.Sources{"one": core.Funcs(
			core.Func("echo", "Echo it.", mapping.Reads, func(_ context.Context, t text) (text, error) { return t, nil }),
		)})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { br.Close() })
		return br
	}
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		b.Run(revision, func(b *testing.B) {
			var direct *core.Bridge
			p := newPair(b, func() *core.Bridge { direct = echo(); return direct })
			var sessions [2]string
			if revision != "2026-07-28" {
				sessions = p.open(b, revision, nil)
			}
			request := wish{method: "tools/call", params: `"name":"echo","arguments":{"text":"hi"}`, name: "echo"}.
				in(revision, "1", `,"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}`)
			nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
			post := func(h http.Handler, session string) func() {
				return func() {
					r := request.request(b, "http://localhost/mcp")
					if session != "" {
						r.Header.Set("Mcp-Session-Id", session)
					}
					w := httptest.NewRecorder()
					if h.ServeHTTP(w, r); w.Code != http.StatusOK {
						b.Fatalf("status %d: %s", w.Code, w.Body)
					}
				}
			}
			takes := [...]func(){post(nothing, ""), func() {
				if _, err := direct.CallTool(b.Context(), "echo", json.RawMessage(`{"text":"hi"}`)); err != nil {
					b.Fatal(err)
				}
			}, post(p.short, sessions[0]), post(p.sdk, sessions[1])}
			const each = 100
			var took [len(takes)]time.Duration
			for b.Loop() {
				for i, take := range takes {
					begin := time.Now()
					for range each {
						take()
					}
					took[i] += time.Since(begin)
				}
			}
			calls := float64(b.N * each)
			micros := func(d time.Duration) float64 { return float64(d.Microseconds()) / calls }
			short, sdk := took[2]-took[0], took[3]-took[0]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(micros(took[1]), "direct-µs")
			b.ReportMetric(micros(short), "front-µs")
			b.ReportMetric(micros(sdk), "sdk-µs")
			b.ReportMetric(float64(short)/float64(took[1]), "front/direct")
			b.ReportMetric(float64(sdk)/float64(took[1]), "sdk/direct")
		})
	}
}
