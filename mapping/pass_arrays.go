package mapping

// passArrays gives every array its items: without them a vendor refuses the tool.
func passArrays(c *cleaner, s *object) {
	if has(typesOf(s), "array") && !s.has("items") {
		s.set("items", &object{})
	}
}
