package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Funcs keep every promise of an adapter. The backend is one counter.
func TestFuncsKit(t *testing.T) {
	type input struct {
		By int `json:"by"`
	}
	open := func(context.Context) (*adaptertest.Subject, error) {
		count := 0
		return &adaptertest.Subject{
			Adapter: core.Funcs(
				core.Func("double", "Doubles a number.", mapping.Reads,
					func(_ context.Context, in input) (map[string]int, error) {
						if in.By == 13 {
							return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no double of 13"}
						}
						return map[string]int{"double": 2 * in.By}, nil
					}),
				core.Func("count", "Counts on.", mapping.Writes,
					func(_ context.Context, in input) (string, error) {
						count += in.By
						return fmt.Sprint(count), nil
					}),
				core.Func("primes", "Lists primes.", mapping.Reads,
					func(context.Context, struct{}) ([]string, error) {
						return slices.Repeat([]string{"two", "three", "five"}, 20), nil
					}),
				core.Func("wait", "Waits.", mapping.Reads,
					func(ctx context.Context, _ struct{}) (string, error) {
						<-ctx.Done()
						return "", ctx.Err()
					}),
				core.Text("rules", "rules", "text/plain", "Be kind."),
			),
			State: func(context.Context) (string, error) { return fmt.Sprint(count), nil },
		}, nil
	}
	by := func(key, body string) mapping.Call {
		return mapping.Call{Key: key, Body: json.RawMessage(body)}
	}
	adaptertest.Run(t, adaptertest.Harness{
		Open: open,
		Calls: []adaptertest.KnownCall{
			{Call: by("double", `{"by":21}`), Want: adaptertest.JSON(`{"double":42}`)},
			{Call: mapping.Call{Key: "primes"}, Want: adaptertest.Holds("five")},
			{Call: by("count", `{"by":2}`), Want: adaptertest.Holds("2")},
			{Call: by("count", `{"by":3}`), Want: adaptertest.Holds("5")},
		},
		Reads:        []adaptertest.KnownRead{{Path: "rules", Want: adaptertest.Holds("Be kind.")}},
		MissingCalls: []mapping.Call{by("double", `{"by":13}`)},
		MissingReads: []string{"no-such"},
		Slow:         &mapping.Call{Key: "wait"},
	})
}
