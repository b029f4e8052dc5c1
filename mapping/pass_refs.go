package mapping

// passRefs removes each reference that leads nowhere, so that a published
// schema always resolves.
func passRefs(c *cleaner, s *object) {
	v := s.find("$ref")
	if v == nil {
		return
	}
	ref, _ := v.value.(string)
	if name, ok := refName(ref); ok {
		if _, ok := c.lib.raw[name]; ok {
			return
		}
	}
	s.remove("$ref")
	c.note(Repaired, "the reference %s leads nowhere, so anything is allowed", excerpt(v.value))
}
