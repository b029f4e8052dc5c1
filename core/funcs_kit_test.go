package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A till is a backend of Go functions: sales that are summed up.
type till struct {
	mu    sync.Mutex
	sales []int64 // cents
}

type sale struct {
	Cents int64  `json:"cents" jsonschema:"what was paid, in cents"`
	Note  string `json:"note,omitempty" jsonschema:"a word for the books"`
}

type place struct {
	Number int `json:"number" jsonschema:"the sale's place, 1 for the first"`
}

func (t *till) sell(_ context.Context, s sale) (place, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sales = append(t.sales, s.Cents)
	return place{len(t.sales)}, nil
}

func (t *till) look(_ context.Context, p place) (sale, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.Number < 1 || p.Number > len(t.sales) {
		return sale{}, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("there is no sale %d", p.Number)}
	}
	return sale{Cents: t.sales[p.Number-1]}, nil
}

func (t *till) ledger(context.Context, struct{}) ([]int64, error) {
	return slices.Repeat([]int64{1<<53 + 1}, 20), nil
}

func (t *till) wait(ctx context.Context, _ struct{}) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// TestFuncsKit holds core.Funcs against the conformance kit.
func TestFuncsKit(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			till := &till{sales: []int64{1250, 1<<53 + 1}}
			return &adaptertest.Subject{
				Adapter: core.Funcs(
					core.Func("record_sale", "Record a sale.", mapping.Writes, till.sell),
					core.Func("get_sale", "Get a sale.", mapping.Reads, till.look),
					core.Func("list_ledger", "List a long ledger.", mapping.Reads, till.ledger),
					core.Func("wait", "Wait for nothing.", mapping.Reads, till.wait),
					core.Text("hours", "Opening hours", "text/plain", "nine to five"),
					core.PromptText("close_day", "Close the day.", "Sum up the sales of {{day}}.", mapping.PromptArg{Name: "day", Required: true}),
				),
				State: func(context.Context) (string, error) {
					till.mu.Lock()
					defer till.mu.Unlock()
					return fmt.Sprint(till.sales), nil
				},
			}, nil
		},
		Calls: []adaptertest.KnownCall{
			{Call: mapping.Call{Key: "get_sale", Body: json.RawMessage(`{"number": 2}`)}, Want: adaptertest.JSON(`{"cents": 9007199254740993}`)},
			{Call: mapping.Call{Key: "list_ledger"}, Want: adaptertest.Works()},
			{Call: mapping.Call{Key: "record_sale", Body: json.RawMessage(`{"cents": 300}`)}, Want: adaptertest.JSON(`{"number": 3}`)},
			{Call: mapping.Call{Key: "record_sale", Body: json.RawMessage(`{"cents": "many"}`)}, Want: adaptertest.Fails(mapping.Invalid)},
		},
		Reads:        []adaptertest.KnownRead{{Path: "hours", Want: adaptertest.Holds("nine to five")}},
		MissingCalls: []mapping.Call{{Key: "get_sale", Body: json.RawMessage(`{"number": 3}`)}},
		MissingReads: []string{"days"},
		Slow:         &mapping.Call{Key: "wait"},
	})
}
