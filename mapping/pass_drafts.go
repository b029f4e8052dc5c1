package mapping

import "encoding/json"

// passDrafts writes what older drafts and OpenAPI 3.0 say otherwise in the words
// of 2020-12.
func passDrafts(c *cleaner, s *object) {
	if s.has("nullable") {
		nullable(s)
	}
	exclusive(s, "exclusiveMinimum", "minimum")
	exclusive(s, "exclusiveMaximum", "maximum")
	tuple(s)
	dependencies(s)
	renameKeyword(s, "divisibleBy", "multipleOf")
	renameKeyword(s, "extends", "allOf")
	requiredFlags(s)
	typeUnion(s)
}

// nullable is OpenAPI 3.0's word for a null among the types.
func nullable(s *object) {
	yes := s.get("nullable") == true
	s.remove("nullable")
	if !yes {
		return
	}
	switch t := s.get("type").(type) {
	case string:
		s.set("type", []any{t, "null"})
	case []any:
		s.set("type", append(t, "null"))
	case nil:
		if s.has("$ref") || s.has("allOf") || s.has("anyOf") || s.has("oneOf") {
			nullBeside(s)
		}
	}
}

// nullBeside makes null an alternative to everything that the schema demands.
func nullBeside(s *object) {
	demands, rest := &object{}, &object{}
	for _, m := range s.members {
		if isAnnotation(m.key) {
			rest.members = append(rest.members, m)
			continue
		}
		demands.members = append(demands.members, m)
	}
	null := &object{members: []member{{"type", "null"}}}
	s.members = append(rest.members, member{"anyOf", []any{demands, null}})
}

// isAnnotation says whether a keyword only tells and never refuses.
func isAnnotation(keyword string) bool {
	switch keyword {
	case "description", "title", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
		"$comment", "externalDocs", "xml":
		return true
	}
	return len(keyword) > 1 && keyword[0] == 'x' && keyword[1] == '-'
}

// exclusive turns draft-4's flag beside a bound into the bound itself.
func exclusive(s *object, flag, bound string) {
	set, isFlag := s.get(flag).(bool)
	if !isFlag {
		return
	}
	s.remove(flag)
	if limit, ok := s.get(bound).(json.Number); ok && set {
		s.remove(bound)
		s.set(flag, limit)
	}
}

// tuple turns a list under items into prefixItems.
func tuple(s *object) {
	list, ok := s.get("items").([]any)
	if !ok {
		return
	}
	s.remove("items")
	if len(list) > 0 {
		s.set("prefixItems", list)
	}
	if more := s.find("additionalItems"); more != nil {
		s.set("items", more.value)
	}
}

// dependencies splits draft-7's keyword in two.
func dependencies(s *object) {
	all, ok := s.get("dependencies").(*object)
	if !ok {
		return
	}
	names, schemas := &object{}, &object{}
	for _, m := range all.members {
		switch v := m.value.(type) {
		case []any:
			names.set(m.key, v)
		case string:
			names.set(m.key, []any{v})
		default:
			schemas.set(m.key, v)
		}
	}
	s.remove("dependencies")
	if len(names.members) > 0 {
		s.set("dependentRequired", names)
	}
	if len(schemas.members) > 0 {
		s.set("dependentSchemas", schemas)
	}
}

func renameKeyword(s *object, old, now string) {
	if m := s.find(old); m != nil && !s.has(now) {
		m.key = now
	}
}

// requiredFlags moves draft-3's "required": true from a property to its object.
func requiredFlags(s *object) {
	props, ok := s.get("properties").(*object)
	if !ok {
		return
	}
	list, _ := s.get("required").([]any)
	for _, m := range props.members {
		prop, ok := m.value.(*object)
		if !ok {
			continue
		}
		if must, flag := prop.get("required").(bool); flag {
			prop.remove("required")
			if must {
				list = append(list, m.key)
			}
		}
	}
	if len(list) > 0 {
		s.set("required", list)
	}
}

// typeUnion turns draft-3's list of types and schemas into alternatives.
func typeUnion(s *object) {
	list, ok := s.get("type").([]any)
	if !ok {
		return
	}
	union, schemas := make([]any, 0, len(list)), false
	for _, t := range list {
		if name, ok := t.(string); ok {
			union = append(union, &object{members: []member{{"type", name}}})
			continue
		}
		union, schemas = append(union, t), true
	}
	if schemas && !s.has("anyOf") {
		s.remove("type")
		s.set("anyOf", union)
	}
}
