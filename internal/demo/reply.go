package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A reply is one answer.
type reply struct {
	status int
	value  any    // has a JSON form; nil where body is the content, or nothing is
	mime   string // "" where there is no content
	body   []byte
	header map[string]string
}

func jsonReply(status int, v any) reply {
	return reply{status: status, mime: "application/json", value: v}
}

// encode turns value into body. The value may point into the shop, so this
// happens while the shop stands still.
func (a *reply) encode() error {
	if a.value == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // an API's readers are no browsers
	err := e.Encode(a.value)
	a.body = b.Bytes()
	return err
}

func (a *reply) write(w http.ResponseWriter) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.mime != "" {
		w.Header().Set("Content-Type", a.mime)
	}
	w.WriteHeader(a.status)
	w.Write(a.body)
}

// with returns the reply with one more header, or as it is for an empty value.
func (a reply) with(name, value string) reply {
	if value != "" {
		a.header = map[string]string{name: value}
	}
	return a
}

// A problem is a failure in the form of RFC 9457.
type problem struct {
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Detail string  `json:"detail"`
	Errors []fault `json:"errors,omitempty"`
}

// A fault is one thing wrong with a request. Pointer is a JSON pointer into the
// body, or the name of a parameter.
type fault struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

func (p *problem) Error() string { return p.Detail }

func notFound(format string, args ...any) error {
	return &problem{Title: "Not found", Status: http.StatusNotFound, Detail: fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &problem{Title: "Conflict", Status: http.StatusConflict, Detail: fmt.Sprintf(format, args...)}
}

// faults collects what is wrong with one request.
type faults []fault

func (f *faults) add(pointer, format string, args ...any) {
	*f = append(*f, fault{pointer, fmt.Sprintf(format, args...)})
}

// err returns all faults as one problem, nil if there are none.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	var sentences []string
	for _, one := range f {
		sentences = append(sentences, one.Detail)
	}
	return &problem{
		Title:  "Invalid request",
		Status: http.StatusUnprocessableEntity,
		Detail: strings.Join(sentences, "; "),
		Errors: f,
	}
}

// problemReply is the answer that tells of a failure.
func problemReply(err error) reply {
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{Title: "Broken", Status: http.StatusInternalServerError, Detail: "the shop made a mistake"}
	}
	return reply{status: p.Status, mime: "application/problem+json", value: p}
}

const maxBody = 1 << 20 // bytes

// decode reads the body of a request into v.
func decode(r *http.Request, v any) error {
	var f faults
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil || len(text) > maxBody {
		f.add("", "the body cannot be read or has more than %d bytes", maxBody)
		return f.err()
	}
	var mistyped *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, v); {
	case errors.As(err, &mistyped):
		f.add("/"+strings.ReplaceAll(mistyped.Field, ".", "/"), "%s cannot be a %s", mistyped.Field, mistyped.Value)
	case err != nil:
		f.add("", "the body is not JSON")
	}
	return f.err()
}
