package core_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// A hook runs at the beginning of each span.
type hook func(name string)

func (h hook) OnStart(_ context.Context, s sdktrace.ReadWriteSpan) { h(s.Name()) }
func (h hook) OnEnd(sdktrace.ReadOnlySpan)                         {}
func (h hook) Shutdown(context.Context) error                      { return nil }
func (h hook) ForceFlush(context.Context) error                    { return nil }

// New rules come while two callers are being answered: the one who may see less is
// not given the list of the other.
func TestShortFrontListsUnderNewRules(t *testing.T) {
	for method, one := range map[string]string{
		"tools/list":               `"name":"list_orders"`,
		"resources/list":           "shop://shop/readme",
		"resources/templates/list": "shop://shop/orders",
	} {
		var b *core.Bridge
		list := func(who string) string {
			r := wish{method: method}.modern("1", modernMeta)
			r.header["Authorization"] = "Bearer " + who
			_, body := ask(t, b.Handler(), r.header, r.body)
			return body
		}
		begun := 0
		meanwhile := hook(func(name string) {
			if name != method {
				return
			}
			switch begun++; begun {
			case 1: // bob's
				if got := list("ann"); !strings.Contains(got, one) {
					t.Errorf("%s: ann is shown %s", method, got)
				}
			case 2: // ann's
				rules := mapping.Rules{Scopes: map[string][]string{"*": {"more"}}}
				if err := b.Reconfigure(t.Context(), rules, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}}); err != nil {
					t.Error(err)
				}
			}
		})
		b = newBridge(t, core.Options{
			Tracing: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(meanwhile)),
			Auth:    &core.Auth{Verify: identities(map[string]core.Identity{"ann": named("ann", "more"), "bob": named("bob")})},
		}, core.Sources{"empty": &adaptertest.Fake{}})
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := list("bob"); begun != 2 || strings.Contains(got, one) {
			t.Errorf("%s: after %d requests bob is shown %s", method, begun, got)
		}
	}
}
