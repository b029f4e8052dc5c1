package core_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// wireworks is the bridge that the conversations of testdata/wire are held with:
// the oddities and a few works more. What happens on the server's side is set
// off by calling a tool, so that a conversation says it all.
func wireworks(t *testing.T) *core.Bridge {
	t.Helper()
	var b *core.Bridge
	fake := oddities()
	bell := &adaptertest.Bell{Paths: []string{"", "note"}}
	canceled := make(chan struct{}, 100)
	n := 0
	work := func(key string, effect mapping.Effect, f adaptertest.CallFunc) {
		fake.Offer.Operations = append(fake.Offer.Operations, mapping.Operation{
			Key: key, Name: key, Summary: "Does " + key + ".", Effect: effect,
		})
		if f != nil {
			fake.Calls[key] = f
		}
	}
	waits := fake.Calls["waits"]
	fake.Calls["waits"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		result, err := waits(ctx, c)
		canceled <- struct{}{}
		return result, err
	}
	// Waits for waits to be canceled.
	work("sees_cancel", mapping.Reads, func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
		select {
		case <-canceled:
			return &mapping.Result{JSON: json.RawMessage(`{"canceled":true}`)}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	work("steps", mapping.Reads, func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		for _, done := range []float64{1, 1, 0.5, 2} {
			c.Progress(done, 2, "")
		}
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, nil
	})
	work("talks", mapping.Reads, func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
		c.Log("debug", "a detail")
		c.Log("warning", "the backend is slow")
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, nil
	})
	work("shows", mapping.Reads, func(context.Context, mapping.Call) (*mapping.Result, error) {
		return &mapping.Result{Blocks: []mapping.Block{
			{Kind: mapping.Text, Text: "seen"},
			{Kind: mapping.Image, Data: []byte("png"), MIME: "image/png"},
			{Kind: mapping.Audio, Data: []byte("wav"), MIME: "audio/wav"},
			{Kind: mapping.TextResource, Text: "noted", URI: "odd://odd/note", MIME: "text/plain"},
			{Kind: mapping.Link, Text: "note", URI: "odd://odd/note", MIME: "text/plain"},
		}}, nil
	})
	work("lists", mapping.Reads, adaptertest.Answer(`[1,2]`))
	work("counts", mapping.Reads, adaptertest.Answer(`3`))
	work("removes", mapping.Destroys, nil)
	// Changes the list of tools.
	work("changes", mapping.Reads, func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
		n++
		offer := fake.Offer
		offer.Operations = offer.Operations[:len(offer.Operations)-n]
		fake.Change(offer)
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, b.Reload(ctx)
	})
	work("rings", mapping.Reads, func(context.Context, mapping.Call) (*mapping.Result, error) {
		bell.Ring("note")
		return &mapping.Result{JSON: json.RawMessage(`{}`)}, nil
	})
	work("last", mapping.Reads, nil)
	work("very_last", mapping.Reads, nil)
	plain := mapping.SourceRules{Prefix: new(string)}
	b = newBridge(t, core.Options{
		Name:    "oddities",
		Version: "1",
		Rules: mapping.Rules{
			Confirm: []string{"effect:destroys"},
			Prompts: []mapping.Prompt{{
				Name: "Weekly", Text: "A report.",
				Args:     []mapping.PromptArg{{Name: "team", Required: true}, {Name: "week"}},
				Messages: []mapping.PromptMessage{{Role: "user", Text: "Report on {{team}}, week {{week}}."}},
			}},
			Sources: map[string]mapping.SourceRules{"odd": plain, "mute": plain},
		},
	}, core.Sources{
		"odd": struct {
			*adaptertest.Fake
			*adaptertest.Bell
			core.Completer
		}{fake, bell, adaptertest.CompleteFunc(completeWire)},
		"mute": &adaptertest.Fake{Offer: mapping.Catalog{Scheme: "mute", Resources: []mapping.Resource{{Path: "stone", Name: "stone"}}}},
	})
	return b
}

// completeWire proposes more values than may be told, and what it knows.
func completeWire(_ context.Context, c mapping.Completion) (mapping.Completions, error) {
	if c.Known["more"] == "" {
		return mapping.Completions{Values: []string{c.Prefix + "nn" + c.Known["where"]}}, nil
	}
	values := make([]string, 150)
	for i := range values {
		values[i] = strconv.Itoa(i)
	}
	return mapping.Completions{Values: values}, nil
}
