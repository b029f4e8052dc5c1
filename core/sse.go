package core

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SSEHandler serves the HTTP transport of 2024-11-05, at whatever path it is
// mounted, for clients that know no newer one: a GET opens a stream and is told
// where to POST messages, whose answers come on the stream. It asks who calls
// and checks Host and Origin as [Bridge.Handler] does.
func (b *Bridge) SSEHandler() http.Handler {
	return b.admit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			serveAlive(http.HandlerFunc(b.openStream), w, r)
		case http.MethodPost:
			b.takePost(w, r)
		default:
			w.Header().Set("Allow", "GET, POST")
			http.Error(w, "a stream is opened by GET, and messages are sent to it by POST", http.StatusMethodNotAllowed)
		}
	}))
}

// streams are the sessions of the older HTTP transport, by their ids.
type streams struct {
	mu   sync.Mutex
	open map[string]*stream
	over bool // no more may be opened
}

// A stream is the answering half of one session.
type stream struct {
	conn *lineConn
	user string // whose session it is, "" where nobody is asked
	done chan struct{}
}

// openStream opens a session and serves it until either side ends it.
func (b *Bridge) openStream(w http.ResponseWriter, r *http.Request) {
	streaming(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	events := &eventWriter{w: w}
	defer events.end()
	s := &stream{conn: newLineConn(b.server, events, b.log), user: userOf(r), done: make(chan struct{})}
	defer close(s.done)
	id := rand.Text()
	s.conn.session = id
	s.conn.mayListen = func() func() { return b.callers.listen(s.user) }
	if !b.streams.add(id, s, b.options.Limits) {
		http.Error(w, "there are too many sessions; try again later", http.StatusServiceUnavailable)
		return
	}
	defer b.streams.remove(id)
	path, _, _ := strings.Cut(r.RequestURI, "?") // as the client sees it, whatever has been stripped on the way
	if events.send("endpoint", path+"?sessionid="+id) != nil {
		return
	}
	r, cancel := untilExpiry(r, message{})
	defer cancel()
	defer context.AfterFunc(r.Context(), func() { s.conn.Close() })() // it returns nil
	if err := b.serveLines(context.WithoutCancel(r.Context()), s.conn); err != nil {
		b.log.Warn("a stream ended", "error", err)
	}
}

// takePost takes a message for a session.
func (b *Bridge) takePost(w http.ResponseWriter, r *http.Request) {
	s := b.streams.find(r.URL.Query().Get("sessionid"))
	if s == nil || s.user != userOf(r) {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, ok := readBody(w, r, b.options.Limits.BodyBytes)
	if !ok {
		return
	}
	if p, refused := readMessages(body, ""); refused == nil && b.stepsUp(w, r, p) {
		return
	}
	ctx := context.WithValue(context.WithoutCancel(r.Context()), extraKey{}, &mcp.RequestExtra{
		TokenInfo: auth.TokenInfoFromContext(r.Context()),
		Header:    r.Header,
	})
	refused := s.conn.take(ctx, body)
	switch {
	case refused != nil && refused.id == nil:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		w.Write(refused.encode()) // the client may be gone
		return
	case refused != nil:
		s.conn.answer(refused)
	}
	w.WriteHeader(http.StatusAccepted)
}

// userOf returns whose token came with a request, "" if nobody is asked.
func userOf(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

func (s *streams) add(id string, one *stream, l Limits) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := 0
	for _, other := range s.open {
		if one.user != "" && other.user == one.user {
			own++
		}
	}
	if s.over || len(s.open) >= l.Sessions || own >= l.CallerSessions {
		return false
	}
	if s.open == nil {
		s.open = map[string]*stream{}
	}
	s.open[id] = one
	return true
}

func (s *streams) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

func (s *streams) find(id string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// end has what is under way answered, for a while, and ends every stream.
func (s *streams) end() {
	s.mu.Lock()
	s.over = true
	var ended sync.WaitGroup
	for _, one := range s.open {
		ended.Go(func() {
			one.conn.endInput(io.EOF)
			<-one.done
		})
	}
	s.mu.Unlock()
	ended.Wait()
}

// An eventWriter writes each line as one event.
type eventWriter struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	ended bool
}

var errStreamEnded = errors.New("the stream has ended")

// Write sends one line.
func (e *eventWriter) Write(line []byte) (int, error) {
	return len(line), e.send("message", strings.TrimSuffix(string(line), "\n"))
}

func (e *eventWriter) send(event, data string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return errStreamEnded
	}
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", event, data); err != nil {
		return err
	}
	return http.NewResponseController(e.w).Flush()
}

// end is called before the handler returns: nothing may be written after that.
func (e *eventWriter) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
}
