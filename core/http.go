package core

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// A router serves every revision on one URL: three handlers of the SDK over one
// server. Requests of 2026-07-28 and later stand alone and are answered as JSON,
// or as a stream where they ask for progress or log messages; older ones belong
// to sessions.
type router struct {
	bridge   *Bridge
	most     int // sessions at a time
	json     http.Handler
	stream   http.Handler
	sessions http.Handler
	inside   http.Handler // what a request meets
}

func (b *Bridge) newRouter() *router {
	limits := b.options.Limits
	server := func(*http.Request) *mcp.Server { return b.server }
	stateless := mcp.StreamableHTTPOptions{
		Stateless:                    true,
		MaxRequestBodyBytes:          limits.BodyBytes,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // checkSite is stricter
	}
	asJSON := stateless
	asJSON.JSONResponse = true
	rt := &router{
		bridge: b,
		most:   limits.Sessions,
		json:   mcp.NewStreamableHTTPHandler(server, &asJSON),
		stream: mcp.NewStreamableHTTPHandler(server, &stateless),
		sessions: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			MaxRequestBodyBytes:        limits.BodyBytes,
			DisableLocalhostProtection: true,
		}),
	}
	rt.inside = b.admit(http.HandlerFunc(rt.open))
	return rt
}

func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) { rt.inside.ServeHTTP(w, r) }

