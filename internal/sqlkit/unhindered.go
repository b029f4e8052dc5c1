package sqlkit

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// Unhindered asks the tool query for the slow statement, a JSON string, 40 times at
// once. When full says that as many run as may, it makes the other call 40 times:
// each must be answered before any of the slow ones is.
func Unhindered(t *testing.T, a *bridgesql.Adapter, slow string, call mapping.Call, full func() bool) {
	t.Helper()
	const callers = 40
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	ended := make(chan error, callers)
	for range callers {
		go func() {
			_, err := a.Call(ctx, mapping.Call{Key: "query", Args: []mapping.Arg{{Name: "sql", Value: []byte(slow)}}, Budget: 60_000, MaxBytes: 16 << 20})
			ended <- err
		}()
	}
	Await(t, full)
	call.Budget, call.MaxBytes = 60_000, 16<<20
	for range callers {
		if _, err := a.Call(t.Context(), call); err != nil {
			t.Fatalf("beside slow statements: %v", err)
		}
	}
	if n := len(ended); n > 0 {
		t.Fatalf("%d slow statements ended before the lookups: %v", n, <-ended)
	}
	giveUp()
	for range callers {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a slow statement that was given up: %v", err)
		}
	}
}

// Await asks until the answer is yes, for a minute at most.
func Await(t *testing.T, yes func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !yes() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it did not come to pass")
		}
	}
}
