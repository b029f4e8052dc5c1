package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// writeQuery writes one query parameter as pairs, in order.
func writeQuery(p *openapi3.Parameter, v value) ([]pair, error) {
	s := styleOf(p)
	media := contentType(p)
	if media == "" {
		return s.pairs(p.Name, v)
	}
	if v.kind == kindNull {
		return nil, nil
	}
	text, err := writeContent(media, v)
	return []pair{{s.escape.name(p.Name), s.escape.value(text)}}, err
}

// writeQuerystring writes 3.2's location "querystring": one argument is the whole
// query. A form is written from its properties; any other media type, and a text,
// is the query as it stands, with what RFC 3986 section 3.4 forbids encoded.
func writeQuerystring(p *openapi3.Parameter, v value) (string, error) {
	media := contentType(p)
	if v.kind == kindObject && (media == "" || mediaKind(media) == mediaForm) {
		var all []pair
		for _, m := range v.members {
			pairs, err := style{name: styleForm, explode: true}.pairs(m.name, flattened(m.value))
			if err != nil {
				return "", fmt.Errorf("%s: %w", m.name, err)
			}
			all = append(all, pairs...)
		}
		return joinPairs(all, "&"), nil
	}
	if mediaKind(media) == mediaForm || mediaKind(media) == mediaText {
		return percentEncode(v.plain(), queryReserved+separators+"&+", true), nil
	}
	text, err := writeContent(media, v)
	return escapeURL.value(text), err
}

// flattened returns an object as its JSON text, as a form's property without an
// encoding is written.
func flattened(v value) value {
	if v.kind == kindObject {
		return value{kind: kindString, text: v.json()}
	}
	return v
}

func joinPairs(pairs []pair, between string) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = p.name + "=" + p.value
	}
	return strings.Join(parts, between)
}

// contentType returns the one media type of a parameter that is described by
// content instead of schema, "" for any other parameter.
func contentType(p *openapi3.Parameter) string {
	if p.Schema != nil || len(p.Content) == 0 {
		return ""
	}
	return preferredMedia(slices.Collect(maps.Keys(p.Content)), "")
}

// writeContent writes a value as the text of a media type.
func writeContent(media string, v value) (string, error) {
	switch mediaKind(media) {
	case mediaForm:
		s := style{name: styleForm, explode: true, escape: escapeForm}
		var all []pair
		for _, m := range v.members {
			pairs, err := s.pairs(m.name, flattened(m.value))
			if err != nil {
				return "", err
			}
			all = append(all, pairs...)
		}
		return joinPairs(all, "&"), nil
	case mediaText, mediaXML:
		return v.plain(), nil
	case mediaBinary: // a language of its own, such as JSONPath
		if v.kind == kindString {
			return v.text, nil
		}
	case mediaJSON, mediaLines, mediaYAML, mediaMultipart:
	}
	return v.json(), nil
}
