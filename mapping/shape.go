package mapping

import (
	"bytes"
	"encoding/json"
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
	s := newShaping(t.source, r, t.callURI())
	s.tool = t
	if !s.structure() {
		return t.ShapeError(tooLarge(t))
	}
	s.addBlocks()
	s.addNote()
	if len(s.answer.Blocks) == 0 {
		s.answer.Blocks = []Block{{Kind: Text, Text: "It worked; there is nothing to show."}}
	}
	return &s.answer
}

// callURI is what an embedded block is called that has no URI of its own.
func (t *Tool) callURI() string {
	return t.source.catalog.Scheme + "://" + t.source.name + "/~call/" + t.Name
}

// A shaping is one answer in the making.
type shaping struct {
	source *source
	tool   *Tool
	result *Result
	uri    string // of embedded blocks without one
	json   json.RawMessage
	room   int // bytes of text that may still be written
	answer Answer
	lost   []string // what mapping itself had to cut, in words
}

// noteRoom is kept free for the note of an answer that does not fit.
const noteRoom = 2_000

func newShaping(src *source, r *Result, uri string) *shaping {
	s := &shaping{source: src, result: r, uri: uri, room: src.limits.text}
	s.answer.Truncated = r.Truncated
	s.json = compactJSON(r.JSON)
	texts := len(s.json)
	for i := range r.Blocks {
		texts += len(r.Blocks[i].Text)
	}
	if texts+noteRoom > s.room {
		s.room -= min(noteRoom, s.room/4)
	}
	return s
}

// compactJSON returns JSON without spaces, and nil for what is none. The text
// keeps its digits; bytes that are not UTF-8 become U+FFFD.
func compactJSON(text json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, bytes.ToValidUTF8(text, []byte("\uFFFD"))); err != nil {
		return nil
	}
	return b.Bytes()
}

// structure makes the structured content and the text that holds the same value.
// It is false where that cannot be cut to fit and stay true to its schema.
func (s *shaping) structure() bool {
	if s.json == nil {
		if len(s.result.JSON) > 0 { // the adapter said JSON, and it is none
			s.addText(Block{Kind: Text, Text: string(s.result.JSON)})
		}
		if s.tool.outputs == nil {
			return true
		}
		s.json = json.RawMessage("{}")
	}
	frame := len(`{"result":,"truncated":true}`)
	if room := s.jsonRoom() - frame; len(s.json) > room {
		c := cutJSON(s.json, max(room, 2))
		s.json = c.text
		s.cutBecause(c.words())
	}
	s.answer.Structured = wrapJSON(s.json)
	if s.answer.Truncated {
		s.answer.Structured = withTruncated(s.answer.Structured)
	}
	if s.answer.Truncated && !s.tool.outputs.holds(s.answer.Structured) {
		return false
	}
	text := string(s.answer.Structured)
	s.room = max(0, s.room-len(text))
	s.answer.Blocks = append([]Block{{Kind: Text, Text: text}}, s.answer.Blocks...)
	return true
}

// jsonRoom is what the JSON may take: all, or half if there are texts beside it
// that want more than is left.
func (s *shaping) jsonRoom() int {
	texts := 0
	for i := range s.result.Blocks {
		texts += len(s.result.Blocks[i].Text)
	}
	return max(s.room-texts, s.room/2)
}

// cutBecause records that mapping cut something. The arguments that would
// continue from the end of the whole would then skip what was cut.
func (s *shaping) cutBecause(words string) {
	s.answer.Truncated = true
	s.lost = append(s.lost, words)
}

// wrapJSON puts what is no object into one.
func wrapJSON(text json.RawMessage) json.RawMessage {
	if text[0] == '{' {
		return text
	}
	return append(append([]byte(`{"result":`), text...), '}')
}

// withTruncated sets the member "truncated" of a compact object to true.
func withTruncated(text json.RawMessage) json.RawMessage {
	const member = `"truncated":true`
	root := splitJSON(text, len(text))
	for _, kid := range root.kids {
		if string(kid.key) == `"truncated"` {
			kid.open, kid.kids, kid.raw = 0, nil, []byte("true")
			return root.append(nil)
		}
	}
	whole := append(json.RawMessage{}, text[:len(text)-1]...)
	if len(root.kids) > 0 {
		whole = append(whole, ',')
	}
	return append(append(whole, member...), '}')
}
