package core

import (
	"cmp"
	"context"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is the protocol's limit.
const maxCompletions = 100

// complete answers completion/complete. A source that cannot complete proposes
// nothing, and so does whatever the embedder added.
func (b *Bridge) complete(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return onNewest(ctx, b, func(snap *snapshot) (*mcp.CompleteResult, error) { return b.completeOn(ctx, snap, r) })
}

// completeOn answers completion/complete as of a snapshot.
func (b *Bridge) completeOn(ctx context.Context, snap *snapshot, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	c := mapping.Completion{
		Argument: r.Params.Argument.Name,
		Prefix:   r.Params.Argument.Value,
		Caller:   callerOf(r.Extra),
	}
	if r.Params.Context != nil {
		c.Known = r.Params.Context.Arguments
	}
	s := snap.whose(r.Params.Ref, &c)
	if s == nil {
		return encodeCompletions(mapping.Completions{}), nil
	}
	completer, ok := s.adapter.(Completer)
	if !ok {
		return encodeCompletions(mapping.Completions{}), nil
	}
	if err := b.callers.count(c.Caller.ID, s.name); err != nil {
		return nil, err
	}
	found, err := inTurn(ctx, b, s, c.Caller.ID, func(ctx context.Context) (mapping.Completions, error) {
		caller, err := b.callerFor(ctx, s.name, c.Caller, headerOf(r.Extra))
		if err != nil {
			return mapping.Completions{}, err
		}
		own := c
		own.Caller = caller
		return completer.Complete(ctx, own)
	})
	if err != nil {
		return nil, err
	}
	return encodeCompletions(found), nil
}

// whose returns the source of what is being completed and names it in c; nil if
// it is nobody's or not for this caller.
func (snap *snapshot) whose(ref *mcp.CompleteReference, c *mapping.Completion) *source {
	if ref.Type == "ref/prompt" {
		p := snap.surface.Prompt(ref.Name)
		if p == nil || !p.MaySee(c.Caller) {
			return nil
		}
		c.Prompt = p.Prompt.Name
		return snap.sources[p.Source]
	}
	a := snap.surface.Address(ref.URI)
	if a == nil || !a.MaySee(c.Caller) {
		return nil
	}
	c.Resource = a.Path
	ownNames(a, c)
	return snap.sources[a.Source]
}

// checkReference refuses to complete what does not exist, neither here nor among
// what the embedder added.
func (b *Bridge) checkReference(ctx context.Context, next mcp.MethodHandler, r *mcp.CompleteRequest) error {
	snap, err := b.published(ctx)
	if err != nil {
		return err
	}
	ref := r.Params.Ref
	if snap.whose(ref, &mapping.Completion{Caller: callerOf(r.Extra)}) != nil {
		return nil
	}
	if ref.Type == "ref/prompt" {
		if p := snap.surface.Prompt(ref.Name); p != nil && p.MaySee(callerOf(r.Extra)) {
			return nil // the operator's, which nobody completes
		}
		result, err := next(ctx, "prompts/list", &mcp.ListPromptsRequest{Session: r.Session, Params: &mcp.ListPromptsParams{}, Extra: r.Extra})
		list, ok := result.(*mcp.ListPromptsResult)
		if err == nil && ok && ref.Name != frontName && slices.ContainsFunc(list.Prompts, func(p *mcp.Prompt) bool { return p.Name == ref.Name }) {
			return nil
		}
		return errNoPrompt(ref.Name)
	}
	result, err := next(ctx, "resources/templates/list", &mcp.ListResourceTemplatesRequest{Session: r.Session, Params: &mcp.ListResourceTemplatesParams{}, Extra: r.Extra})
	list, ok := result.(*mcp.ListResourceTemplatesResult)
	if err == nil && ok && ref.URI != frontURI && slices.ContainsFunc(list.ResourceTemplates, func(t *mcp.ResourceTemplate) bool { return t.URITemplate == ref.URI }) {
		return nil
	}
	return &mapping.Error{Code: mapping.Invalid, Problem: "there is no such resource template"}
}

// ownNames puts the backend's names of a template's variables in place of those
// that are published.
func ownNames(a *mapping.Address, c *mapping.Completion) {
	c.Argument = cmp.Or(a.Variable(c.Argument), c.Argument)
	known := make(map[string]string, len(c.Known))
	for name, value := range c.Known {
		known[cmp.Or(a.Variable(name), name)] = value
	}
	c.Known = known
}
