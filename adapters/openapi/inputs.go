package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// inputs are what a call of an operation may carry, references to parameters and
// bodies followed, in the words of OpenAPI 3 whatever the document's version is.
type inputs struct {
	doc    *document
	params []input
	body   place // a Request Body Object, raw is nil where the operation takes none
	// schemaV2 is the schema of a body parameter of Swagger 2, at its own place.
	schemaV2 place
	made     []mapping.Decision
}

// An input is one parameter: a Parameter Object, and what it says in brief.
type input struct {
	*object
	in, name string
	required bool
	fixed    json.RawMessage // the value that an operator gave it, nil if none
}

// argumentPlace is a parameter's place in a catalog. A whole query string (3.2)
// is asked for like a query parameter.
func (in input) argumentPlace() string {
	if in.in == paramQuerystring {
		return "query"
	}
	return in.in
}

// maxInputs bounds the parameters of one operation or path item, and maxPath the
// bytes of a path: what is beyond was not written for anybody.
const (
	maxInputs = 1000
	maxPath   = 8000
)

// inputs reads an operation's parameters and body. An error is the reason why the
// operation cannot be offered.
func (d *document) inputs(e *described) (*inputs, error) {
	r := &inputReader{doc: d, entry: e, in: &inputs{doc: d}}
	for _, list := range []place{e.shared.field("parameters"), e.own.field("parameters")} {
		if err := r.list(list); err != nil {
			return nil, err
		}
	}
	if err := r.readBody(); err != nil {
		return nil, err
	}
	r.dropEmptyForm()
	r.matchPath()
	r.withhold()
	r.fix()
	return r.in, nil
}

// An inputReader gathers the inputs of one operation.
type inputReader struct {
	doc    *document
	entry  *described
	in     *inputs
	forms  []input // Swagger 2: fields of a form
	bodyV2 []input // Swagger 2: parameters in body
}

func (r *inputReader) note(what string, p place, format string, args ...any) {
	r.in.made = append(r.in.made, decision(what, r.entry.key, p, format, args...))
}

// list reads one list of parameters, the path item's before the operation's own.
func (r *inputReader) list(list place) error {
	own := list.at == r.entry.op.at+"/parameters"
	start := len(r.in.params)
	for i, raw := range list.raw.items() {
		if i > maxInputs {
			return fmt.Errorf("the operation has more than %d parameters", maxInputs)
		}
		p, err := r.doc.follow(list.item(i, raw))
		if err != nil {
			return err
		}
		o := p.object()
		in := input{object: o, in: o.get("in").str(), name: o.get("name").text(), required: o.get("required").isTrue()}
		if !slices.Contains([]string{"path", "query", "header", "cookie", "querystring", "body", "formData"}, in.in) || in.name == "" && in.in != "body" {
			return fmt.Errorf("the parameter at %s has no name, or no place that OpenAPI knows", p.where())
		}
		in.required = in.required || in.in == "path"
		r.add(in, own, start)
	}
	return nil
}

// add takes a parameter in place of the one with its name and place that came
// before, if there is one.
func (r *inputReader) add(in input, own bool, start int) {
	to := &r.in.params
	switch in.in {
	case "body":
		to = &r.bodyV2
	case "formData":
		to = &r.forms
	default:
		if r.doc.swagger {
			in.object = in.with(parameterFromV2(in.object)).object()
		}
	}
	i := slices.IndexFunc(*to, func(o input) bool { return o.in == in.in && (o.name == in.name || in.in == "body") })
	if i < 0 {
		*to = append(*to, in)
		return
	}
	if !own || i >= start {
		r.note(mapping.Repaired, in.place, "the %s parameter %q is described twice; the last one holds", in.in, in.name)
	}
	(*to)[i] = in
}

func (r *inputReader) readBody() error {
	if r.doc.swagger {
		return r.readBodyV2()
	}
	body, err := r.doc.follow(r.entry.own.field("requestBody"))
	if err != nil {
		return err
	}
	if !body.member("content").raw.empty() {
		r.in.body = body
	}
	return nil
}

// dropEmptyForm leaves out a body that nobody needs and that has no fields. Some
// generators describe one for every operation, reads among them.
func (r *inputReader) dropEmptyForm() {
	if !slices.Contains([]string{"GET", "HEAD", "DELETE"}, r.entry.method) || r.in.body.raw.get("required").isTrue() {
		return
	}
	for _, media := range r.in.body.raw.get("content").members() {
		s := media.get("schema")
		if s.get("type").str() != "object" || !s.get("properties").isObject() || !s.get("properties").empty() || s.get("additionalProperties").isObject() || s.get("allOf") != nil {
			return
		}
	}
	r.in.body = place{}
}

