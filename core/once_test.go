package core_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A call that finds its source replaced while it waits its turn begins anew. It
// counts once all the same, and so does its user's consent.
func TestCallsThatBeginAnewCountOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		done, goOn := &atomic.Int64{}, make(chan struct{})
		source := func() core.Sources {
			return core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Calls: map[string]adaptertest.CallFunc{
				"list":   func(context.Context, mapping.Call) (*mapping.Result, error) { <-goOn; return nil, nil },
				"delete": func(context.Context, mapping.Call) (*mapping.Result, error) { done.Add(1); return nil, nil },
			}}}
		}
		d := deleting{newBridge(t, core.Options{
			Auth: twoCallers(), Rules: mapping.Rules{Confirm: []string{"effect:destroys"}},
			Limits: core.Limits{CallerConcurrent: 1, Rate: core.Rate{Calls: 3}},
		}, source()), done}
		state, _ := d.send(t, "ann", "delete_order", `{"id":7}`, "", "")
		var first sync.WaitGroup
		defer first.Wait()
		first.Go(func() { d.send(t, "ann", "list_orders", `{}`, "", "") })
		synctest.Wait()
		answers := make(chan string, 1)
		go func() {
			_, answer := d.send(t, "ann", "delete_order", `{"id":7}`, state, accept)
			answers <- answer
		}()
		synctest.Wait()
		if err := d.Replace(t.Context(), source()); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		if answer := <-answers; done.Load() != 1 || strings.Contains(answer, "isError") {
			t.Errorf("done %d times: %s", done.Load(), answer)
		}
	})
}

// Nor is a read counted twice.
func TestReadsThatBeginAnewCountOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		goOn := make(chan struct{})
		source := func() core.Sources {
			return core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Calls: map[string]adaptertest.CallFunc{
				"list": func(context.Context, mapping.Call) (*mapping.Result, error) { <-goOn; return nil, nil },
			}, Reads: map[string]adaptertest.ReadFunc{
				"readme": func(context.Context, mapping.Read) (*mapping.Result, error) {
					return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: "read me"}}}, nil
				},
			}}}
		}
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{CallerConcurrent: 1, Rate: core.Rate{Calls: 2}}}, source())
		var first sync.WaitGroup
		defer first.Wait()
		first.Go(func() { deleting{Bridge: b}.send(t, "ann", "list_orders", `{}`, "", "") })
		synctest.Wait()
		answers := make(chan string, 1)
		go func() {
			const uri = "shop://shop/readme"
			answers <- bodyOf(t, b, post{header: with(modernHeader("resources/read", uri), "Authorization", "Bearer ann"), body: modernBody("resources/read", `"uri":"`+uri+`"`)})
		}()
		synctest.Wait()
		if err := b.Replace(t.Context(), source()); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		if answer := <-answers; !strings.Contains(answer, "read me") {
			t.Errorf("answered: %s", answer)
		}
	})
}
