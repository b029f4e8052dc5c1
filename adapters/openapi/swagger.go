package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// Swagger 2.0 becomes OpenAPI 3 here one parameter at a time, on the raw JSON, so
// that digits, references and places stay as they are written. What a Schema
// Object may hold is schema.go's business in every version.

// parameterFromV2 makes a Parameter Object of version 3: what describes the value
// moves into a schema, and collectionFormat becomes style and explode.
func parameterFromV2(p *object) []byte {
	out := []byte{'{'}
	for i, key := range p.keys {
		switch v := p.values[i]; key {
		case "name", "in", "description", "required", "allowEmptyValue", "deprecated":
			out = appendMember(out, key, v)
		}
	}
	out = append(out, styleFromV2(p)...)
	out = appendMember(out, "schema", schemaFromV2(p))
	return append(out, '}')
}

// schemaFromV2 is the schema of a parameter that is not a body.
func schemaFromV2(p *object) []byte {
	out := []byte{'{'}
	for i, key := range p.keys {
		switch v := p.values[i]; key {
		case "name", "in", "required", "allowEmptyValue", "collectionFormat", "deprecated":
		case "description":
			if p.get("in").str() == "formData" {
				out = appendMember(out, key, v)
			}
		default:
			out = appendMember(out, key, v)
		}
	}
	return append(out, '}')
}

// styleFromV2 writes style and explode for an array (Swagger 2.0, Parameter
// Object, collectionFormat: csv unless said otherwise). tabDelimited is our word.
func styleFromV2(p *object) []byte {
	if p.get("type").str() != "array" {
		return nil
	}
	query := p.get("in").str() == "query" || p.get("in").str() == "formData"
	switch p.get("collectionFormat").str() {
	case "multi":
		if query {
			return []byte(`,"style":"form","explode":true`)
		}
	case "ssv":
		return []byte(`,"style":"spaceDelimited","explode":false`)
	case "pipes":
		return []byte(`,"style":"pipeDelimited","explode":false`)
	case "tsv":
		return []byte(`,"style":"tabDelimited","explode":false`)
	}
	if query {
		return []byte(`,"style":"form","explode":false`)
	}
	return []byte(`,"style":"simple","explode":false`)
}

// bodyFromV2 makes a Request Body Object of a body parameter.
func bodyFromV2(in input, consumes node) []byte {
	out := appendMember([]byte{'{'}, "description", in.get("description"))
	out = appendMember(out, "required", in.get("required"))
	out = append(appendKey(out, "content"), '{')
	types := texts(consumes)
	if len(types) == 0 {
		types = []string{"application/json"}
	}
	for _, t := range types {
		out = append(appendKey(out, t), '{')
		out = append(appendMember(out, "schema", in.get("schema")), '}')
	}
	return append(out, "}}"...)
}

// formFromV2 makes a Request Body Object of the fields of a form. Fields of type
// file need multipart/form-data; without one, urlencoded is what servers expect
// unless the document says multipart alone.
func formFromV2(fields []input, consumes node) []byte {
	const urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data"
	types := texts(consumes)
	name := urlencoded
	if slices.ContainsFunc(fields, func(in input) bool { return in.get("type").str() == "file" }) ||
		slices.Contains(types, multipart) && !slices.Contains(types, urlencoded) {
		name = multipart
	}
	properties, encoding, required := []byte{'{'}, []byte{'{'}, []byte{'['}
	for _, in := range fields {
		properties = appendMember(properties, in.name, schemaFromV2(in.object))
		if style := styleFromV2(in.object); style != nil {
			encoding = append(append(append(appendKey(encoding, in.name), '{'), style[1:]...), '}')
		}
		if in.required {
			if len(required) > 1 {
				required = append(required, ',')
			}
			required = appendString(required, in.name)
		}
	}
	out := []byte{'{'}
	if len(required) > 1 {
		out = append(out, `"required":true,`...)
	}
	out = append(appendKey(append(out, `"content":{`...), name), `{"schema":{"type":"object","properties":`...)
	out = append(append(append(out, properties...), `},"required":`...), required...)
	out = append(append(append(out, `]},"encoding":`...), encoding...), "}}}}"...)
	return out
}

// texts are the strings of a list.
func texts(list node) []string {
	var all []string
	for _, v := range list.items() {
		if s := v.str(); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// serversFromV2 makes servers of schemes, host and basePath, https first. Without
// a host they are relative to where the document came from.
func serversFromV2(root, schemes node) openapi3.Servers {
	host, base := root.get("host").str(), root.get("basePath").str()
	if host == "" {
		if base == "" {
			return nil
		}
		return openapi3.Servers{{URL: base}}
	}
	words := texts(schemes)
	if len(words) == 0 || slices.Contains(words, "https") {
		return openapi3.Servers{{URL: "https://" + host + base}}
	}
	if slices.Contains(words, "http") {
		return openapi3.Servers{{URL: "http://" + host + base}}
	}
	return nil
}

// schemeFromV2 reads a Security Scheme Object of version 2.
func schemeFromV2(raw node) (*openapi3.SecurityScheme, error) {
	var scheme openapi2.SecurityScheme
	if err := scheme.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	ref, err := openapi2conv.ToV3SecurityScheme(&scheme)
	if err != nil {
		return nil, err
	}
	return ref.Value, nil
}
