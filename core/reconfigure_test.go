package core_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestReconfigureChangesRulesAndSourcesTogether checks that a source and the
// rules about it come in one step, or not at all.
func TestReconfigureChangesRulesAndSourcesTogether(t *testing.T) {
	before := &adaptertest.Fake{Offer: shop()}
	b := newBridge(t, core.Options{}, core.Sources{"shop": before})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	readOnly := mapping.Rules{ReadOnly: true}

	broken := &adaptertest.Fake{Load: func(context.Context) error { return errors.New("gone") }}
	if err := b.Reconfigure(t.Context(), readOnly, core.Sources{"shop": broken}); err == nil {
		t.Error("a source that does not load was taken")
	}
	if err := b.Reconfigure(t.Context(), mapping.Rules{OutputSchemas: "perhaps"}, core.Sources{"shop": before}); err == nil {
		t.Error("rules that mean nothing were taken")
	}
	if b.Surface().Tool("delete_order") == nil {
		t.Error("a failure has changed what is served")
	}

	after := &adaptertest.Fake{Offer: shop()}
	if err := b.Reconfigure(t.Context(), readOnly, core.Sources{"shop": after}); err != nil {
		t.Fatal(err)
	}
	if b.Surface().Tool("delete_order") != nil || b.Surface().Tool("get_order") == nil {
		t.Error("the new rules do not hold")
	}
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.Surface().Tool("delete_order") != nil {
		t.Error("a reload has gone back to the old rules")
	}
}
