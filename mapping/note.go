package mapping

import (
	"slices"
	"strings"
)

// addNote says what the model should know beyond the content: the adapter's
// note, what was cut, and how to go on.
func (s *shaping) addNote() {
	var said []string
	note := withStop(strings.TrimSpace(s.source.words(strings.ToValidUTF8(s.result.Note, "\uFFFD"))))
	if s.answer.Truncated {
		said = append(said, s.truncation(note != ""))
	}
	if note != "" {
		said = append(said, note)
	}
	if next := s.continuation(); next != "" {
		said = append(said, next)
	}
	if len(said) == 0 {
		return
	}
	text := cutText(strings.Join(said, " "), max(s.source.limits.text-s.written(), 0))
	s.answer.Blocks = append(s.answer.Blocks, Block{Kind: Text, Text: text})
}

// written is how many bytes of text the answer has.
func (s *shaping) written() int {
	n := 0
	for i := range s.answer.Blocks {
		n += len(s.answer.Blocks[i].Text)
	}
	return n
}

func withStop(text string) string {
	if text == "" || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// truncation says that there is more than is here, and which arguments ask for
// less; where the adapter has said something itself, it has said that.
func (s *shaping) truncation(advised bool) string {
	said := "This answer is truncated"
	if lost := strings.Join(s.lost, "; "); lost != "" {
		said += ": " + lost
	}
	said += "."
	if advised || s.continues() {
		return said
	}
	if names := s.narrowing(); len(names) > 0 {
		return said + " To get the rest, call " + s.tool.Name + " again with " + orList(names) + "."
	}
	if s.tool != nil {
		return said + " No argument of " + s.tool.Name + " asks for less."
	}
	return said
}

// continues says whether the adapter's continuation still fits what is shown.
func (s *shaping) continues() bool {
	return s.tool != nil && s.result.Next != nil && len(s.lost) == 0
}

// continuation offers the call that goes on where this one ended.
func (s *shaping) continuation() string {
	if !s.continues() {
		return ""
	}
	arguments, ok := s.tool.plan.arguments(s.result.Next)
	if !ok || len(arguments) > noteRoom/2 {
		return "There is more; call " + s.tool.Name + " again for it."
	}
	return "There is more: call " + s.tool.Name + " with " + string(arguments) + "."
}

// narrowing returns the arguments of the tool that choose less of an answer.
func (s *shaping) narrowing() []string {
	if s.tool == nil {
		return nil
	}
	var names []string
	for i, name := range s.tool.plan.params {
		if in := s.tool.op.Params[i].In; in == "query" || in == "" {
			if narrows(name) && len(names) < 5 {
				names = append(names, name)
			}
		}
	}
	return names
}

// narrows says whether an argument of this name is known to ask for less, or for
// another part.
func narrows(name string) bool {
	return slices.Contains([]string{
		"limit", "pagesize", "perpage", "size", "top", "first", "last", "take", "maxresults", "maxitems", "rows",
		"page", "pagenumber", "pagetoken", "offset", "skip", "start", "startat", "cursor", "after", "before", "marker", "since", "until",
		"fields", "select", "columns", "filter", "where", "q", "query", "search",
	}, letters(name))
}

func orList(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// tooLarge is the failure of an answer that cannot be cut.
func tooLarge(t *Tool) *Error {
	e := &Error{Code: Exhausted, Problem: "the answer is larger than what can be shown, and cannot be cut", Next: "ask for something narrower"}
	s := shaping{tool: t}
	if names := s.narrowing(); len(names) > 0 {
		e.Next = "call " + t.Name + " again with " + orList(names)
	}
	return e
}
