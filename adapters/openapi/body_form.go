package openapi

import (
	"errors"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
)

// form writes application/x-www-form-urlencoded, property by property.
//
// A property whose encoding names a style, explode or allowReserved is written as
// a query parameter would be; any other by its content type: scalars as text,
// objects as JSON, and the items of a list each under the property's name (the
// Encoding Object of 3.0.4, 3.1.1 and 3.2, whose examples the earlier versions
// share). Nulls are left out.
func (b body) form(v value) ([]byte, error) {
	if v.kind == kindString {
		return []byte(v.text), nil // a form that the model wrote itself
	}
	if v.kind != kindObject {
		return nil, errors.New("the body is a form; send it as an object")
	}
	var all []pair
	for _, m := range v.members {
		pairs, err := b.formProperty(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		all = append(all, pairs...)
	}
	return []byte(joinPairs(all, "&")), nil
}

func (b body) formProperty(m member) ([]pair, error) {
	e := b.media.Encoding[m.name]
	s := style{name: styleForm, explode: true, escape: escapeForm}
	if styled(e) {
		return encodingStyle(e, escapeForm).pairs(m.name, m.value)
	}
	if e != nil && e.ContentType != "" {
		text, err := writeContent(firstType(e.ContentType), m.value)
		return []pair{{s.escape.name(m.name), s.escape.value(text)}}, err
	}
	return s.pairs(m.name, flattened(m.value))
}

// styled says that a property is written by a style and not by a content type.
func styled(e *openapi3.Encoding) bool {
	return e != nil && (e.Style != "" || e.Explode != nil || e.AllowReserved)
}

// encodingStyle returns a property's style, with the defaults of a query.
func encodingStyle(e *openapi3.Encoding, escape escaping) style {
	s := style{name: e.Style, escape: escape}
	if s.name == "" {
		s.name = styleForm
	}
	s.explode = explodes(s.name, e.Explode)
	if e.AllowReserved && escape == escapeForm {
		s.escape = escapeReserved
	}
	return s
}
