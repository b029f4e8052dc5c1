package mapping

import "strings"

// words puts published names in place of the [[key]] references of a text.
// A sentence that names an operation which is not in the surface is dropped.
func (s *source) words(text string) string {
	if !strings.Contains(text, "[[") {
		return text
	}
	for key, tool := range s.tools {
		text = strings.ReplaceAll(text, "[["+key+"]]", tool.Name)
	}
	return text
}
