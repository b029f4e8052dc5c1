package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// contents is a source whose tools answer with every kind of content, and whose
// lists can change.
func contents(c *changes) core.Adapter {
	fake := &adaptertest.Fake{Offer: offer(0, 0), Calls: map[string]adaptertest.CallFunc{
		"test_image_content":     blocks(picture()),
		"test_audio_content":     blocks(mapping.Block{Kind: mapping.Audio, Data: silence(), MIME: "audio/wav"}),
		"test_embedded_resource": blocks(document()),
		"test_multiple_content_types": blocks(
			mapping.Block{Kind: mapping.Text, Text: "Multiple content types test:"}, picture(), document()),
		"test_tool_with_progress":    progress,
		"test_tool_with_logging":     logThrice,
		"test_logging_tool":          logOnce,
		"test_trigger_tool_change":   c.tools,
		"test_trigger_prompt_change": c.prompts,
	}}
	c.fake = fake
	return struct {
		*adaptertest.Fake
		core.Completer
	}{fake, adaptertest.CompleteFunc(complete)}
}

// functions is a source made of Go functions and prompt texts.
func functions() core.Adapter {
	type none struct{}
	return core.Funcs(
		core.Func("test_simple_text", "Answers with a text.", mapping.Reads, func(context.Context, none) (string, error) {
			return "This is a simple text response for testing.", nil
		}),
		core.Func("test_error_handling", "Always fails.", mapping.Reads, func(context.Context, none) (string, error) {
			return "", &mapping.Error{Code: mapping.Conflict, Problem: "This tool intentionally returns an error for testing"}
		}),
		core.PromptText("test_simple_prompt", "A prompt without arguments.", "This is a simple prompt for testing."),
	)
}

// template is the source test://template, with one template below it.
func template() core.Adapter {
	const path = "{id}/data"
	return &adaptertest.Fake{
		Offer: mapping.Catalog{Scheme: "test", Resources: []mapping.Resource{
			{Path: path, Name: "template_data", Text: "The data of one id.", MIME: "application/json"},
		}},
		Reads: map[string]adaptertest.ReadFunc{path: templateData},
	}
}

func blocks(b ...mapping.Block) adaptertest.CallFunc {
	return func(context.Context, mapping.Call) (*mapping.Result, error) { return &mapping.Result{Blocks: b}, nil }
}

func picture() mapping.Block {
	return mapping.Block{Kind: mapping.Image, Data: pixel(), MIME: "image/png"}
}

func document() mapping.Block {
	return mapping.Block{Kind: mapping.TextResource, URI: "test://embedded-resource", MIME: "text/plain", Text: "This is an embedded resource content."}
}

func progress(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	for _, done := range []float64{0, 50, 100} {
		c.Progress(done, 100, "")
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: "All steps are done."}}}, nil
}

func logThrice(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		c.Log("info", message)
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return &mapping.Result{}, nil
}

func logOnce(_ context.Context, c mapping.Call) (*mapping.Result, error) {
	c.Log("info", "The tool was called")
	return &mapping.Result{}, nil
}

func templateData(_ context.Context, r mapping.Read) (*mapping.Result, error) {
	id := r.Vars["id"]
	data, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
	if err != nil {
		return nil, err
	}
	return &mapping.Result{JSON: data}, nil
}

func complete(_ context.Context, c mapping.Completion) (mapping.Completions, error) {
	var found mapping.Completions
	for _, city := range []string{"paris", "parma", "testaccio"} {
		if strings.HasPrefix(city, c.Prefix) {
			found.Values = append(found.Values, city)
		}
	}
	found.Total = len(found.Values)
	return found, nil
}
