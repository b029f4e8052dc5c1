package openapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// next returns the arguments of the call that continues a page: by the header
// Link (RFC 8288), by a link in the body, or by a cursor in the body that the
// operation has a parameter or a body property for. nil is no more, or unknown.
func next(op *operation, r *reply, c mapping.Call) *mapping.Next {
	if link := nextLink(r.header); link != "" {
		return linked(op, r, c, link)
	}
	v, err := parseValue(r.body)
	if err != nil || v.kind != kindObject {
		return nil
	}
	if more, said := v.says("has_more", "hasMore", "has_next_page", "hasNextPage"); said && !more {
		return nil
	}
	if link, ok := v.find(nextURLs()); ok {
		if n := linked(op, r, c, link.text); n != nil {
			return n
		}
	}
	return cursor(op, c, v)
}

// nextLink returns the target of rel=next.
func nextLink(h http.Header) string {
	for _, field := range h.Values("Link") {
		for {
			_, after, ok := strings.Cut(field, "<")
			target, tail, closed := strings.Cut(after, ">")
			if !ok || !closed {
				break
			}
			var params []string
			if params, field = linkParams(tail); isNext(params) {
				return target
			}
		}
	}
	return ""
}

// linkParams splits off the parameters of one link, and returns what follows the
// comma behind them. Within quotes, where \ takes the next sign as it is, neither
// comma nor semicolon counts.
func linkParams(text string) (params []string, following string) {
	quoted, begin := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';':
			params, begin = append(params, text[begin:i]), i+1
		case c == ',':
			return append(params, text[begin:i]), text[i+1:]
		}
	}
	return append(params, text[begin:]), ""
}

// isNext looks for next among the relations of one link: rel=next, rel="prev next".
// A second rel does not count.
func isNext(params []string) bool {
	for _, p := range params {
		name, v, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "rel") {
			relations := strings.Fields(strings.Trim(strings.TrimSpace(v), `"`))
			return slices.ContainsFunc(relations, func(rel string) bool { return strings.EqualFold(rel, "next") })
		}
	}
	return false
}

// linked turns a link into arguments: those of the call, with every query
// parameter that the link has otherwise. It fails where the link changes what the
// operation has no scalar parameter for.
func linked(op *operation, r *reply, c mapping.Call, link string) *mapping.Next {
	target, err := r.url.Parse(link)
	if err != nil {
		return nil
	}
	have, want := r.url.Query(), target.Query()
	n := &mapping.Next{Args: slices.Clone(c.Args), Body: c.Body}
	changed := false
	for _, name := range sortedNames(want) {
		if slices.Equal(have[name], want[name]) {
			continue
		}
		p := queryParam(op, name)
		switch {
		case p == nil && credentialName(op, name):
			continue
		case p == nil, len(want[name]) != 1, !scalarParam(op, p):
			return nil
		}
		n.Args = withArg(n.Args, name, literalValue(op.doc.schema(p.Schema), want[name][0]))
		changed = true
	}
	for name := range have {
		if _, still := want[name]; !still && changed && pagingName(name) {
			n.Args = slices.DeleteFunc(n.Args, func(a mapping.Arg) bool { return a.In == openapi3.ParameterInQuery && a.Name == name })
		}
	}
	if !changed {
		return nil
	}
	return n
}

func sortedNames(q url.Values) []string {
	names := make([]string, 0, len(q))
	for name := range q {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func queryParam(op *operation, name string) *openapi3.Parameter {
	for _, p := range op.params {
		if p.In == openapi3.ParameterInQuery && p.Name == name {
			return p
		}
	}
	return nil
}

// scalarParam says that a parameter's value is one text in the URL.
func scalarParam(op *operation, p *openapi3.Parameter) bool {
	schema := op.doc.schema(p.Schema)
	return p.Schema != nil && !schema.Type.Includes(openapi3.TypeArray) && !schema.Type.Includes(openapi3.TypeObject)
}

// credentialName says that a query parameter is where an API key goes.
func credentialName(op *operation, name string) bool {
	for _, s := range op.doc.securitySchemes() {
		if s.Type == "apiKey" && s.In == openapi3.ParameterInQuery && s.Name == name {
			return true
		}
	}
	return false
}

// withArg returns the arguments with this query parameter set.
func withArg(args []mapping.Arg, name string, v json.RawMessage) []mapping.Arg {
	for i, a := range args {
		if a.In == openapi3.ParameterInQuery && a.Name == name {
			args[i].Value = v
			return args
		}
	}
	return append(args, mapping.Arg{In: openapi3.ParameterInQuery, Name: name, Value: v})
}

// literalValue is a text as JSON of the type that the schema names.
func literalValue(schema *openapi3.Schema, text string) json.RawMessage {
	number := schema.Type.Includes(openapi3.TypeInteger) || schema.Type.Includes(openapi3.TypeNumber)
	if v, err := parseValue([]byte(text)); err == nil {
		if v.kind == kindNumber && number || v.kind == kindBool && schema.Type.Includes(openapi3.TypeBoolean) {
			return json.RawMessage(text)
		}
	}
	return appendString(nil, text)
}
