package core

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A kind is one of the four lists, in the SDK's types: P are its params, T its
// items.
type kind[P, T any] struct {
	method string
	own    func(*lists) listing[T]
	key    func(T) string
	cursor func(*P) *string
	unpack func(mcp.Result) (items []T, next string)
	pack   func(items []T, next string) mcp.Result
}

// listOf answers one page: our own listing first, then what the embedder added,
// which the SDK lists.
func listOf[P, T any, Q interface {
	*P
	mcp.Params
}](ctx context.Context, b *Bridge, next mcp.MethodHandler, r *mcp.ServerRequest[Q], k kind[P, T]) (mcp.Result, error) {
	snap, err := b.published(ctx)
	if err != nil {
		return nil, err
	}
	var params P
	if r.Params != nil {
		params = *r.Params
	}
	request := listRequest[T]{
		own:    k.own(snap.lists),
		viewer: b.viewer(callerOf(r.Extra)),
		cursor: *k.cursor(&params),
		key:    k.key,
		others: func(cursor string) ([]T, string, error) {
			p := params
			*k.cursor(&p) = cursor
			result, err := next(ctx, k.method, &mcp.ServerRequest[Q]{Session: r.Session, Params: &p, Extra: r.Extra})
			if err != nil {
				return nil, "", err
			}
			items, more := k.unpack(result)
			return items, more, nil
		},
	}
	items, more, err := request.page()
	if err != nil {
		return nil, err
	}
	return k.pack(items, more), nil
}

func (b *Bridge) listTools(ctx context.Context, next mcp.MethodHandler, r *mcp.ListToolsRequest) (mcp.Result, error) {
	return listOf(ctx, b, next, r, kind[mcp.ListToolsParams, *mcp.Tool]{
		method: "tools/list",
		own:    func(l *lists) listing[*mcp.Tool] { return l.tools },
		key:    func(t *mcp.Tool) string { return t.Name },
		cursor: func(p *mcp.ListToolsParams) *string { return &p.Cursor },
		unpack: func(r mcp.Result) ([]*mcp.Tool, string) {
			list, _ := r.(*mcp.ListToolsResult)
			return list.Tools, list.NextCursor
		},
		pack: func(items []*mcp.Tool, next string) mcp.Result {
			return &mcp.ListToolsResult{Cacheable: private(), Tools: items, NextCursor: next}
		},
	})
}

func (b *Bridge) listResources(ctx context.Context, next mcp.MethodHandler, r *mcp.ListResourcesRequest) (mcp.Result, error) {
	return listOf(ctx, b, next, r, kind[mcp.ListResourcesParams, *mcp.Resource]{
		method: "resources/list",
		own:    func(l *lists) listing[*mcp.Resource] { return l.resources },
		key:    func(r *mcp.Resource) string { return r.URI },
		cursor: func(p *mcp.ListResourcesParams) *string { return &p.Cursor },
		unpack: func(r mcp.Result) ([]*mcp.Resource, string) {
			list, _ := r.(*mcp.ListResourcesResult)
			return list.Resources, list.NextCursor
		},
		pack: func(items []*mcp.Resource, next string) mcp.Result {
			return &mcp.ListResourcesResult{Cacheable: private(), Resources: items, NextCursor: next}
		},
	})
}

func (b *Bridge) listTemplates(ctx context.Context, next mcp.MethodHandler, r *mcp.ListResourceTemplatesRequest) (mcp.Result, error) {
	return listOf(ctx, b, next, r, kind[mcp.ListResourceTemplatesParams, *mcp.ResourceTemplate]{
		method: "resources/templates/list",
		own:    func(l *lists) listing[*mcp.ResourceTemplate] { return l.templates },
		key:    func(t *mcp.ResourceTemplate) string { return t.URITemplate },
		cursor: func(p *mcp.ListResourceTemplatesParams) *string { return &p.Cursor },
		unpack: func(r mcp.Result) ([]*mcp.ResourceTemplate, string) {
			list, _ := r.(*mcp.ListResourceTemplatesResult)
			return list.ResourceTemplates, list.NextCursor
		},
		pack: func(items []*mcp.ResourceTemplate, next string) mcp.Result {
			return &mcp.ListResourceTemplatesResult{Cacheable: private(), ResourceTemplates: items, NextCursor: next}
		},
	})
}

func (b *Bridge) listPrompts(ctx context.Context, next mcp.MethodHandler, r *mcp.ListPromptsRequest) (mcp.Result, error) {
	return listOf(ctx, b, next, r, kind[mcp.ListPromptsParams, *mcp.Prompt]{
		method: "prompts/list",
		own:    func(l *lists) listing[*mcp.Prompt] { return l.prompts },
		key:    func(p *mcp.Prompt) string { return p.Name },
		cursor: func(p *mcp.ListPromptsParams) *string { return &p.Cursor },
		unpack: func(r mcp.Result) ([]*mcp.Prompt, string) {
			list, _ := r.(*mcp.ListPromptsResult)
			return list.Prompts, list.NextCursor
		},
		pack: func(items []*mcp.Prompt, next string) mcp.Result {
			return &mcp.ListPromptsResult{Cacheable: private(), Prompts: items, NextCursor: next}
		},
	})
}