// readBodyV2 makes a Request Body Object of a body parameter, or of the fields of
// a form.
func (r *inputReader) readBodyV2() error {
	consumes := r.entry.own.field("consumes")
	if consumes.raw == nil {
		consumes = r.doc.root.whole().member("consumes")
	}
	switch {
	case len(r.bodyV2) > 0 && len(r.forms) > 0:
		return errors.New("the operation has a body and fields of a form, and a request can only carry one of the two")
	case len(r.bodyV2) > 0:
		in := r.bodyV2[0]
		r.in.body, r.in.schemaV2 = in.with(bodyFromV2(in, consumes.raw)), in.field("schema")
	case len(r.forms) > 0:
		r.in.body = r.entry.op.with(formFromV2(r.forms, consumes.raw))
	}
	return nil
}

// matchPath makes the path parameters those of the path: one that is not declared
// is a text, and one that has no place in the path is left out.
func (r *inputReader) matchPath() {
	r.mendPath()
	names := pathVariables(r.entry.path)
	placed := func(in input) bool { return in.in != "path" || slices.Contains(names, in.name) }
	for _, name := range names {
		if slices.ContainsFunc(r.in.params, func(in input) bool { return in.in == "path" && in.name == name }) {
			continue
		}
		like := func(in input) bool { return !placed(in) && fold(in.name) == fold(name) }
		if i := slices.IndexFunc(r.in.params, like); i >= 0 {
			in := &r.in.params[i]
			r.note(mapping.Repaired, in.place, "the parameter %q is taken for {%s} of the path", in.name, name)
			in.name, in.object = name, in.with(renamed(in.object, name)).object()
			continue
		}
		raw := append(appendString([]byte(`{"in":"path","required":true,"schema":{"type":"string"},"name":`), name), '}')
		r.in.params = append(r.in.params, input{object: r.entry.op.with(raw).object(), in: "path", name: name, required: true})
		r.note(mapping.Repaired, r.entry.op, "the path has {%s} and no parameter describes it; it is taken as a text", name)
	}
	for _, in := range r.in.params {
		if !placed(in) {
			r.note(mapping.Cut, in.place, "the path has no place for the parameter %q", in.name)
		}
	}
	r.in.params = slices.DeleteFunc(r.in.params, func(in input) bool { return !placed(in) })
}

// mendPath writes {name} for the :name of web frameworks, where a parameter of
// that name says that it is meant so.
func (r *inputReader) mendPath() {
	segments := strings.Split(r.entry.path, "/")
	for i, segment := range segments {
		name, found := strings.CutPrefix(segment, ":")
		if found && slices.ContainsFunc(r.in.params, func(in input) bool { return in.in == "path" && fold(in.name) == fold(name) }) {
			segments[i] = "{" + name + "}"
			r.note(mapping.Repaired, r.entry.op, "the path has %s for a parameter; it is read as %s", segment, segments[i])
		}
	}
	r.entry.path = strings.Join(segments, "/")
}

// fold is a name without what people write in two ways: case and separators.
func fold(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// renamed is a Parameter Object with another name.
func renamed(o *object, name string) []byte {
	out := appendString([]byte(`{"name":`), name)
	for i, key := range o.keys {
		if key != "name" {
			out = appendMember(out, key, o.values[i])
		}
	}
	return append(out, '}')
}

// pathVariables are the names in braces of a path, each once.
func pathVariables(path string) []string {
	var names []string
	for {
		_, after, found := strings.Cut(path, "{")
		name, rest, closed := strings.Cut(after, "}")
		if !found || !closed {
			return names
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		path = rest
	}
}

// withhold leaves out what a model must never send: what the transport sets, and
// credentials; and what nobody can send.
func (r *inputReader) withhold() {
	asked := r.doc.securityOf(r.entry)
	r.in.params = slices.DeleteFunc(r.in.params, func(in input) bool {
		reserved := in.in == "header" && reservedHeader(in.name)
		credential := credentialPlace(in.in, in.name, r.doc.schemes, asked)
		unnamable := in.in == "header" && !httpguts.ValidHeaderFieldName(in.name)
		switch {
		case reserved, credential:
			r.note(mapping.Cut, in.place, "the %s parameter %q is set by the bridge, never by a caller", in.in, in.name)
		case unnamable:
			r.note(mapping.Cut, in.place, "no header can be called %q", in.name)
		}
		return reserved || credential || unnamable
	})
}

// fix gives parameters the values that the operator wrote for this operation, or
// for all.
func (r *inputReader) fix() {
	for i := range r.in.params {
		in := &r.in.params[i]
		for _, key := range []string{"*", r.entry.key} {
			if v, ok := r.doc.options.Fixed[key][in.name]; ok {
				in.fixed = v
			}
		}
	}
}
