package adaptertest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func TestFake(t *testing.T) {
	adaptertest.Run(t, harness(func(*notebook) {}))
}

func TestViolationTeaches(t *testing.T) {
	err := adaptertest.Check(t.Context(), harness(func(n *notebook) {
		n.fake.Calls["notes/add"] = adaptertest.Answer(`{"id": 32}`)
	}))
	const want = `call/known
  why it matters: this is what the adapter is for
  seen: Call "notes/add" body {"text": "buy milk"} answered with the JSON {"id": 32}, want {"id": 31}
  seen: Call "notes/add" body {} worked, want a failure with code invalid; the answer: {"id": 32}`
	if err == nil || err.Error() != want {
		t.Errorf("the kit says\n%v\nwant\n%s", err, want)
	}
}

func TestHarnessThatCannotBeUsed(t *testing.T) {
	whole := harness(func(*notebook) {})
	for _, c := range []struct {
		name  string
		spoil func(*adaptertest.Harness)
		want  string
	}{
		{"no Open", func(h *adaptertest.Harness) { h.Open = nil }, "needs Open"},
		{"no Calls", func(h *adaptertest.Harness) { h.Calls = nil }, "at least one known answer"},
		{"a call without Want", func(h *adaptertest.Harness) { h.Calls = []adaptertest.KnownCall{{Call: mapping.Call{Key: "x"}}} }, `the known call of "x" does not say what it wants`},
		{"a read without Want", func(h *adaptertest.Harness) { h.Reads = []adaptertest.KnownRead{{Path: "x"}} }, `the known read of "x" does not say what it wants`},
		{"Open fails", func(h *adaptertest.Harness) {
			h.Open = func(context.Context) (*adaptertest.Subject, error) { return nil, errors.New("no disk") }
		}, "the harness cannot open an adapter: no disk"},
		{"Open returns nothing", func(h *adaptertest.Harness) {
			h.Open = func(context.Context) (*adaptertest.Subject, error) { return nil, nil }
		}, "Open returned no adapter"},
	} {
		h := whole
		c.spoil(&h)
		if err := adaptertest.Check(t.Context(), h); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Check returned %v, want it to say %q", c.name, err, c.want)
		}
	}
}
