package mapping

import "strings"

// passReadOnly leaves out of inputs what only the backend sets.
func passReadOnly(c *cleaner, s *object) { c.hide(s, "readOnly") }

// passWriteOnly leaves out of answers what only goes in.
func passWriteOnly(c *cleaner, s *object) { c.hide(s, "writeOnly") }

// hide removes the properties with this flag, also from what is required.
func (c *cleaner) hide(s *object, flag string) {
	props, ok := s.get("properties").(*object)
	if !ok {
		return
	}
	kept := make([]member, 0, len(props.members))
	var hidden []string
	for _, m := range props.members {
		if c.flagged(m.value, flag) {
			hidden = append(hidden, excerpt(m.key))
			continue
		}
		kept = append(kept, m)
	}
	if hidden == nil {
		return
	}
	c.note(Cut, "without what is %s: %s", flagWords(flag), strings.Join(hidden, ", "))
	s.set("properties", &object{members: kept})
	c.dropRequired(s, props, kept)
}

func flagWords(flag string) string {
	if flag == "readOnly" {
		return "read-only"
	}
	return "write-only"
}

// dropRequired takes the properties that are gone from the required ones.
func (c *cleaner) dropRequired(s, was *object, kept []member) {
	list, ok := s.get("required").([]any)
	if !ok {
		return
	}
	left := (&object{members: kept})
	var still []any
	for _, key := range list {
		if was.has(text(key)) && !left.has(text(key)) {
			continue
		}
		still = append(still, key)
	}
	if len(still) == 0 {
		s.remove("required")
		return
	}
	s.set("required", still)
}

// flagged says whether a property, or the shared schema that it refers to, has
// the flag.
func (c *cleaner) flagged(v any, flag string) bool {
	s, ok := v.(*object)
	if !ok {
		return false
	}
	if s.get(flag) == true {
		return true
	}
	name, ok := refName(text(s.get("$ref")))
	if !ok {
		return false
	}
	return c.lib.flags(name, flag)
}
