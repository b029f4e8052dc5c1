package core

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A shortFront answers the common requests over HTTP without the SDK, which takes
// many times as long for one as what is asked for. It takes a request only where
// nothing about it is in doubt and nothing but one answer can come of it. Every
// other one goes to the SDK, so that whatever is wrong with a request is said by
// the SDK alone.
type shortFront struct {
	bridge   *Bridge
	handle   mcp.MethodHandler
	server   json.RawMessage // introduces the server, since 2026-07-28 in each answer
	clients  clients
	underWay sync.RWMutex // read-locked by each request
}

func (b *Bridge) newShortFront() *shortFront {
	server, err := json.Marshal(b.introduction())
	if err != nil {
		server = []byte("{}") // strings always marshal
	}
	return &shortFront{bridge: b, handle: b.receive(b.answerShort), server: server}
}

// end waits for what is under way and lets nothing begin any more.
func (f *shortFront) end() { f.underWay.Lock() }

// serve answers a request and returns true, or leaves it to the SDK. The context of
// a request in a session ends when it is canceled.
func (f *shortFront) serve(w http.ResponseWriter, r *http.Request, msg message, s *session) bool {
	req := f.request(r, msg, s)
	if req == nil {
		return false
	}
	if !f.underWay.TryRLock() {
		http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
		return true
	}
	defer f.underWay.RUnlock()
	reply := newReply(w, s != nil)
	snap := f.bridge.current.Load()
	result, err := f.handle(r.Context(), msg.method, req)
	if err == nil && snap != nil && snap == f.bridge.current.Load() {
		result = snap.inText(msg, result)
	}
	if call, ok := result.(*mcp.CallToolResult); ok && call.InputRequests != nil {
		// The rules have just changed, and now the user is asked first.
		if reply.leave() {
			return false
		}
		result = encodeAgain() // only the SDK can ask, and the answer has begun
	}
	status, text := http.StatusOK, []byte(nil)
	var coded *jsonrpc.Error
	switch {
	case errors.As(err, &coded): // each has a code
		if s == nil && coded.Code == jsonrpc.CodeInvalidParams {
			status = http.StatusBadRequest
		}
		refused := refusal{id: msg.id, code: coded.Code, text: coded.Message, data: coded.Data}
		text = refused.encode()
	case s == nil:
		text = writeAnswer(msg.id, result, f.server)
	default:
		text = writeAnswer(msg.id, result, nil)
	}
	reply.send(status, text)
	return true
}

// request returns what a message asks for as the SDK would pass it on, nil if it is
// left to the SDK.
func (f *shortFront) request(r *http.Request, msg message, s *session) mcp.Request {
	if f.bridge.lent.Load() || msg.id == nil || !isPlain(r, msg) {
		return nil
	}
	if s == nil {
		if !accepts(r.Header) && !acceptsJSON(r.Header) {
			return nil
		}
		req := f.asked(r, msg, nil)
		if req == nil || !f.isModern(r, msg, req) {
			return nil
		}
		return req
	}
	if msg.meta.Version != nil || !s.isQuiet() || !accepts(r.Header) || len(r.Header.Values("Last-Event-Id")) > 0 {
		return nil
	}
	return f.asked(r, msg, s)
}

