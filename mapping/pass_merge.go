package mapping

import "slices"

// passMerge makes one object of an allOf whose members only describe objects:
// models read it better, and properties must stand in one place to be arguments.
func passMerge(c *cleaner, s *object) {
	list, ok := s.get("allOf").([]any)
	if !ok {
		return
	}
	if len(list) == 1 && c.unwrap(s, list[0]) {
		return
	}
	parts := make([]*object, 0, len(list)+1)
	for _, sub := range list {
		part, ok := c.describesObject(sub)
		if !ok {
			return
		}
		parts = append(parts, part)
	}
	own := &object{}
	for _, m := range s.members {
		if m.key != "allOf" {
			own.members = append(own.members, m)
		}
	}
	if !mergeable(own) {
		return
	}
	whole := c.mergeObjects(append(parts, own))
	if tells := own.find("discriminator"); tells != nil {
		whole.set(tells.key, tells.value)
	}
	s.members = whole.members
}

// unwrap replaces an allOf of one by that one, where nothing beside it would be
// overwritten.
func (c *cleaner) unwrap(s *object, only any) bool {
	part, ok := only.(*object)
	if !ok {
		return false
	}
	for _, m := range part.members {
		if s.has(m.key) && !isAnnotation(m.key) {
			return false
		}
	}
	if part.has("$ref") && !onlyAnnotations(s, "allOf") {
		return false
	}
	s.remove("allOf")
	for _, m := range part.members {
		if !s.has(m.key) {
			s.members = append(s.members, m)
		}
	}
	return true
}

func onlyAnnotations(s *object, but string) bool {
	for _, m := range s.members {
		if m.key != but && !isAnnotation(m.key) {
			return false
		}
	}
	return true
}

// describesObject resolves a member of an allOf, if all it does is to describe
// an object. A type that is being made now refers to itself and is left alone.
func (c *cleaner) describesObject(v any) (*object, bool) {
	s, ok := v.(*object)
	if !ok {
		return nil, false
	}
	if name, isRef := refName(text(s.get("$ref"))); isRef {
		d := c.lib.get(name)
		if d == nil || d.base == nil || len(s.members) > 1 {
			return nil, false
		}
		s = c.extended(d.base)
		if mergeable(s) {
			c.made = append(c.made, d.tell()...)
		}
	}
	return s, mergeable(s)
}

// extended is a type as the type that is being made extends it: without the
// alternatives that are, among others, the extending type itself.
func (c *cleaner) extended(base *object) *object {
	if len(c.at) < 2 || c.at[0] != "$defs" {
		return base
	}
	own := refPrefix + c.at[1]
	list, _ := base.get("anyOf").([]any)
	for _, alternative := range list {
		if s, ok := alternative.(*object); ok && s.get("$ref") == own {
			bare := &object{members: slices.Clone(base.members)}
			bare.remove("anyOf")
			return bare
		}
	}
	return base
}

// mergeable says whether a schema does no more than describe an object's
// properties.
func mergeable(s *object) bool {
	for _, m := range s.members {
		switch m.key {
		case "properties", "required", "discriminator", "dependentRequired":
		case "type":
			if m.value != "object" {
				return false
			}
		case "additionalProperties":
			if _, flag := m.value.(bool); !flag {
				return false
			}
		default:
			if !isAnnotation(m.key) {
				return false
			}
		}
	}
	return true
}

// mergeObjects puts objects into one; later words about the same thing win. One
// closed member would forbid the properties of all others, which nobody means:
// the whole is closed then.
func (c *cleaner) mergeObjects(parts []*object) *object {
	whole, props, dependent := &object{}, &object{}, &object{}
	whole.set("type", "object")
	var required []any
	for _, part := range parts {
		for _, m := range part.members {
			switch m.key {
			case "properties":
				c.mergeProperties(props, m.value)
			case "required":
				list, _ := m.value.([]any)
				required = append(required, list...)
			case "dependentRequired":
				if o, ok := m.value.(*object); ok {
					dependent.members = append(dependent.members, o.members...)
				}
			case "additionalProperties":
				if whole.get(m.key) != false {
					whole.set(m.key, m.value)
				}
			case "discriminator":
				// It tells the kinds of the part apart, not of the whole.
			default:
				whole.set(m.key, m.value)
			}
		}
	}
	if len(props.members) > 0 {
		whole.set("properties", props)
	}
	if len(required) > 0 {
		whole.set("required", required)
		whole.distinctStrings("required")
	}
	if len(dependent.members) > 0 {
		dependent.settle()
		whole.set("dependentRequired", dependent)
	}
	return whole
}

func (c *cleaner) mergeProperties(props *object, v any) {
	more, _ := v.(*object)
	for _, m := range more.members {
		first, ok := props.get(m.key).(*object)
		if !ok {
			props.set(m.key, m.value)
			continue
		}
		props.set(m.key, c.both(first, m.value))
	}
}

// both is a property that two members of an allOf describe.
func (c *cleaner) both(first *object, v any) any {
	second, ok := v.(*object)
	if !ok {
		return first
	}
	if agree(first, second) {
		merged := &object{members: slices.Clone(first.members)}
		for _, m := range second.members {
			merged.set(m.key, m.value)
		}
		return merged
	}
	s := &object{members: []member{{"allOf", []any{first, second}}}}
	passMerge(c, s)
	return s
}

// agree says whether two schemas demand the same wherever both say something, so
// that one schema can say all of it.
func agree(a, b *object) bool {
	for _, m := range b.members {
		if other := a.find(m.key); other != nil && !isAnnotation(m.key) && !equalJSON(other.value, m.value) {
			return false
		}
	}
	return true
}

func equalJSON(a, b any) bool { return string(appendJSON(nil, a)) == string(appendJSON(nil, b)) }
