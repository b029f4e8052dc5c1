package openapi

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// expandPath puts path arguments into the template of an operation, segment by
// segment. Whatever a value holds, it stays within its segment: "/", "?", "#" and
// "%" are encoded, and a segment that would be empty, "." or ".." is refused, for
// RFC 3986 section 5.2.4 and many servers remove those even when encoded.
//
// argument returns the argument of a parameter; an absent one is refused.
// A query in the template ("/?Action=List") is returned apart; a fragment, which
// never goes on the wire, is dropped.
func expandPath(template string, params []*openapi3.Parameter, argument func(*openapi3.Parameter) (value, bool)) (path, query string, err error) {
	template, _, _ = strings.Cut(template, "#")
	template, query, _ = strings.Cut(template, "?")
	segments := strings.Split(template, "/")
	for i, segment := range segments {
		if segments[i], err = expandSegment(segment, params, argument); err != nil {
			return "", "", err
		}
	}
	path = strings.Join(segments, "/")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path, query, nil
}

func expandSegment(segment string, params []*openapi3.Parameter, argument func(*openapi3.Parameter) (value, bool)) (string, error) {
	var b strings.Builder
	rest, last := segment, ""
	for {
		before, after, found := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !found || !closed {
			b.WriteString(literal(rest))
			break
		}
		written, err := expandVariable(name, params, argument)
		if err != nil {
			return "", err
		}
		b.WriteString(literal(before) + written)
		rest, last = tail, name
	}
	expanded := b.String()
	if last != "" && (expanded == "" || expanded == "." || expanded == "..") {
		return "", fmt.Errorf("%s would make the path segment %q, which has a meaning of its own in a URL; %s may not be empty, \".\" or \"..\"", last, expanded, last)
	}
	return expanded, nil
}

// expandVariable writes the argument for {name}.
func expandVariable(name string, params []*openapi3.Parameter, argument func(*openapi3.Parameter) (value, bool)) (string, error) {
	for _, p := range params {
		if p.In != openapi3.ParameterInPath || p.Name != name {
			continue
		}
		v, sent := argument(p)
		if !sent {
			return "", fmt.Errorf("%s is missing; it is part of the path", name)
		}
		text, ok, err := writeOne(p, v)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if !ok {
			return "", fmt.Errorf("%s is empty; it is part of the path", name)
		}
		return text, nil
	}
	return "", fmt.Errorf("the path has a part %q that the document does not describe", name)
}

// writeOne writes a parameter that is one text: in a path or a header.
func writeOne(p *openapi3.Parameter, v value) (text string, ok bool, err error) {
	s := styleOf(p)
	if media := contentType(p); media != "" {
		text, err := writeContent(media, v)
		return s.escape.value(text), err == nil, err
	}
	return s.expand(p.Name, v)
}

// literal encodes what a template's own text may not hold in a URL; triplets that
// are already encoded stay.
func literal(s string) string { return percentEncode(s, segmentReserved+separators, true) }
