package mapping

// addBody decides the form of the body and adds its properties.
func (a *assembly) addBody() {
	body := a.op.Body
	if body == nil {
		return
	}
	if body.Binary {
		a.plan.body = bytesBody
		a.props = append(a.props, property{name: bodyName, schema: binarySchema(body), required: body.Required})
		return
	}
	s := &object{}
	if len(body.Schema) > 0 {
		a.clean.at = []string{"body"}
		s = a.clean.read(body.Schema)
		a.clean.at = nil
	}
	if plain, ok := a.plain(s); ok {
		a.plan.body = plainBody
		a.addPlain(plain, body.Required)
		return
	}
	a.plan.body = wholeBody
	s = describe(s, a.clean.lib.words.terse(body.Text))
	if !s.has("description") {
		s = describe(s, a.bodyWords(s))
	}
	a.props = append(a.props, property{name: bodyName, schema: s, required: body.Required})
}

func binarySchema(body *Body) *object {
	said := body.Text
	if said == "" {
		said = "The content."
	}
	return &object{members: []member{{"type", "string"}, {"contentEncoding", "base64"},
		{"description", sentence(said, "As base64 or as a data: URI.")}}}
}

// plain returns the object whose properties may stand beside the params.
func (a *assembly) plain(s *object) (*object, bool) {
	for range maxChain {
		name, ok := refName(text(s.get("$ref")))
		if !ok {
			break
		}
		d := a.clean.lib.publish(name)
		a.clean.made = append(a.clean.made, d.tell()...)
		s = underlay(d.schema, s)
	}
	props, ok := s.get("properties").(*object)
	if !ok || len(props.members) == 0 || s.has("additionalProperties") || s.has("patternProperties") {
		return nil, false
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "if"} {
		if s.has(keyword) {
			return nil, false
		}
	}
	return s, true
}

func (a *assembly) addPlain(s *object, required bool) {
	props := s.get("properties").(*object)
	a.plan.keys = renames(props)
	forth := a.plan.keys.forth()
	must := map[string]bool{}
	list, _ := s.get("required").([]any)
	for _, key := range list {
		must[text(key)] = true
	}
	for _, m := range props.members {
		name := m.key
		if safe, ok := forth[name]; ok {
			name = safe
			a.clean.note(Renamed, "the body's property %s is published as %s", appendString(nil, m.key), safe)
		}
		sub, ok := m.value.(*object)
		if !ok {
			sub = &object{}
		}
		a.props = append(a.props, property{name: name, key: m.key, schema: sub, required: required && must[m.key]})
	}
}

// text returns a decoded string, "" for anything else.
func text(v any) string {
	s, _ := v.(string)
	return s
}
