package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// http records requests and what they are answered with.
func (t *tape) http(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.mu.Lock()
		t.requests++
		number := t.requests
		t.mu.Unlock()
		in := &tapedBody{ReadCloser: r.Body}
		in.whole = sync.OnceFunc(func() {
			t.record(taped{Transport: "http", Direction: "in", Request: number, Method: r.Method, Path: r.URL.Path, Headers: shownHeaders(r.Header)}, in.seen)
		})
		out := &tapedAnswer{ResponseWriter: w, tape: t, number: number, asked: in.whole}
		defer out.over()
		if r.Body == http.NoBody { // which others ask for by its identity
			in.whole()
		} else {
			r = r.WithContext(r.Context()) // a copy
			r.Body = in
		}
		next.ServeHTTP(out, r)
	})
}

// keep appends to what is seen of a message, up to a byte more than is recorded.
func keep(seen, p []byte) []byte {
	return append(seen, p[:max(0, min(len(p), maxTaped+1-len(seen)))]...)
}

// A tapedBody records a request once its body has been read.
type tapedBody struct {
	io.ReadCloser
	seen  []byte
	whole func() // once
}

func (b *tapedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.seen = keep(b.seen, p[:n])
	if err != nil {
		b.whole()
	}
	return n, err
}

// A tapedAnswer records an answer: each event of a stream as it is written, or
// the whole at the end.
type tapedAnswer struct {
	http.ResponseWriter
	tape   *tape
	number int64
	asked  func() // records the request, if nobody has read it
	status int
	seen   []byte
}

func (a *tapedAnswer) WriteHeader(status int) {
	a.asked()
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *tapedAnswer) Write(p []byte) (int, error) {
	a.asked()
	n, err := a.ResponseWriter.Write(p)
	a.seen = keep(a.seen, p[:n])
	if strings.HasPrefix(a.Header().Get("Content-Type"), "text/event-stream") {
		a.events()
	}
	return n, err
}

// events records the events that are complete.
func (a *tapedAnswer) events() {
	for {
		event, rest, complete := bytes.Cut(a.seen, []byte("\n\n"))
		if !complete {
			if len(a.seen) > maxTaped {
				a.record(a.seen)
				a.seen = nil // its rest is no event, and is left out
			}
			return
		}
		a.seen = rest
		var data []byte
		for line := range bytes.Lines(event) {
			if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = append(data, text...)
			}
		}
		if json.Valid(data) { // not what keeps the stream alive, nor the address of a session
			a.record(data)
		}
	}
}

func (a *tapedAnswer) record(body []byte) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.tape.record(taped{Transport: "http", Direction: "out", Request: a.number, Status: a.status, Headers: shownHeaders(a.Header())}, body)
}

// over records what is no stream, also if it is empty.
func (a *tapedAnswer) over() {
	a.asked()
	stream := strings.HasPrefix(a.Header().Get("Content-Type"), "text/event-stream")
	if !stream || len(a.seen) > 0 {
		a.record(a.seen)
	}
}

// Unwrap is for [http.ResponseController].
func (a *tapedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
