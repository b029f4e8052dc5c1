package openapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
)

// errHandler marks the failure of a handler in this process.
var errHandler = errors.New("in-process handler failed")

// An inProcess transport answers requests with a handler of this process. The
// answer streams: the handler waits while nobody reads, and a closed body or a
// canceled request shows as an error of its Write and the end of its context.
type inProcess struct{ handler http.Handler }

// RoundTrip returns when the handler has written its header. A handler that
// panics before that is an error; one that panics later ends the body with one.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	body, to := io.Pipe()
	w := &responseWriter{header: http.Header{}, to: to, head: req.Method == http.MethodHead, ready: make(chan struct{})}
	inner := serverRequest(ctx, req)
	go func() {
		defer cancel()
		defer inner.Body.Close()
		err := errHandler // which stands if the handler ends its goroutine
		defer func() { w.finish(err) }()
		err = serve(t.handler, w, inner)
		if ended := req.Context().Err(); err == nil && ended != nil {
			err = ended // it gave up because its caller had
		}
	}()
	select {
	case <-w.ready:
	case <-ctx.Done():
		if req.Context().Err() != nil {
			to.CloseWithError(req.Context().Err())
			return nil, req.Context().Err()
		}
		<-w.ready // the handler has returned
	}
	if w.failed != nil {
		cancel()
		return nil, w.failed
	}
	stop := context.AfterFunc(req.Context(), func() { to.CloseWithError(req.Context().Err()) })
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, ContentLength: -1, Request: req,
		Body: &handlerBody{PipeReader: body, done: func() { stop(); cancel() }},
	}, nil
}

// A handlerPanic is a handler's panic, caught. Whoever logs it can say where it
// happened.
type handlerPanic struct {
	value any
	stack []byte
}

func (p *handlerPanic) Error() string { return fmt.Sprintf("%v: it panicked: %v", errHandler, p.value) }

func (p *handlerPanic) Unwrap() error { return errHandler }

// Stack returns the stack of the handler, nil where it panicked to be silent, as
// net/http has it.
func (p *handlerPanic) Stack() []byte { return p.stack }

// serve calls a handler and turns its panic into an error.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if value := recover(); value != nil {
			p := &handlerPanic{value: value}
			if silent, ok := value.(error); !ok || !errors.Is(silent, http.ErrAbortHandler) {
				p.stack = debug.Stack()
			}
			err = p
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// serverRequest is a client's request as a server sees it.
func serverRequest(ctx context.Context, req *http.Request) *http.Request {
	in := req.Clone(ctx)
	in.RequestURI = req.URL.RequestURI()
	in.URL = &url.URL{Path: req.URL.Path, RawPath: req.URL.RawPath, RawQuery: req.URL.RawQuery}
	in.RemoteAddr = "127.0.0.1:0"
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	if in.Host == "" {
		in.Host = req.URL.Host
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	return in
}

// A handlerBody tells the handler when nobody reads any more.
type handlerBody struct {
	*io.PipeReader
	done func()
}

// Close makes the handler's next Write fail and ends its context.
func (b *handlerBody) Close() error {
	b.done()
	return b.PipeReader.Close()
}

// A responseWriter is what the handler writes to. Like net/http's own it is used
// by one goroutine.
type responseWriter struct {
	header http.Header
	to     *io.PipeWriter
	head   bool // answers HEAD: the body is dropped

	once   sync.Once
	ready  chan struct{} // closed when the three below are set
	status int
	sent   http.Header
	failed error // set instead of a status
}

// Header returns what the first write sends.
func (w *responseWriter) Header() http.Header { return w.header }

// WriteHeader sends the header once; informational answers are dropped.
func (w *responseWriter) WriteHeader(status int) {
	if status < 200 {
		return
	}
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

// Write sends the header first if it was not.
func (w *responseWriter) Write(b []byte) (int, error) {
	if w.header.Get("Content-Type") == "" && w.header.Get("Content-Encoding") == "" && len(b) > 0 {
		w.header.Set("Content-Type", http.DetectContentType(b))
	}
	w.WriteHeader(http.StatusOK)
	if w.head {
		return len(b), nil
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	return w.to.Write(b)
}

// Flush sends the header; writes are never held back.
func (w *responseWriter) Flush() { w.WriteHeader(http.StatusOK) }

// finish ends the answer when the handler has returned.
func (w *responseWriter) finish(err error) {
	if err == nil {
		w.WriteHeader(http.StatusOK)
		w.to.Close()
		return
	}
	w.once.Do(func() {
		w.failed = err
		close(w.ready)
	})
	w.to.CloseWithError(err)
}
