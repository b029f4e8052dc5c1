package core

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK is a front: it knows one tool, one prompt and one resource template,
// and behind them are all of ours. A request for one of ours is passed to the
// SDK under the front's name, so that everything the SDK adds to a result of
// each revision is added; what is really asked for is kept in the context.
const (
	frontName   = "mcp-bridge.front"
	frontScheme = "mcp-bridge:"
	frontURI    = frontScheme + "//{+front}"
	frontRead   = frontScheme + "//front"
)

// realKey is the context key of the name or URI that a client asked for.
type realKey struct{}

// newFront makes the SDK's server. What it can do is declared beforehand, since
// initialize is answered before anything is loaded.
func (b *Bridge) newFront() *mcp.Server {
	server := mcp.NewServer(
		b.introduction(),
		&mcp.ServerOptions{
			Logger:   slog.New(quiet{b.log.Handler()}),
			PageSize: pageItems,
			Capabilities: &mcp.ServerCapabilities{
				Completions: &mcp.CompletionCapabilities{},
				Prompts:     &mcp.PromptCapabilities{ListChanged: true},
				Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
				Tools:       &mcp.ToolCapabilities{ListChanged: true},
			},
			CompletionHandler: b.complete,
			SubscribeHandler:  b.subscribe,
			UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error {
				b.watches.end(r.Session, r.Params.URI)
				return nil
			},
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = private() },
		})
	b.addTool(server)
	b.addPrompt(server)
	b.addTemplate(server)
	server.AddReceivingMiddleware(b.receive)
	return server
}

// introduction is how the server introduces itself.
func (b *Bridge) introduction() *mcp.Implementation {
	return &mcp.Implementation{Name: b.options.Name, Title: b.options.Title, Version: b.options.Version}
}

// private is what a cache may do with our results: keep them for nobody else.
func private() mcp.Cacheable { return mcp.Cacheable{CacheScope: "private"} }

func (b *Bridge) addTool(server *mcp.Server) {
	server.AddTool(&mcp.Tool{Name: frontName, InputSchema: json.RawMessage(`{"type":"object"}`)}, b.answerCall)
}

func (b *Bridge) answerCall(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, ours := ctx.Value(realKey{}).(string)
	if !ours {
		return nil, errNoTool(r.Params.Name)
	}
	req := newRequest(ctx, r.Session, r.Params, r.Extra)
	req.consent = consentOf(r)
	return b.call(ctx, req, name, r.Params.Arguments)
}

func (b *Bridge) addPrompt(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{Name: frontName}, b.answerPrompt)
}

func (b *Bridge) answerPrompt(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	name, ours := ctx.Value(realKey{}).(string)
	if !ours {
		return nil, errNoPrompt(r.Params.Name)
	}
	return b.prompt(ctx, newRequest(ctx, r.Session, r.Params, r.Extra), name, r.Params.Arguments)
}

func (b *Bridge) addTemplate(server *mcp.Server) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: frontName, URITemplate: frontURI}, b.answerRead)
}

func (b *Bridge) answerRead(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri, ours := ctx.Value(realKey{}).(string)
	if !ours {
		return nil, errNoResource()
	}
	return b.read(ctx, newRequest(ctx, r.Session, r.Params, r.Extra), uri)
}

// announce tells clients which lists have changed: adding again what the SDK
// already has counts as a change.
func (b *Bridge) announce(c changes) {
	if c.tools {
		b.addTool(b.server)
	}
	if c.prompts {
		b.addPrompt(b.server)
	}
	if c.resources {
		b.addTemplate(b.server)
	}
}

// receive is the outermost middleware of what the bridge itself adds: no panic
// passes it, and every error has a code.
func (b *Bridge) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		ctx, op := b.observe(ctx, method, req)
		result, err := caught(func() (mcp.Result, error) { return b.route(ctx, next, method, req) })
		if err != nil {
			revision, uri := revision20251125, ""
			switch r := req.(type) {
			case *mcp.ReadResourceRequest:
				revision, uri = revisionOf(r.Session, r.Params.Meta), r.Params.URI
			case *mcp.SubscribeRequest:
				uri = r.Params.URI
			}
			told := b.protocolError(err, revision, uri)
			op.over(err, told)
			return nil, told
		}
		op.over(nil, nil)
		return result, nil
	}
}

