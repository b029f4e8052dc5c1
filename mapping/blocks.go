package mapping

import (
	"fmt"
	"strings"
)

// addBlocks adds the content beside the JSON.
func (s *shaping) addBlocks() {
	for _, b := range s.result.Blocks {
		switch b.Kind {
		case Image, Audio, Blob:
			s.addBytes(b)
		case Link:
			b.URI = s.source.absolute(b.URI)
			if b.Text == "" {
				b.Text = b.URI // a link must have a name
			}
			s.answer.Blocks = append(s.answer.Blocks, b)
		default:
			s.addText(b)
		}
	}
}

// addText adds a text, as much of it as there is room for.
func (s *shaping) addText(b Block) {
	b.Text = strings.ToValidUTF8(b.Text, "\uFFFD")
	if b.Kind != TextResource {
		b.Kind = Text
	} else {
		b.URI = s.embeddedURI(b.URI)
	}
	if len(b.Text) > s.room {
		whole := len(b.Text)
		b.Text = cutText(b.Text, s.room)
		s.cutBecause(fmt.Sprintf("the text has its first %d of %d bytes", len(b.Text), whole))
	}
	s.room -= len(b.Text)
	s.answer.Blocks = append(s.answer.Blocks, b)
}

// cutText cuts a text to so many bytes, at the end of a line if one is near, else
// between two characters.
func cutText(text string, room int) string {
	if len(text) <= room {
		return text
	}
	head := strings.ToValidUTF8(text[:max(room, 0)], "")
	if line := strings.LastIndexByte(head, '\n'); line > len(head)*9/10 {
		return head[:line+1]
	}
	return head
}

// addBytes adds binary content exactly, or says why it is left out.
func (s *shaping) addBytes(b Block) {
	if limit := s.source.limits.blob; len(b.Data) > limit {
		s.addText(Block{Kind: Text, Text: refusedBytes(b, limit)})
		return
	}
	if b.Kind != Image { // a sound is embedded for clients of before 2025-03-26
		b.URI = s.embeddedURI(b.URI)
	}
	if b.MIME == "" {
		b.MIME = "application/octet-stream"
	}
	s.answer.Blocks = append(s.answer.Blocks, b)
}

func refusedBytes(b Block, limit int) string {
	what := string(b.Kind)
	if b.MIME != "" {
		what += " of type " + b.MIME
	}
	return fmt.Sprintf("The %s has %d bytes, more than the %d that can be passed on. It is left out.", what, len(b.Data), limit)
}

// embeddedURI is a block's own URI, else that of the call. A client may keep
// embedded blocks by their URIs, so each is called something else.
func (s *shaping) embeddedURI(own string) string {
	if own != "" {
		return s.source.absolute(own)
	}
	uri := s.uri
	for _, b := range s.answer.Blocks {
		if b.URI == uri {
			uri = fmt.Sprintf("%s/%d", s.uri, len(s.answer.Blocks)+1)
		}
	}
	return uri
}

// absolute makes a URI of a path below the source, which is all that an adapter
// knows of its own resources. What has a scheme is one already.
func (s *source) absolute(uri string) string {
	scheme, _, found := strings.Cut(uri, ":")
	if uri == "" || found && !strings.ContainsAny(scheme, "/?#") {
		return uri
	}
	var b strings.Builder
	b.WriteString(s.catalog.Scheme + "://" + s.name + "/")
	for _, c := range []byte(strings.TrimPrefix(uri, "/")) {
		writeEscaped(&b, c, isSegmentChar(c) || strings.IndexByte("/?%", c) >= 0)
	}
	return b.String()
}
