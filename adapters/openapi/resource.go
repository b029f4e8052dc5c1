package openapi

import (
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// resource returns the resource or template whose answer an operation is: a GET
// without body whose required parameters are all in its path. Optional query
// parameters that a URI can hold are variables.
func (d *document) resource(e *described, in *inputs, op mapping.Operation) (mapping.Resource, bool) {
	path := strings.TrimPrefix(e.path, "/")
	if e.method != "GET" || op.Body != nil || path == "" || strings.ContainsAny(path, "?#") {
		return mapping.Resource{}, false
	}
	var query []string
	for _, p := range in.params {
		switch {
		case p.in == "path" && p.fixed != nil:
			return mapping.Resource{}, false
		case p.in == "path" || p.fixed != nil:
		case p.required:
			return mapping.Resource{}, false
		case p.in == "query" && d.fitsURI(p):
			query = append(query, variable(p.name))
		}
	}
	r := mapping.Resource{Path: uriPath(path), Name: op.Name, Text: op.Summary, MIME: d.answerType(e), Operation: op.Key}
	if r.Text == "" {
		r.Text = op.Text
	}
	if len(query) > 0 {
		r.Path += "{?" + strings.Join(query, ",") + "}"
	}
	return r, true
}

// fitsURI says that a query parameter's value is a scalar or a list, and its name
// one that a template can carry.
func (d *document) fitsURI(p input) bool {
	if strings.ContainsAny(p.name, "{}*,:") || strings.ContainsAny(p.name[:1], "+#./;?&=,!@|") {
		return false
	}
	if p.has("content") || p.get("style").str() == styleDeep {
		return false
	}
	schema, err := d.follow(p.field("schema"))
	return err == nil && schema.raw.get("properties") == nil && schema.raw.get("type").str() != "object"
}

// variable writes a parameter's name as RFC 6570 has names.
func variable(name string) string { return percentEncode(name, "", false) }

// uriPath writes a path as an RFC 6570 template: what stands in braces are names,
// the rest are literals.
func uriPath(path string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, "{")
		name, rest, closed := strings.Cut(after, "}")
		if !found || !closed {
			b.WriteString(percentEncode(path, literalURI, true))
			return b.String()
		}
		b.WriteString(percentEncode(before, literalURI, true))
		b.WriteString("{" + variable(name) + "}")
		path = rest
	}
}

// literalURI are the reserved characters that a path holds as they are.
const literalURI = "/!$&'()*+,;=:@"
