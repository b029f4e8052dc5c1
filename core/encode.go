package core

import (
	"encoding/json"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file is where MCP content is made: the next revision changes it here.

// untrusted marks what came from a backend: data, whatever it says.
const untrusted = "mcp-bridge/untrusted"

// encodeAnswer makes the result of a call.
func encodeAnswer(a *mapping.Answer, r request) *mcp.CallToolResult {
	result := &mcp.CallToolResult{
		Meta:    mcp.Meta{untrusted: true},
		Content: make([]mcp.Content, 0, len(a.Blocks)),
		IsError: a.IsError,
	}
	if a.Structured != nil && !r.before(revision20250618) {
		// Raw, so that numbers keep their digits.
		result.StructuredContent = a.Structured
	}
	for _, block := range a.Blocks {
		result.Content = append(result.Content, encodeBlock(block, r.revision))
	}
	return result
}

// encodeQuestion makes the result that asks the user before a call.
func encodeQuestion(q *question) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		RequestState: q.state,
		InputRequests: mcp.InputRequestMap{questionID: &mcp.ElicitParams{
			Mode:            "form",
			Message:         q.text,
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}},
	}
}

// encodeAgain makes the answer to a call about which the user would have to be
// asked when it is too late to ask.
func encodeAgain() *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{
		Text: "this was not run: while it waited the rules have changed, and now the user has to confirm it first. send the same call again.",
	}}}
}

// encodeBlock makes one piece of content. Kinds that the client's revision does
// not know become ones it does; "" is the newest revision.
func encodeBlock(b mapping.Block, revision string) mcp.Content {
	before := request{revision: revision}.before
	meta := mcp.Meta(b.Meta)
	switch b.Kind {
	case mapping.Image:
		return &mcp.ImageContent{Data: b.Data, MIMEType: b.MIME, Meta: meta}
	case mapping.Audio:
		if before(revision20250326) {
			return &mcp.EmbeddedResource{Resource: encodeResourceBlock(b), Meta: meta}
		}
		return &mcp.AudioContent{Data: b.Data, MIMEType: b.MIME, Meta: meta}
	case mapping.TextResource, mapping.Blob:
		return &mcp.EmbeddedResource{Resource: encodeResourceBlock(b), Meta: meta}
	case mapping.Link:
		if before(revision20250618) {
			return &mcp.TextContent{Text: b.Text + ": " + b.URI, Meta: meta}
		}
		return &mcp.ResourceLink{URI: b.URI, Name: b.Text, MIMEType: b.MIME, Meta: meta}
	case mapping.Text:
	}
	return &mcp.TextContent{Text: b.Text, Meta: meta}
}

// encodeContents makes the result of a read.
func encodeContents(blocks []mapping.Block) *mcp.ReadResourceResult {
	result := &mcp.ReadResourceResult{
		Meta:     mcp.Meta{untrusted: true},
		Contents: make([]*mcp.ResourceContents, 0, len(blocks)),
	}
	for _, b := range blocks {
		c := encodeResourceBlock(b)
		c.Meta = mcp.Meta(b.Meta)
		result.Contents = append(result.Contents, c)
	}
	return result
}

// encodeResourceBlock makes the contents of a resource. One of text and blob is
// always there: the SDK leaves out an empty text, so that becomes an empty blob.
func encodeResourceBlock(b mapping.Block) *mcp.ResourceContents {
	c := &mcp.ResourceContents{URI: b.URI, MIMEType: b.MIME}
	if b.Kind == mapping.TextResource && b.Text != "" {
		c.Text = b.Text
		return c
	}
	c.Blob = b.Data
	if c.Blob == nil {
		c.Blob = []byte{}
	}
	return c
}

func encodeMessages(text string, messages []mapping.PromptMessage, r request) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{Description: text, Messages: make([]*mcp.PromptMessage, 0, len(messages))}
	for _, m := range messages {
		block := mapping.Block{Kind: mapping.Text, Text: m.Text}
		if m.Block != nil {
			block = *m.Block
		}
		result.Messages = append(result.Messages, &mcp.PromptMessage{
			Role:    mcp.Role(m.Role),
			Content: encodeBlock(block, r.revision),
		})
	}
	return result
}

func encodeCompletions(c mapping.Completions) *mcp.CompleteResult {
	details := mcp.CompletionResultDetails{Values: c.Values, Total: c.Total, HasMore: c.More}
	if details.Values == nil {
		details.Values = []string{}
	}
	if len(details.Values) > maxCompletions {
		details.Total = max(details.Total, len(details.Values))
		details.Values = details.Values[:maxCompletions]
		details.HasMore = true
	}
	return &mcp.CompleteResult{Completion: details}
}

func encodeTool(t *mapping.Tool) *mcp.Tool {
	tool := &mcp.Tool{
		Name:        t.Name,
		Description: t.Description,
		InputSchema: t.Input,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    t.Hints.ReadOnly,
			DestructiveHint: &t.Hints.Destructive,
			IdempotentHint:  t.Hints.Idempotent,
			OpenWorldHint:   &t.Hints.OpenWorld,
		},
	}
	if t.Output != nil {
		tool.OutputSchema = t.Output
	}
	return tool
}

func encodeResource(a *mapping.Address) *mcp.Resource {
	return &mcp.Resource{URI: a.URI, Name: a.Name, Description: a.Text, MIMEType: a.MIME}
}

func encodeTemplate(a *mapping.Address) *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{URITemplate: a.URI, Name: a.Name, Description: a.Text, MIMEType: a.MIME}
}

func encodePrompt(p *mapping.NamedPrompt) *mcp.Prompt {
	prompt := &mcp.Prompt{Name: p.Name, Description: p.Prompt.Text}
	for _, a := range p.Prompt.Args {
		prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{
			Name:        a.Name,
			Description: a.Text,
			Required:    a.Required,
		})
	}
	return prompt
}
