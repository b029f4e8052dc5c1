package mapping

// passClosed takes back the demand for properties that a schema does not allow:
// no value could satisfy it.
func passClosed(c *cleaner, s *object) {
	if s.get("additionalProperties") != false || s.has("patternProperties") {
		return
	}
	list, _ := s.get("required").([]any)
	props, _ := s.get("properties").(*object)
	var kept []any
	for _, key := range list {
		if props == nil || !props.has(text(key)) {
			c.note(Repaired, "%s is required, and no property that is allowed; it is not asked for", excerpt(key))
			continue
		}
		kept = append(kept, key)
	}
	if len(kept) < len(list) {
		s.set("required", kept)
		s.distinctStrings("required")
	}
}
