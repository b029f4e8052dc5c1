package core_test

import (
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
)

func TestInstructions(t *testing.T) {
	many := core.Sources{}
	for _, letter := range "abcdefghijklmnopqrstuvwxyz" {
		many[strings.Repeat(string(letter), 16)] = &adaptertest.Fake{Offer: shop()}
	}
	one := core.Sources{"shop": &adaptertest.Fake{Offer: shop()}}
	for _, c := range []struct {
		name    string
		options core.Options
		sources core.Sources
		head    string // how they begin
		end     string // how they end
	}{
		{"written", core.Options{Instructions: "Ask first."}, one, "Ask first.", "Ask first."},
		{"one", core.Options{}, one, "This server gives access to one backend, shop. ", "\n\nshop: A small shop."},
		{"many", core.Options{}, many, "This server gives access to 26 backends", "A small shop."},
		{"none", core.Options{}, nil, "This server offers nothing at the moment. ", "unchanged."},
	} {
		b := newBridge(t, c.options, c.sources)
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := connect(t, b, nil).InitializeResult().Instructions
		if !strings.HasPrefix(got, c.head) || !strings.HasSuffix(got, c.end) {
			t.Errorf("%s: instructions %q, want %q … %q", c.name, got, c.head, c.end)
		}
		if head, _, _ := strings.Cut(got, "\n"); len(head) > 512 {
			t.Errorf("%s: the part that stands alone has %d bytes, want at most 512", c.name, len(head))
		}
		if len(got) > 4000 {
			t.Errorf("%s: instructions have %d bytes", c.name, len(got))
		}
	}
}
