package openapi

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// The styles of the Parameter Object. tabDelimited stands for Swagger 2's
// collectionFormat tsv, which OpenAPI 3 has no word for; a converted document may
// name it.
const (
	styleMatrix = "matrix"
	styleLabel  = "label"
	styleSimple = "simple"
	styleForm   = "form"
	styleSpace  = "spaceDelimited"
	stylePipe   = "pipeDelimited"
	styleTab    = "tabDelimited"
	styleDeep   = "deepObject"
	styleCookie = "cookie" // since 3.2
)

// A style says how one value becomes text.
//
// The specification leaves open what stands for a list or object inside a list
// or object. Here it is its compact JSON text, in every style but deepObject,
// where each level adds one more pair of brackets around the property's name or
// the item's index from 0: filter[in][0][gt]=1.
type style struct {
	name    string
	explode bool
	escape  escaping
}

// styleOf returns a parameter's style with the defaults of its location.
func styleOf(p *openapi3.Parameter) style {
	s := style{name: p.Style}
	if s.name == "" {
		s.name = styleForm
		if p.In == openapi3.ParameterInPath || p.In == openapi3.ParameterInHeader {
			s.name = styleSimple
		}
	}
	s.explode = explodes(s.name, p.Explode)
	switch {
	case p.In == openapi3.ParameterInHeader, s.name == styleCookie:
		s.escape = escapeNone
	case p.AllowReserved && p.In == openapi3.ParameterInQuery:
		s.escape = escapeReserved
	case p.AllowReserved && p.In == openapi3.ParameterInPath:
		s.escape = escapeSegment
	}
	return s
}

// explodes returns written, or the default: true for form and cookie, false for
// every other style.
func explodes(name string, written *bool) bool {
	if written != nil {
		return *written
	}
	return name == styleForm || name == styleCookie
}

// A pair is one name=value, both as they stand on the wire.
type pair struct{ name, value string }

// pairs writes v under name for a query, a cookie or a form. An undefined value
// is no pair. The error says in words which value cannot be written.
func (s style) pairs(name string, v value) ([]pair, error) {
	v = v.present()
	key := s.escape.name(name)
	switch {
	case v.undefined():
		return nil, nil
	case s.name == styleDeep:
		return s.deep(nil, name, v), nil
	case v.scalar():
		return []pair{{key, s.escape.value(v.text)}}, nil
	case !s.explode:
		joined, err := s.join(v, s.separator(), s.separator())
		return []pair{{key, joined}}, err
	case v.kind == kindArray:
		var all []pair
		for _, item := range v.items {
			all = append(all, pair{key, s.escape.value(item.plain())})
		}
		return all, nil
	}
	var all []pair
	for _, m := range v.members {
		all = append(all, pair{s.escape.name(m.name), s.escape.value(m.value.plain())})
	}
	return all, nil
}

// deep appends one pair for each scalar in v.
func (s style) deep(all []pair, name string, v value) []pair {
	switch v.kind {
	case kindNull:
		return all
	case kindArray:
		for i, item := range v.items {
			all = s.deep(all, fmt.Sprintf("%s[%d]", name, i), item)
		}
		return all
	case kindObject:
		for _, m := range v.members {
			all = s.deep(all, name+"["+m.name+"]", m.value)
		}
		return all
	case kindBool, kindNumber, kindString:
	}
	return append(all, pair{s.escape.name(name), s.escape.value(v.text)})
}

// expand writes v for a path segment or a header field: simple, label or matrix.
// ok is false where the value is undefined.
func (s style) expand(name string, v value) (text string, ok bool, err error) {
	v = v.present()
	if v.undefined() {
		return "", false, nil
	}
	switch s.name {
	case styleLabel:
		between := ","
		if s.explode {
			between = "."
		}
		text, err = s.join(v, between, s.assign(","))
		return "." + text, true, err
	case styleMatrix:
		text, err = s.matrix(name, v)
		return text, true, err
	}
	// simple; a converted Swagger 2.0 document may name another separator here.
	text, err = s.join(v, s.separator(), s.assign(s.separator()))
	return text, true, err
}

// matrix is RFC 6570 section 3.2.7, where an empty value goes without "=".
func (s style) matrix(name string, v value) (string, error) {
	if s.explode && !v.scalar() {
		var b strings.Builder
		for _, m := range v.named(name) {
			b.WriteString(s.assignment(m.name, s.escape.item(m.value.plain())))
		}
		return b.String(), nil
	}
	joined, err := s.join(v, ",", ",")
	return s.assignment(name, joined), err
}

func (s style) assignment(name, written string) string {
	if written == "" {
		return ";" + s.escape.name(name)
	}
	return ";" + s.escape.name(name) + "=" + written
}

// named returns an object's members, or an array's items all under one name.
func (v value) named(name string) []member {
	members := v.members
	for _, item := range v.items {
		members = append(members, member{name, item})
	}
	return members
}

// assign is what stands between a property's name and its value.
func (s style) assign(closed string) string {
	if s.explode {
		return "="
	}
	return closed
}

// separator is what stands between the items of a list that is one value,
// percent-encoded where the style's escaping would encode it.
func (s style) separator() string {
	switch s.name {
	case styleSpace:
		return s.encoded(" ")
	case stylePipe:
		return s.encoded("|")
	case styleTab:
		return s.encoded("\t")
	}
	return ","
}

func (s style) encoded(separator string) string {
	if s.escape == escapeNone {
		return separator
	}
	return escapeURL.name(separator)
}

// join writes the items of v, or its properties, one after the other. A text
// that holds a separator would be read as two, so it is refused.
func (s style) join(v value, between, assign string) (string, error) {
	if v.scalar() && s.name == styleSimple {
		return s.escape.value(v.text), nil
	}
	if v.scalar() {
		return s.escape.item(v.text), nil
	}
	var parts []string
	for _, item := range v.items {
		text := s.escape.item(item.plain())
		if strings.Contains(text, between) {
			return "", separatorError("an item", item.plain(), between)
		}
		parts = append(parts, text)
	}
	for _, m := range v.members {
		name, text := s.escape.name(m.name), s.escape.item(m.value.plain())
		if strings.Contains(name, between) || strings.Contains(name, assign) {
			return "", separatorError("a property name", m.name, between)
		}
		if strings.Contains(text, between) {
			return "", separatorError("a property", m.value.plain(), between)
		}
		parts = append(parts, name+assign+text)
	}
	return strings.Join(parts, between), nil
}

func separatorError(what, text, separator string) error {
	words := map[string]string{",": "a comma", ".": "a dot", " ": "a space", "%20": "a space", "|": "a bar", "%7C": "a bar", "\t": "a tab", "%09": "a tab"}
	return fmt.Errorf("%s, %q, holds %s, by which this API separates values", what, text, words[separator])
}
