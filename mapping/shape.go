package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
)

// limits bound what an answer may take, in bytes.
type limits struct{ text, blob int }

// Budget returns how many bytes of text an answer may take, for Call.Budget and
// Read.Budget.
func (s *Surface) Budget() int64 { return int64(s.limits.text) }

// Shape turns what an adapter returned for call, a call of this tool, into what
// the model sees: JSON wrapped and cut to the budget, names of the surface in
// notes, binary content exact or refused.
func (t *Tool) Shape(call *Call, r *Result) *Answer {
	a := &Answer{Truncated: r.Truncated}
	if len(r.JSON) > 0 {
		a.Structured = wrap(r.JSON)
		a.Blocks = append(a.Blocks, Block{Kind: Text, Text: string(a.Structured)})
	}
	a.Blocks = append(a.Blocks, r.Blocks...)
	if r.Note != "" {
		a.Blocks = append(a.Blocks, Block{Kind: Text, Text: t.source.words(r.Note)})
	}
	if len(a.Blocks) == 0 {
		a.Blocks = []Block{{Kind: Text, Text: "Done."}}
	}
	return a
}

// wrap puts what is no object into one.
func wrap(answer json.RawMessage) json.RawMessage {
	answer = bytes.TrimSpace(answer)
	if answer[0] == '{' {
		return answer
	}
	return append(append([]byte(`{"result":`), answer...), '}')
}

// ShapeError turns a failure of a call of this tool into words for the model.
// An error that is no *Error shows as an internal error, without its text.
func (t *Tool) ShapeError(err error) *Answer {
	said := t.source.said(err)
	return &Answer{IsError: true, Blocks: []Block{{Kind: Text, Text: said.Error()}}}
}

// said returns the failure in the words of the surface.
func (s *source) said(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Code: Internal, Problem: "internal error", Err: err}
	}
	said := *e
	said.Problem, said.Allowed, said.Next = s.words(e.Problem), s.words(e.Allowed), s.words(e.Next)
	return &said
}

// Shape turns what an adapter returned for this target into the contents of the
// resource: TextResource and Blob blocks with URI and MIME set, never none. The
// error is a *Error.
func (t *Target) Shape(r *Result) ([]Block, error) {
	if len(r.JSON) > 0 {
		return []Block{{Kind: TextResource, URI: t.URI, MIME: "application/json", Text: string(r.JSON)}}, nil
	}
	var contents []Block
	for _, b := range r.Blocks {
		b.URI = t.URI
		switch b.Kind {
		case Image, Audio, Blob:
			b.Kind = Blob
		default:
			b.Kind = TextResource
		}
		contents = append(contents, b)
	}
	if len(contents) == 0 {
		contents = []Block{{Kind: TextResource, URI: t.URI, MIME: t.Address.MIME}}
	}
	return contents, nil
}

// ShapeError returns the failure of a read in the words of the surface. Its
// code is kept.
func (t *Target) ShapeError(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Code: Internal, Problem: "internal error", Err: err}
	}
	return e
}
