package mapping

// passAlternatives makes every oneOf an anyOf. Alternatives that differed in
// what other passes took away would overlap, and a value that fits two of them
// would be refused for it; the backend decides better.
func passAlternatives(c *cleaner, s *object) {
	if m := s.find("oneOf"); m != nil {
		if s.has("anyOf") {
			both := &object{members: []member{{"anyOf", m.value}}}
			s.remove("oneOf")
			all, _ := s.get("allOf").([]any)
			s.set("allOf", append(all, both))
		} else {
			m.key = "anyOf"
		}
	}
	list, ok := s.get("anyOf").([]any)
	if !ok {
		return
	}
	list = distinct(list)
	s.set("anyOf", list)
	switch len(list) {
	case 1:
		c.onlyAlternative(s, list[0])
	case 2:
		orNull(s, list)
	}
}

// distinct removes values that are equal to an earlier one.
func distinct(list []any) []any {
	seen := make(map[string]bool, len(list))
	kept := make([]any, 0, len(list))
	for _, v := range list {
		key := string(appendJSON(nil, v))
		if !seen[key] {
			seen[key] = true
			kept = append(kept, v)
		}
	}
	return kept
}

func (c *cleaner) onlyAlternative(s *object, only any) {
	copied := &object{members: append([]member{}, s.members...)}
	copied.remove("anyOf")
	if c.unwrap(copied, only) {
		s.members = copied.members
	}
}

// orNull writes "X or null" as a list of types, where X is a single type.
func orNull(s *object, list []any) {
	for i, v := range list {
		null, _ := v.(*object)
		other, _ := list[1-i].(*object)
		if null == nil || other == nil || len(null.members) != 1 || null.get("type") != "null" {
			continue
		}
		name, single := other.get("type").(string)
		if !single || other.has("const") {
			return
		}
		for _, m := range other.members {
			if s.has(m.key) && !isAnnotation(m.key) {
				return
			}
		}
		s.remove("anyOf")
		for _, m := range other.members {
			if !s.has(m.key) {
				s.members = append(s.members, m)
			}
		}
		if name != "null" {
			s.set("type", []any{name, "null"})
		}
		return
	}
}
