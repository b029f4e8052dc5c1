package openapi

// cutJSON makes JSON of the beginning of a JSON text that a limit cut: it ends
// after the last whole item of the outermost list that was still open, or, where
// no list was, after the last whole property, and closes what is open. nil is
// nothing to be saved.
func cutJSON(b []byte) []byte {
	s := scanner{}
	for i, c := range b {
		s.step(i, c)
	}
	keep := -1
	for depth, level := range s.open {
		if level.close == ']' && level.end > 0 {
			keep = depth
			break
		}
	}
	for depth := len(s.open) - 1; keep < 0 && depth >= 0; depth-- {
		if s.open[depth].end > 0 {
			keep = depth
		}
	}
	if keep < 0 {
		return nil
	}
	out := append([]byte{}, b[:s.open[keep].end]...)
	for depth := keep; depth >= 0; depth-- {
		out = append(out, s.open[depth].close)
	}
	return out
}

// A scanner knows which lists and objects are open at each byte of a JSON text.
type scanner struct {
	open     []level
	inString bool
	escaped  bool
}

// A level is an open list or object; end is where its last whole value ended, 0
// if there is none yet.
type level struct {
	close byte
	end   int
}

func (s *scanner) step(i int, c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inString:
		s.escaped = c == '\\'
		s.inString = c != '"'
	case c == '"':
		s.inString = true
	case c == '[':
		s.open = append(s.open, level{close: ']'})
	case c == '{':
		s.open = append(s.open, level{close: '}'})
	case len(s.open) == 0:
	case c == ']', c == '}':
		s.open = s.open[:len(s.open)-1]
	case c == ',':
		s.open[len(s.open)-1].end = i
	}
}
