package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// changes lets two tools change what their own source offers, so that
// list_changed comes about as it does for a user: by a reload.
type changes struct {
	bridge *core.Bridge // set before anything is served
	fake   *adaptertest.Fake

	mu             sync.Mutex
	nTools, nTexts int // how often each list has changed
}

func (c *changes) tools(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
	return c.change(ctx, &c.nTools)
}

func (c *changes) prompts(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
	return c.change(ctx, &c.nTexts)
}

func (c *changes) change(ctx context.Context, count *int) (*mapping.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*count++
	c.fake.Change(offer(c.nTools, c.nTexts))
	return &mapping.Result{}, c.bridge.Reload(ctx)
}

// offer is the catalog of contents. Other numbers give other lists.
func offer(tools, prompts int) mapping.Catalog {
	return mapping.Catalog{
		Scheme: "test",
		Operations: []mapping.Operation{
			operation("test_image_content", "Answers with an image."),
			operation("test_audio_content", "Answers with a sound."),
			operation("test_embedded_resource", "Answers with a resource."),
			operation("test_multiple_content_types", "Answers with a text, an image and a resource."),
			operation("test_tool_with_progress", "Tells how far it is."),
			operation("test_tool_with_logging", "Logs what it does."),
			operation("test_logging_tool", "Logs once, to whoever asked for it."),
			operation("test_trigger_tool_change", fmt.Sprintf("Changes the list of tools. It did %d times.", tools)),
			operation("test_trigger_prompt_change", "Changes the list of prompts."),
		},
		Prompts: []mapping.Prompt{
			withArguments(),
			withImage(fmt.Sprintf("A prompt with an image. Prompts changed %d times.", prompts)),
		},
	}
}

// operation is one without parameters that is known by its name.
func operation(name, summary string) mapping.Operation {
	return mapping.Operation{Key: name, Name: name, Summary: summary, Effect: mapping.Reads}
}

func withArguments() mapping.Prompt {
	return mapping.Prompt{
		Name: "test_prompt_with_arguments",
		Text: "A prompt with two arguments.",
		Args: []mapping.PromptArg{
			{Name: "arg1", Text: "The first.", Required: true},
			{Name: "arg2", Text: "The second.", Required: true},
		},
		Messages: []mapping.PromptMessage{{Role: "user", Text: "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'"}},
	}
}

func withImage(about string) mapping.Prompt {
	image := picture()
	return mapping.Prompt{
		Name: "test_prompt_with_image",
		Text: about,
		Messages: []mapping.PromptMessage{
			{Role: "user", Block: &image},
			{Role: "user", Text: "Please analyze the image above."},
		},
	}
}