// admit lets requests in that may be answered at all.
func (b *Bridge) admit(next http.Handler) http.Handler {
	if b.options.Auth != nil {
		next = &gatekeeper{bridge: b, auth: *b.options.Auth, next: next}
	}
	next = b.options.answerPages(next) // before the token, which a preflight does not carry
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.life.Err() != nil {
			http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
			return
		}
		if problem := b.options.checkSite(r); problem != "" {
			http.Error(w, problem, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// open reads a request as far as the SDK must not see it before.
func (rt *router) open(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(r.Context()) // a copy: the caller's request stays as it is
	if err := decodeName(r); err != nil {
		rt.refuse(w, r, &refusal{code: mcp.CodeHeaderMismatch, text: err.Error()})
		return
	}
	if r.Method != http.MethodPost {
		rt.serve(w, r, posted{})
		return
	}
	body, ok := readBody(w, r, rt.bridge.options.Limits.BodyBytes)
	if !ok {
		return
	}
	p, refused := readMessages(body, r.Header.Get(headerVersion))
	if refused != nil {
		rt.refuse(w, r, refused)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(p.text))
	if len(p.refused) > 0 {
		w = &batchWriter{ResponseWriter: w, refused: p.refused}
	}
	if len(p.ids) > 0 {
		w = &exactWriter{w, p.ids}
	}
	rt.serve(w, r, p)
}

// serve passes a request on to the handler for its kind.
func (rt *router) serve(w http.ResponseWriter, r *http.Request, p posted) {
	msg := p.one
	refused := checkVersion(r)
	stateless := isStateless(r) || r.Header.Get(headerSession) == "" && msg.meta.Version != nil
	if refused == nil && !stateless {
		refused = rt.checkSession(r, msg)
	}
	if refused != nil {
		refused.id = msg.id
		rt.refuse(w, r, refused)
		return
	}
	if rt.bridge.stepsUp(w, r, p) {
		return
	}
	if msg.method == methodListen {
		done := rt.bridge.callers.listen(callerIn(r.Context()).ID)
		if done == nil {
			rt.refuse(w, r, &refusal{id: msg.id, code: jsonrpc.CodeInternalError, text: "there are too many streams of notifications; end one first, or try again later"})
			return
		}
		defer done()
	}
	r, cancel := untilExpiry(r, msg)
	defer cancel()
	if !stateless {
		rt.serveSession(w, r, p)
		return
	}
	if rt.bridge.short.serve(w, r, msg, nil) {
		return
	}
	r.Header = r.Header.Clone()
	r.Header.Del("Last-Event-Id") // which newer requests do not have, so it says nothing
	if msg.meta.Progress == nil && msg.meta.LogLevel == nil && msg.method != methodListen {
		acceptJSON(r.Header)
		rt.json.ServeHTTP(&liveStream{ResponseWriter: w}, r)
		return
	}
	streaming(w)
	serveAlive(rt.stream, w, r)
}

// serveSession passes on what belongs to a session, or opens one.
func (rt *router) serveSession(w http.ResponseWriter, r *http.Request, p posted) {
	s, msg := rt.bridge.sessions.of(r), p.one
	switch {
	case s == nil:
	case r.Method == http.MethodGet:
		defer s.stream()()
	case r.Method == http.MethodDelete:
		s.end() // the SDK does the rest
	case r.Method == http.MethodPost:
		ctx, done, refused := s.begin(r, msg)
		if refused != nil {
			rt.refuse(w, r, refused)
			return
		}
		defer done()
		for _, m := range p.messages() {
			if m.method == "notifications/cancelled" {
				s.cancel(m.params)
			}
		}
		if rt.bridge.short.serve(w, r.WithContext(ctx), msg, s) {
			return
		}
	}
	streaming(w)
	serveAlive(rt.sessions, &sessionWriter{ResponseWriter: w, asked: msg}, r)
}

// acceptJSON lets a client have JSON that has not said that it takes streams: the
// SDK wants both said, and no stream will come.
func acceptJSON(h http.Header) {
	if acceptsJSON(h) {
		h.Set("Accept", "application/json, text/event-stream")
	}
}

func acceptsJSON(h http.Header) bool {
	accept := h.Get("Accept")
	return accept == "" || strings.Contains(accept, "application/json")
}

// streaming lets a stream pass proxies at once and outlive the server's write
// timeout.
func streaming(w http.ResponseWriter) {
	w.Header().Set("X-Accel-Buffering", "no")
	http.NewResponseController(w).SetWriteDeadline(time.Time{}) // where it is not supported there is none
}

// checkVersion refuses versions that never were in the form the protocol asks
// for; the SDK does so for future ones.
func checkVersion(r *http.Request) *refusal {
	version := r.Header.Get(headerVersion)
	supported := mcp.SupportedProtocolVersions()
	if version == "" || version >= revision20260728 || slices.Contains(supported, version) {
		return nil
	}
	data, err := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: supported, Requested: version})
	if err != nil {
		data = nil // strings always marshal
	}
	return &refusal{
		code: mcp.CodeUnsupportedProtocolVersion,
		text: fmt.Sprintf("protocol version %q is not supported", version),
		data: data,
	}
}

// checkSession refuses what needs a session and has none, and a session more
// than there may be.
func (rt *router) checkSession(r *http.Request, msg message) *refusal {
	if r.Method != http.MethodPost || r.Header.Get(headerSession) != "" {
		return nil
	}
	if msg.method != "initialize" && msg.method != "ping" {
		return &refusal{
			code: jsonrpc.CodeInvalidRequest,
			text: "there is no session: send initialize first, or a request of " + revision20260728 + " with its _meta",
		}
	}
	caller := callerIn(r.Context()).ID
	own := func(s *session) bool { return s.owner == caller }
	if rt.bridge.sessions.ownedBy(caller) >= rt.bridge.options.Limits.CallerSessions && !rt.bridge.sessions.makeRoom(own) {
		return &refusal{code: jsonrpc.CodeInternalError, text: "you have too many sessions; end one first, or try again later"}
	}
	anybody := func(*session) bool { return true }
	if rt.bridge.openSessions() >= rt.most && !rt.bridge.sessions.makeRoom(anybody) {
		return &refusal{code: jsonrpc.CodeInternalError, text: "there are too many sessions; try again later"}
	}
	return nil
}

// isStateless reports whether a request says that it belongs to no session.
func isStateless(r *http.Request) bool { return r.Header.Get(headerVersion) >= revision20260728 }

// refuse answers a request that no handler sees.
func (rt *router) refuse(w http.ResponseWriter, r *http.Request, refused *refusal) {
	status := http.StatusBadRequest
	switch {
	case refused.status != 0:
		status = refused.status
	case refused.code == jsonrpc.CodeInternalError:
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	case refused.code == jsonrpc.CodeInvalidParams && !isStateless(r):
		status = http.StatusOK // older clients take any other for a failure of the transport
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(refused.encode()) // the client may be gone
}

// readBody reads the body. If it returns false it has answered.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		http.Error(w, fmt.Sprintf("the body has more than %d bytes", tooLarge.Limit), http.StatusRequestEntityTooLarge)
		return nil, false
	}
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return nil, false
	}
	return body, true
}

// decodeName writes a Mcp-Name header as its value is, if it came in base64: a
// header cannot hold every name.
func decodeName(r *http.Request) error {
	coded, ok := strings.CutPrefix(r.Header.Get(headerName), "=?base64?")
	if !ok {
		return nil
	}
	coded, ok = strings.CutSuffix(coded, "?=")
	if !ok {
		return nil
	}
	name, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return errors.New("header Mcp-Name is not the base64 that it says it is")
	}
	r.Header = r.Header.Clone()
	r.Header.Set(headerName, string(name))
	return nil
}
