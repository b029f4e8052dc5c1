package openapi

import (
	"context"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Document says where an OpenAPI document is. The zero Document is an empty one.
type Document struct {
	path  string
	bytes []byte
}

// File is a document on disk. It is read again at every Catalog.
func File(path string) Document { return Document{path: path} }

// Bytes is a document in memory, which must not change afterwards.
func Bytes(b []byte) Document { return Document{bytes: b} }

// A document is one OpenAPI document as it was read. It never changes, but for
// what it remembers of work done.
type document struct {
	// base is where the document came from if that was a URL; relative servers
	// are below it. nil otherwise.
	base *url.URL
}

// schema returns what ref says, following references one after the other. It is
// never nil: a reference that leads nowhere, or only to itself, is the schema
// that allows anything. Only what matters on the wire is in it: type, format,
// properties, required, items, prefixItems, additionalProperties, allOf, oneOf,
// anyOf, discriminator, xml, readOnly, writeOnly, contentEncoding and
// contentMediaType.
func (d *document) schema(ref *openapi3.SchemaRef) *openapi3.Schema {
	if ref != nil && ref.Value != nil {
		return ref.Value
	}
	return &openapi3.Schema{}
}

// securitySchemes returns the document's security schemes by name, references
// resolved. No value is nil.
func (d *document) securitySchemes() map[string]*openapi3.SecurityScheme { return nil }

func (d *document) operation(key string) *operation { return nil }

// document returns the newest document, and reads it if there is none.
func (a *Adapter) document(ctx context.Context) (*document, error) {
	return nil, &mapping.Error{Code: mapping.Internal, Problem: "the document cannot be read yet"}
}
