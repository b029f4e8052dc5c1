package mapping

import "strings"

// words puts published names in place of the [[key]] references of a text.
// A sentence that names an operation which is not in the surface is dropped.
func (s *source) words(text string) string {
	if !strings.Contains(text, "[[") {
		return text
	}
	var kept []string
	for sentence := range sentences(text) {
		if named, ok := s.named(sentence); ok {
			kept = append(kept, named)
		}
	}
	return strings.Join(kept, " ")
}

// named replaces the references of one sentence, and reports whether all of
// them are in the surface. [[1, 2], [3, 4]] and the like are no references:
// they stay as they are.
func (s *source) named(sentence string) (string, bool) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(sentence, "[[")
		key, rest, closed := strings.Cut(after, "]]")
		if !found || !closed {
			b.WriteString(sentence)
			return b.String(), true
		}
		b.WriteString(before)
		switch tool := s.tools[key]; {
		case tool != nil:
			b.WriteString(tool.Name)
		case isReference(key):
			return "", false
		default:
			b.WriteString("[[" + key + "]]")
		}
		sentence = rest
	}
}

// isReference tells the key of an operation from JSON that happens to stand in
// two brackets.
func isReference(key string) bool {
	return key != "" && (isUpper(key[0]) || isLower(key[0])) && !strings.ContainsAny(key, "[]\"\n")
}
