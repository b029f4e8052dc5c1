package mapping

// passRefs removes each reference that leads nowhere, so that a published
// schema always resolves.
func passRefs(c *cleaner, s *object) {
	v, there := s.get("$ref"), s.has("$ref")
	if !there {
		return
	}
	ref, _ := v.(string)
	name, ok := refName(ref)
	if ok {
		_, ok = c.lib.raw[name]
	}
	if !ok {
		s.remove("$ref")
		c.note(Repaired, "the reference %q leads nowhere, so anything is allowed", ref)
	}
}
