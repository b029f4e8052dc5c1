package mapping

import (
	"strings"
	"unicode"
)

// passWords makes titles and descriptions worth reading: a title that says what
// the name or the description says is left out, one that says more becomes the
// description where there is none.
func passWords(c *cleaner, s *object) {
	description := c.lib.words.terse(text(s.get("description")))
	title := strings.TrimSpace(text(s.get("title")))
	if description == "" && !sameWords(title, c.name()) {
		description = c.lib.words.terse(title)
	}
	s.remove("title")
	if description == "" || sameWords(description, c.name()) {
		s.remove("description")
		return
	}
	s.set("description", description)
}

// name returns the property or type whose schema is being made.
func (c *cleaner) name() string {
	if len(c.at) < 2 {
		return ""
	}
	switch c.at[len(c.at)-2] {
	case "properties", "$defs", "params":
		return c.at[len(c.at)-1]
	}
	return ""
}

// sameWords says whether two texts have the same letters and digits in the same
// order: "petId" and "Pet ID" do.
func sameWords(a, b string) bool { return letters(a) == letters(b) }

// letters are the letters and digits of a text, in small letters.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
