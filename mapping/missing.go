package mapping

import "strings"

// describeMissing gives every argument a description: a type's own, else what
// the argument's name, place and operation tell.
func (a *assembly) describeMissing() {
	for i := range a.props {
		prop := &a.props[i]
		if prop.schema.has("description") {
			continue
		}
		said := ""
		if name, ok := refName(text(prop.schema.get("$ref"))); ok {
			said = text(a.clean.lib.publish(name).schema.get("description"))
		}
		if said == "" {
			said = a.missingWords(prop)
		}
		prop.schema = describe(prop.schema, said)
	}
}

// missingWords describes an argument that its backend does not.
func (a *assembly) missingWords(prop *property) string {
	name, place := prop.key, ""
	if prop.param != nil {
		name, place = prop.param.Name, prop.param.In
	}
	words := name
	if spoken := strings.ReplaceAll(snake(name), "_", " "); spoken != "" && !lost(name) {
		words = strings.ToUpper(spoken[:1]) + spoken[1:]
	}
	if strings.EqualFold(words, "id") {
		words = "ID"
	}
	switch {
	case a.op.Noun != "" && (place == "path" || place == ""):
		return words + " of the " + a.op.Noun + "."
	case place != "":
		return words + ", a " + place + " parameter."
	case prop.param == nil:
		return words + ", a field of the body."
	}
	return words + "."
}

// bodyWords describes a whole body that its backend does not.
func (a *assembly) bodyWords(s *object) string {
	name, ok := refName(text(s.get("$ref")))
	switch {
	case ok:
		return "The body: " + name + "."
	case a.op.Noun != "":
		return "The body: the " + a.op.Noun + "."
	}
	return "The body of the request."
}
