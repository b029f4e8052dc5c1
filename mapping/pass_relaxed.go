package mapping

// passRelaxed makes a schema true of answers that its backend only nearly keeps
// to: nothing is required, null may stand anywhere, and no value is refused for
// what it is beyond its type.
func passRelaxed(c *cleaner, s *object) {
	// Without the patterns nobody knows which properties are additional.
	patterns := s.has("patternProperties")
	kept := s.members[:0]
	for _, m := range s.members {
		switch m.key {
		case "description", "title", "items", "prefixItems", "properties", "anyOf", "$ref", "discriminator", "deprecated":
			kept = append(kept, m)
		case "type":
			types := typesOf(s)
			if !has(types, "null") {
				types = append(append([]any{}, types...), "null")
			}
			kept = append(kept, member{"type", types})
		case "additionalProperties":
			if _, described := m.value.(*object); described && !patterns {
				kept = append(kept, m)
			}
		case "allOf":
			kept = append(kept, m)
		}
	}
	s.members = kept
}
