package mapping

import "strings"

// passBytes says how a model sends bytes, where the backend only says that they
// are some.
func passBytes(c *cleaner, s *object) {
	if s.get("format") != "binary" {
		return
	}
	said := text(s.get("description"))
	if strings.Contains(strings.ToLower(said), "base64") {
		return
	}
	s.set("description", sentence(said, "As base64 or as a data: URI."))
}

// sentence adds a sentence to a text.
func sentence(said, more string) string {
	if said == "" {
		return more
	}
	if !strings.HasSuffix(said, ".") {
		said += "."
	}
	return said + " " + more
}
