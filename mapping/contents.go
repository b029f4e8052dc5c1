package mapping

import (
	"cmp"
	"strings"
)

// Shape turns what an adapter returned for this target into the contents of the
// resource: TextResource and Blob blocks with URI and MIME set, never none. What
// is too long is cut, which a further block says. The error is a *Error.
func (t *Target) Shape(r *Result) ([]Block, error) {
	src := t.Address.source
	s := newShaping(src, r, t.URI)
	s.tool = t.Address.Tool
	if s.json != nil {
		t.addJSON(s)
	} else if len(r.JSON) > 0 {
		s.addText(t.content(Block{Kind: TextResource, Text: string(r.JSON)}))
	}
	for _, b := range r.Blocks {
		b = t.content(b)
		if b.Kind == TextResource {
			s.addText(b)
			continue
		}
		if limit := src.limits.blob; len(b.Data) > limit {
			return nil, &Error{Code: Exhausted, Problem: strings.TrimSuffix(refusedBytes(b, limit), "."), Next: "do not retry"}
		}
		s.answer.Blocks = append(s.answer.Blocks, b)
	}
	if len(s.answer.Blocks) == 0 {
		s.answer.Blocks = []Block{t.content(Block{Kind: TextResource})}
	}
	if s.answer.Truncated {
		s.addNote()
		last := &s.answer.Blocks[len(s.answer.Blocks)-1]
		*last = Block{Kind: TextResource, Text: last.Text, URI: t.URI, MIME: "text/plain"}
	}
	return s.answer.Blocks, nil
}

// addJSON adds JSON as it is, cut where it must be: a list stays a list.
func (t *Target) addJSON(s *shaping) {
	if room := s.jsonRoom(); len(s.json) > room {
		c := cutJSON(s.json, max(room, 2))
		s.json = c.text
		s.cutBecause(c.words())
	}
	s.room = max(0, s.room-len(s.json))
	s.answer.Blocks = append(s.answer.Blocks, t.content(Block{Kind: TextResource, Text: string(s.json), MIME: "application/json"}))
}

// content makes a block one that a resource may have.
func (t *Target) content(b Block) Block {
	b.URI = cmp.Or(t.Address.source.absolute(b.URI), t.URI)
	switch b.Kind {
	case Image, Audio, Blob:
		b.Kind = Blob
		b.MIME = cmp.Or(b.MIME, t.Address.MIME, "application/octet-stream")
	case Link:
		return Block{Kind: TextResource, Text: strings.TrimSpace(b.Text + " " + b.URI), URI: t.URI, MIME: "text/plain"}
	case Text, TextResource:
		b.Kind = TextResource
		b.MIME = cmp.Or(b.MIME, t.Address.MIME, "text/plain")
	}
	return b
}

// ShapeError returns the failure of a read in the words of the surface. Its
// code is kept.
func (t *Target) ShapeError(err error) *Error { return t.Address.source.said(err) }
