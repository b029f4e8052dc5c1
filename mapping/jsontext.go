package mapping

import "bytes"

// A piece is one value of a JSON text, as bytes: an answer may be megabytes, of
// which sixty thousand bytes are kept.
type piece struct {
	open byte   // '{', '[' or '"'; 0 for anything else
	raw  []byte // of what has no pieces in it
	key  []byte // of a member, with its quotes
	kids []*piece
	size int // bytes when it is written, without its key
	// count is how many items or members the text has; kids may be fewer.
	count int
	up    *piece
	index int // among the kids of up
	gone  bool
}

// A splitter reads compact, valid JSON into pieces. It keeps no more than could
// ever be shown, so that what it holds depends on the room and not on the text.
type splitter struct {
	text []byte
	at   int
	room int
}

func splitJSON(text []byte, room int) *piece {
	s := splitter{text: text, room: room}
	return s.value()
}

func (s *splitter) value() *piece {
	p := &piece{}
	start := s.at
	switch s.text[s.at] {
	case '{', '[':
		p.open = s.text[s.at]
		s.at++
		s.inside(p)
		p.size = p.sum()
		return p
	case '"':
		p.open = '"'
	}
	s.skip()
	p.raw = s.text[start:s.at]
	p.size = len(p.raw)
	return p
}

// inside reads the items or members of a piece, up to and with what closes it.
func (s *splitter) inside(p *piece) {
	taken := 0
	for {
		switch s.text[s.at] {
		case '}', ']':
			s.at++
			return
		case ',':
			s.at++
		}
		var key []byte
		if p.open == '{' {
			start := s.at
			s.skip()
			key = s.text[start:s.at]
			s.at++ // the colon
		}
		p.count++
		if taken > s.most(p) {
			s.skip()
			continue
		}
		kid := s.value()
		kid.key, kid.up, kid.index = key, p, len(p.kids)
		taken += kid.size + 1
		p.kids = append(p.kids, kid)
	}
}

// most is how many bytes of a piece's kids are looked at. Members are not cut
// from the end as items are, so of them there are more: a few long lists in an
// object must not hide what follows them.
func (s *splitter) most(p *piece) int {
	if p.open == '[' {
		return s.room
	}
	return 16 * s.room
}

// skip moves behind one value.
func (s *splitter) skip() {
	depth := 0
	for {
		switch s.text[s.at] {
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
			continue
		default:
			s.skipWord()
		}
		if depth == 0 {
			return
		}
	}
}

func (s *splitter) skipString() {
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

func (s *splitter) skipWord() {
	if end := bytes.IndexAny(s.text[s.at:], ",:]}"); end >= 0 {
		s.at += end
		return
	}
	s.at = len(s.text)
}

// sum is the size of a piece by those of its kids.
func (p *piece) sum() int {
	size := 2
	for i, kid := range p.kids {
		if i > 0 {
			size++
		}
		size += kid.whole()
	}
	return size
}

// whole is the size of a piece with its key.
func (p *piece) whole() int {
	if p.key == nil {
		return p.size
	}
	return len(p.key) + 1 + p.size
}

// append writes the piece.
func (p *piece) append(b []byte) []byte {
	if p.key != nil {
		b = append(append(b, p.key...), ':')
	}
	switch p.open {
	case '{', '[':
		b = append(b, p.open)
		for i, kid := range p.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = kid.append(b)
		}
		return append(b, p.open+2) // ] and } follow two behind
	}
	return append(b, p.raw...)
}
