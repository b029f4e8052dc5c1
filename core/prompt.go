package core

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt answers prompts/get. No adapter is asked: a prompt is text.
func (b *Bridge) prompt(ctx context.Context, r request, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	snap, err := b.published(ctx)
	if err != nil {
		return nil, err
	}
	p := snap.surface.Prompt(name)
	if p == nil || !p.MaySee(r.caller) {
		return nil, errNoPrompt(name)
	}
	b.begin(ctx, p.Source).prompt(name)
	messages, err := p.Render(args)
	if err != nil {
		return nil, err
	}
	return encodeMessages(p.Prompt.Text, messages, r), nil
}
