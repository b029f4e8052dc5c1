package core_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

// A call that has waited so long that its answer is a stream already, and then
// needs its user's word because the rules have changed, is not told that it was
// done.
func TestCallsThatBeginAnewUnderOtherRules(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		done, goOn := &atomic.Int64{}, make(chan struct{})
		source := func() core.Sources {
			return core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Calls: map[string]adaptertest.CallFunc{
				"list":   func(context.Context, mapping.Call) (*mapping.Result, error) { <-goOn; return nil, nil },
				"delete": func(context.Context, mapping.Call) (*mapping.Result, error) { done.Add(1); return nil, nil },
			}}}
		}
		v := &visit{t: t, b: newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{CallerConcurrent: 1, Timeout: time.Hour}}, source())}
		as := []string{"Authorization", "Bearer ann"}
		if err := v.b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		v.id = recorded(t, v.b.Handler(), post{header: with(map[string]string{}, as...), body: strings.Replace(handshake, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)}).Header().Get("Mcp-Session-Id")
		v.send("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders"}}`, as...)
		call := v.send("POST", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_order","arguments":{"id":7}}}`, as...)
		time.Sleep(time.Minute)
		if err := v.b.Reconfigure(t.Context(), mapping.Rules{Confirm: []string{"effect:destroys"}}, source()); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		synctest.Wait()
		if got := call.Body.String(); !call.over || done.Load() != 0 || !strings.Contains(got, `"isError":true`) {
			t.Errorf("over: %v, done %d times, answered: %s", call.over, done.Load(), got)
		}
	})
}
