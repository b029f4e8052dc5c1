package mapping

import (
	"fmt"
	"slices"
)

// autoTokens is how large a source's list may be with output schemas in it
// before "auto" leaves them out, at four bytes to a token.
const (
	autoTokens    = 8_000
	bytesPerToken = 4
)

// publishOutputs publishes the output schemas of each source, all or none: with
// half of them a model would take the others to answer nothing.
func (b *builder) publishOutputs() {
	if b.rules.OutputSchemas == "never" {
		return
	}
	always := b.rules.OutputSchemas == "always"
	for tools := range bySource(b.tools) {
		made := map[*Tool][]Decision{}
		size := 0
		for _, t := range tools {
			if t.op.Output != nil && (t.op.Exact || always) {
				t.outputs, t.Output, made[t] = newOutput(t.op, t.source.defs)
			}
			if !t.Hidden {
				size += t.listBytes()
			}
		}
		if tokens := size / bytesPerToken; len(made) > 0 && !always && tokens > autoTokens {
			b.withholdOutputs(tools, tokens)
			continue
		}
		for _, t := range tools {
			b.adopt(t, made[t])
		}
	}
}

// bySource yields the tools of one source after the other.
func bySource(tools []*Tool) func(yield func([]*Tool) bool) {
	return func(yield func([]*Tool) bool) {
		for len(tools) > 0 {
			end := slices.IndexFunc(tools, func(t *Tool) bool { return t.source != tools[0].source })
			if end < 0 {
				end = len(tools)
			}
			if !yield(tools[:end]) {
				return
			}
			tools = tools[end:]
		}
	}
}

func (b *builder) withholdOutputs(tools []*Tool, tokens int) {
	for _, t := range tools {
		t.outputs, t.Output = nil, nil
	}
	b.decide(Decision{Source: tools[0].Source, What: Cut, Why: fmt.Sprintf(
		"no output schemas: with them the list would take %d tokens, and more than %d are too many; rules.outputSchemas \"always\" publishes them all the same", tokens, autoTokens)})
}

// listBytes is what the tool takes in the list, near enough to decide by.
func (t *Tool) listBytes() int {
	const frame = len(`{"name":"","description":"","inputSchema":,"annotations":{"readOnlyHint":true,"destructiveHint":true,"idempotentHint":true,"openWorldHint":true}},`)
	size := frame + len(t.Name) + len(t.Description) + len(t.Input)
	if t.Output != nil {
		size += len(`"outputSchema":,`) + len(t.Output)
	}
	return size
}
