package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestHandlerThatPanics is an API that fails, before and after it has answered.
func TestHandlerThatPanics(t *testing.T) {
	const want = "the API failed while it answered. it may have been carried out all the same; look before you call again"
	for name, api := range map[string]http.HandlerFunc{
		"before": func(http.ResponseWriter, *http.Request) { panic("secret state") },
		"after":  func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "half"); panic("secret state") },
		"exit":   func(http.ResponseWriter, *http.Request) { runtime.Goexit() },
		"abort":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sendTo(t.Context(), t, "POST", Options{Handler: api}, mapping.Call{})
			wantError(t, err, mapping.Unavailable, want)
			var p interface{ Stack() []byte }
			told := errors.As(err, &p) && bytes.Contains(p.Stack(), []byte("TestHandlerThatPanics"))
			if want := name == "before" || name == "after"; told != want {
				t.Errorf("the stack of the handler is told: %v, want %v", told, want)
			}
		})
	}
}

// TestHandlerSeesARequestOfAServer compares with what net/http shows a handler.
func TestHandlerSeesARequestOfAServer(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s|%s|%s|%s|%s|%s|%v", r.RequestURI, r.URL, r.Host, r.Proto, r.Header.Get("Content-Type"), body, r.RemoteAddr != "")
	})
	r, err := sendTo(t.Context(), t, "POST", Options{Handler: api, BaseURL: "http://shop.test:8/v1"}, mapping.Call{Body: []byte(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Blocks[0].Text, `/v1/x|/v1/x|shop.test:8|HTTP/1.1|application/json|{"a":1}|true`; got != want {
		t.Errorf("the handler saw %s, want %s", got, want)
	}
}

// TestHandlerStreams has the handler wait for its reader.
func TestHandlerStreams(t *testing.T) {
	wrote := make(chan string, 3)
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, s := range []string{"one", "two"} {
			fmt.Fprint(w, s)
			w.(http.Flusher).Flush()
			wrote <- s
		}
	})
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://x.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := inProcess{api}.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if len(wrote) != 0 {
		t.Error("the handler went on though nobody had read")
	}
	body, err := io.ReadAll(resp.Body)
	if string(body) != "onetwo" || err != nil {
		t.Errorf("read %q, %v", body, err)
	}
}

// TestHandlerOfHead keeps a body from an answer that has none.
func TestHandlerOfHead(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1000)) })
	r, err := sendTo(t.Context(), t, "HEAD", Options{Handler: api}, mapping.Call{})
	if got, want := resultText(t, r, err), "note It worked: the API answered 200 OK without content; Content-Type: text/plain; charset=utf-8."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