// route answers lists itself and sends what is ours to the front.
func (b *Bridge) route(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	switch r := req.(type) {
	case *mcp.ListToolsRequest:
		return b.listTools(ctx, next, r)
	case *mcp.ListResourcesRequest:
		return b.listResources(ctx, next, r)
	case *mcp.ListResourceTemplatesRequest:
		return b.listTemplates(ctx, next, r)
	case *mcp.ListPromptsRequest:
		return b.listPrompts(ctx, next, r)
	case *mcp.CallToolRequest, *mcp.GetPromptRequest, *mcp.ReadResourceRequest:
		snap, err := b.published(ctx)
		if err != nil {
			return nil, err
		}
		ctx, req = snap.toFront(ctx, req)
	case *mcp.CompleteRequest:
		if err := b.checkReference(ctx, next, r); err != nil {
			return nil, err
		}
	case *mcp.ServerRequest[*mcp.InitializeParams]:
		if r.Session.InitializeParams() != nil {
			return nil, errGreeted()
		}
	case *mcp.SubscribeRequest:
		if err := b.checkSubject(ctx, next, r); err != nil {
			return nil, err
		}
	case *mcp.SubscriptionsListenRequest:
		if revisionOf(r.Session, r.Params.Meta) < revision20260728 {
			return nil, errNoMethod(method)
		}
		var end func()
		ctx, end = b.listens.add(ctx, r)
		defer end()
	case levelRequest:
		if err := checkLevel(r); err != nil {
			return nil, err
		}
		b.sessions.chat(r.Session)
	}
	result, err := next(ctx, method, req)
	if err != nil {
		return nil, err
	}
	switch r := result.(type) {
	case *mcp.InitializeResult:
		declareLogging(r.Capabilities)
		if r.ProtocolVersion < revision20250326 {
			r.Capabilities.Completions = nil
		}
		r.Instructions = b.introduce(ctx, callerOf(req.GetExtra()))
		if session, ok := req.GetSession().(*mcp.ServerSession); ok {
			b.keep(session, callerOf(req.GetExtra()).ID)
		}
	case *mcp.DiscoverResult:
		r.Instructions = b.introduce(ctx, callerOf(req.GetExtra()))
	}
	return result, nil
}

// toFront sends a request for something of ours to the front and leaves others,
// which are the embedder's or nobody's, as they are.
func (snap *snapshot) toFront(ctx context.Context, req mcp.Request) (context.Context, mcp.Request) {
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		tool := snap.surface.Tool(r.Params.Name)
		if tool == nil || !tool.MayUse(callerOf(r.Extra)) {
			return ctx, req
		}
		params := *r.Params
		params.Name = frontName
		return context.WithValue(ctx, realKey{}, r.Params.Name), &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	case *mcp.GetPromptRequest:
		p := snap.surface.Prompt(r.Params.Name)
		if p == nil || !p.MaySee(callerOf(r.Extra)) {
			return ctx, req
		}
		params := *r.Params
		params.Name = frontName
		return context.WithValue(ctx, realKey{}, r.Params.Name), &mcp.GetPromptRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	case *mcp.ReadResourceRequest:
		if !snap.lists.owns(r.Params.URI) {
			return ctx, req
		}
		target, err := snap.surface.Resolve(r.Params.URI)
		if mapping.CodeOf(err) == mapping.NotFound || target != nil && !target.Address.MaySee(callerOf(r.Extra)) {
			return ctx, req
		}
		params := *r.Params
		params.URI = frontRead
		return context.WithValue(ctx, realKey{}, r.Params.URI), &mcp.ReadResourceRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	}
	return ctx, req
}