// inText returns the first page of a list that everybody is shown alike as text,
// made once. The result must be one of this snapshot: of a newer one not everybody
// may be shown the same.
func (snap *snapshot) inText(msg message, result mcp.Result) mcp.Result {
	if snap.limited || !strings.HasSuffix(msg.method, "/list") || textOf(msg.fields.get("cursor")) != "" {
		return result
	}
	if text, ok := snap.texts.Load(msg.method); ok {
		return text.(*listText)
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	put(&out, to, result)
	text := &listText{text: out.Bytes()}
	snap.texts.Store(msg.method, text)
	return text
}

// isPlain reports whether nothing but one answer can come of a request, and it is
// none that the transport could object to.
func isPlain(r *http.Request, msg message) bool {
	kind := r.Header.Get("Content-Type")
	if kind != "application/json" {
		base, _, err := mime.ParseMediaType(kind)
		if err != nil {
			return false // even where base is something
		}
		kind = base
	}
	return kind == "application/json" && msg.meta.Progress == nil && msg.meta.LogLevel == nil &&
		msg.fields.get("inputResponses") == nil && msg.fields.get("requestState") == nil
}

// accepts reports whether a client takes both JSON and streams.
func accepts(h http.Header) bool {
	asJSON, asStream := false, false
	for _, header := range h.Values("Accept") {
		for kind := range strings.SplitSeq(header, ",") {
			kind, _, _ = strings.Cut(kind, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "*/*":
				asJSON, asStream = true, true
			case "application/json", "application/*":
				asJSON = true
			case "text/event-stream", "text/*":
				asStream = true
			}
		}
	}
	return asJSON && asStream
}

// asked makes the SDK's request of a message, nil if it is none of those that the
// short front answers.
func (f *shortFront) asked(r *http.Request, msg message, s *session) mcp.Request {
	extra := &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header}
	meta, err := f.clients.meta(msg.fields.get("_meta"))
	if err != nil {
		return nil
	}
	var sdk *mcp.ServerSession
	if s != nil {
		sdk = s.sdk
	}
	cursor := textOf(msg.fields.get("cursor"))
	if at, err := parseCursor(cursor); err == nil && at.other != "" {
		return nil // it is the SDK's
	}
	switch msg.method {
	case "tools/call":
		name := textOf(msg.fields.get("name"))
		if snap := f.bridge.current.Load(); snap == nil || name == frontName || snap.asks(name) {
			return nil
		}
		return &mcp.CallToolRequest{Session: sdk, Extra: extra,
			Params: &mcp.CallToolParamsRaw{Meta: meta, Name: name, Arguments: msg.fields.get("arguments")}}
	case "resources/read":
		uri := textOf(msg.fields.get("uri"))
		if strings.HasPrefix(uri, frontScheme) {
			return nil
		}
		return &mcp.ReadResourceRequest{Session: sdk, Extra: extra, Params: &mcp.ReadResourceParams{Meta: meta, URI: uri}}
	case "prompts/get":
		name, args := textOf(msg.fields.get("name")), map[string]string(nil)
		if raw := msg.fields.get("arguments"); name == frontName || raw != nil && json.Unmarshal(raw, &args) != nil {
			return nil
		}
		return &mcp.GetPromptRequest{Session: sdk, Extra: extra, Params: &mcp.GetPromptParams{Meta: meta, Name: name, Arguments: args}}
	case "tools/list":
		return &mcp.ListToolsRequest{Session: sdk, Extra: extra, Params: &mcp.ListToolsParams{Meta: meta, Cursor: cursor}}
	case "resources/list":
		return &mcp.ListResourcesRequest{Session: sdk, Extra: extra, Params: &mcp.ListResourcesParams{Meta: meta, Cursor: cursor}}
	case "resources/templates/list":
		return &mcp.ListResourceTemplatesRequest{Session: sdk, Extra: extra, Params: &mcp.ListResourceTemplatesParams{Meta: meta, Cursor: cursor}}
	case "prompts/list":
		return &mcp.ListPromptsRequest{Session: sdk, Extra: extra, Params: &mcp.ListPromptsParams{Meta: meta, Cursor: cursor}}
	}
	return nil
}

// asks reports whether a call of this tool may put a question to the user.
func (snap *snapshot) asks(tool string) bool {
	t := snap.surface.Tool(tool)
	return t != nil && t.Confirm
}

// isModern reports whether a request of 2026-07-28 says twice, in its headers and
// in its body, what has to be said twice, and says what its client can do.
func (f *shortFront) isModern(r *http.Request, msg message, req mcp.Request) bool {
	if r.Header.Get(headerVersion) != revision20260728 || textOf(msg.meta.Version) != revision20260728 ||
		r.Header.Get(headerMethod) != msg.method || !f.clients.areClear(msg.meta, req) {
		return false
	}
	named := ""
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		named = p.Name
	case *mcp.ReadResourceParams:
		named = p.URI
	case *mcp.GetPromptParams:
		named = p.Name
	default:
		return true
	}
	return named != "" && r.Header.Get(headerName) == named
}

// answerShort is what the short front has behind the bridge's middleware where
// the SDK has its own servers: what is ours is answered, and nothing else exists.
func (b *Bridge) answerShort(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		if ctx.Value(realKey{}) == nil {
			return nil, errUnknown("tool", r.Params.Name)
		}
		return b.answerCall(ctx, r)
	case *mcp.ReadResourceRequest:
		if ctx.Value(realKey{}) == nil {
			return nil, mcp.ResourceNotFoundError(r.Params.URI)
		}
		result, err := b.answerRead(ctx, r)
		if err != nil {
			return nil, err
		}
		result.Cacheable = private()
		return result, nil
	case *mcp.GetPromptRequest:
		if ctx.Value(realKey{}) == nil {
			return nil, errUnknown("prompt", r.Params.Name)
		}
		return b.answerPrompt(ctx, r)
	case *mcp.ListToolsRequest:
		return &mcp.ListToolsResult{}, nil
	case *mcp.ListResourcesRequest:
		return &mcp.ListResourcesResult{}, nil
	case *mcp.ListResourceTemplatesRequest:
		return &mcp.ListResourceTemplatesResult{}, nil
	case *mcp.ListPromptsRequest:
		return &mcp.ListPromptsResult{}, nil
	}
	return nil, errNoMethod(method)
}

// errUnknown is what the SDK says of a name that nobody has.
func errUnknown(what, name string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown %s %q", what, name)}
}
