package adaptertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func ExampleFake() {
	fake := &adaptertest.Fake{
		Offer: mapping.Catalog{
			Operations: []mapping.Operation{{Key: "add", Name: "add"}, {Key: "echo", Name: "echo"}},
			Resources:  []mapping.Resource{{Path: "motd", Name: "motd"}},
		},
		Calls: map[string]adaptertest.CallFunc{"add": adaptertest.Answer(`{"sum":3}`)},
		Reads: map[string]adaptertest.ReadFunc{
			"motd": adaptertest.Content(mapping.Block{Kind: mapping.TextResource, Text: "hello"}),
		},
	}
	ctx := context.Background()
	sum, _ := fake.Call(ctx, mapping.Call{Key: "add", MaxBytes: 100})
	echo, _ := fake.Call(ctx, mapping.Call{
		Key:      "echo",
		Args:     []mapping.Arg{{Name: "id", Value: json.RawMessage("9007199254740993")}},
		MaxBytes: 100,
	})
	motd, _ := fake.Read(ctx, mapping.Read{Path: "motd", MaxBytes: 100})
	_, err := fake.Call(ctx, mapping.Call{Key: "sub", MaxBytes: 100})
	fmt.Println(string(sum.JSON), string(echo.JSON), motd.Blocks[0].Text)
	fmt.Println(err)
	// Output:
	// {"sum":3} {"args":{"id":9007199254740993}} hello
	// there is no operation "sub". list the tools again
}

func TestBlockHoldsTheCallUntilItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered := make(chan mapping.Call)
		fake := &adaptertest.Fake{
			Offer: mapping.Catalog{Operations: []mapping.Operation{{Key: "wait", Name: "wait"}}},
			Calls: map[string]adaptertest.CallFunc{"wait": adaptertest.Block(entered)},
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := fake.Call(ctx, mapping.Call{Key: "wait", MaxBytes: 100})
			failed <- err
		}()
		<-entered
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call returned %v, want context.Canceled", err)
		}
	})
}

func TestBellTellsOnlyWatchesInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watched := make(chan string)
		bell := &adaptertest.Bell{Watched: watched}
		adapter := struct {
			*adaptertest.Fake
			core.Watcher
		}{&adaptertest.Fake{}, bell}
		ctx, cancel := context.WithCancel(t.Context())
		rings := 0
		go adapter.Watch(ctx, "", mapping.Caller{}, func() { rings++ })
		<-watched
		if told := bell.Ring(""); told != 1 || rings != 1 {
			t.Errorf("Ring told %d watches and %d heard it, want 1 and 1", told, rings)
		}
		if err := adapter.Watch(ctx, "other", mapping.Caller{}, nil); mapping.CodeOf(err) != mapping.Unsupported {
			t.Errorf("watching an unknown path returned %v, want code unsupported", err)
		}
		cancel()
		synctest.Wait()
		if told := bell.Ring(""); told != 0 {
			t.Errorf("Ring told %d watches after their context ended, want 0", told)
		}
	})
}
