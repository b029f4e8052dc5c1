package openapi

import (
	"context"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An operation is one operation of a document with everything a call needs. It is
// made on first use, never changes, and is shared by calls. Swagger 2.0 looks
// like 3.0 here.
//
// References to parameters, bodies, responses and headers are resolved; those to
// schemas are not, for their graph may be as large as the document and hold
// cycles. Ask doc.schema for what a *openapi3.SchemaRef says: it resolves one
// step, at any depth, and never returns nil.
type operation struct {
	key    string // "GET /pets/{id}", as in the catalog
	method string // "GET", as sent
	path   string // "/pets/{id}", without the server's base path
	where  string // JSON pointer into the document

	doc *document // for doc.schema, doc.securitySchemes and doc.base

	// params are the operation's own and those of its path item that it does not
	// override, in the catalog's order. Every field that the specification gives
	// a default for by location (style, explode) is as written: "" and nil are
	// the defaults. Credentials and headers that only the transport may set are
	// left out. A parameter of 3.2's location "querystring" is {In: "query"} in
	// the catalog and keeps its own In here.
	params []*openapi3.Parameter
	// fixed are the arguments that an operator gave a value, of which the catalog
	// says nothing.
	fixed []mapping.Arg
	// body is nil where the operation takes none. mediaType is the key of
	// body.Content that the catalog's Body.Schema was made from, and media its
	// value, never nil where body is not.
	body      *openapi3.RequestBody
	mediaType string
	media     *openapi3.MediaType
	// accepts are the media types of the answers, without repetition: those of
	// success, else of any other; empty where the document names none.
	accepts []string
	// servers are those that hold for this operation: its own, else its path
	// item's, else the document's, as written; empty where none are named.
	servers openapi3.Servers
	// ownServers says that servers are the operation's own or its path item's, not
	// the document's.
	ownServers bool
	// security is what holds for this operation, as written: nil asks for nothing,
	// as does an empty list.
	security openapi3.SecurityRequirements
}

// operation returns the operation with this key of the newest document. The
// document is read if it was not yet.
func (a *Adapter) operation(ctx context.Context, key string) (*operation, error) {
	doc, err := a.document(ctx)
	if err != nil {
		return nil, err
	}
	if op := doc.operation(key); op != nil {
		return op, nil
	}
	return nil, &mapping.Error{Code: mapping.NotFound, Problem: "the API has no such operation"}
}

// operation returns the operation with this key, nil if the document has none that
// can be called.
func (d *document) operation(key string) *operation {
	i, known := d.byKey[key]
	if !known {
		return nil
	}
	d.mu.Lock()
	op := d.operations[key]
	d.mu.Unlock()
	if op != nil {
		return op
	}
	op, err := d.newOperation(d.entries[i].describe())
	if err != nil {
		return nil
	}
	d.mu.Lock()
	d.operations[key] = op
	d.mu.Unlock()
	return op
}

func (d *document) newOperation(e *described) (*operation, error) {
	in, err := d.inputs(e)
	if err != nil {
		return nil, err
	}
	op := &operation{
		key: e.key, method: e.method, path: e.path, where: e.op.where(), doc: d,
		accepts: d.accepts(e), security: d.securityOf(e),
	}
	op.servers, op.ownServers = d.serversOf(e)
	for _, p := range in.params {
		param := &openapi3.Parameter{}
		if err := param.UnmarshalJSON(d.slimParam(nil, p.place)); err != nil {
			return nil, err
		}
		op.params = append(op.params, param)
		if p.fixed != nil {
			op.fixed = append(op.fixed, mapping.Arg{In: p.argumentPlace(), Name: p.name, Value: p.fixed})
		}
	}
	chosen, ok := in.content(d.options.Media[e.key])
	if !ok {
		return op, nil
	}
	op.mediaType, op.media = chosen.name, &openapi3.MediaType{}
	if err := op.media.UnmarshalJSON(d.slimMedia(nil, chosen.media, chosen.schema)); err != nil {
		return nil, err
	}
	op.body = &openapi3.RequestBody{
		Required: in.body.raw.get("required").isTrue(),
		Content:  openapi3.Content{op.mediaType: op.media},
	}
	return op, nil
}
