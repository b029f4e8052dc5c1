package core_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A check at the start shares the first load; a later one asks anew.
func TestCheckAsksOnce(t *testing.T) {
	var asked atomic.Int64
	b, err := core.New(core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Load: func(context.Context) error {
		asked.Add(1)
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Check(t.Context())
	if err := b.Ready(t.Context()); err != nil || asked.Load() != 1 {
		t.Errorf("asked %d times at the start, want once: %v", asked.Load(), err)
	}
	b.Check(t.Context())
	if asked.Load() != 2 {
		t.Errorf("asked %d times with a second check, want twice", asked.Load())
	}
}

// A source is checked by whether it loads, and by its own check if it has one.
func TestCheck(t *testing.T) {
	checked := func(found []mapping.Finding, err error) core.Adapter {
		return struct {
			*adaptertest.Fake
			core.Checker
		}{&adaptertest.Fake{Offer: shop()}, adaptertest.CheckFunc(func(context.Context) ([]mapping.Finding, error) { return found, err })}
	}
	b := newBridge(t, core.Options{}, core.Sources{
		"plain":  &adaptertest.Fake{Offer: shop()},
		"bad":    &adaptertest.Fake{Load: func(context.Context) error { return errors.New("line 3: no paths") }},
		"shy":    checked([]mapping.Finding{{Text: "may not read orders", Mend: "grant select on orders"}}, nil),
		"broken": checked(nil, errors.New("no connection")),
	})
	found := b.Check(t.Context())
	loads := `{"ok":true,"text":"can be read, and offers 3 operations and 2 resources before any rule"}`
	for name, want := range map[string]string{
		"plain":  `[` + loads + `]`,
		"bad":    `[{"ok":false,"text":"line 3: no paths"}]`,
		"shy":    `[` + loads + `,{"ok":false,"text":"may not read orders","mend":"grant select on orders"}]`,
		"broken": `[` + loads + `,{"ok":false,"text":"the check itself failed: no connection"}]`,
	} {
		if got := text(t, found[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
