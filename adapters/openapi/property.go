package openapi

import "github.com/getkin/kin-openapi/openapi3"

// maxComposed bounds how many schemas property looks through: allOf may lead in
// circles.
const maxComposed = 200

// property returns the schema of one property of an object, never nil.
func (d *document) property(ref *openapi3.SchemaRef, name string) *openapi3.Schema {
	return d.schema(d.propertyRef(ref, name))
}

// propertyRef finds where a property is described: in the schema itself, in what
// it is composed of (allOf, oneOf, anyOf), else in additionalProperties; nil if
// nowhere.
func (d *document) propertyRef(ref *openapi3.SchemaRef, name string) *openapi3.SchemaRef {
	var others *openapi3.SchemaRef
	queue := []*openapi3.SchemaRef{ref}
	for i := 0; i < len(queue) && i < maxComposed; i++ {
		schema := d.schema(queue[i])
		if p := schema.Properties[name]; p != nil {
			return p
		}
		if others == nil {
			others = schema.AdditionalProperties.Schema
		}
		queue = append(queue, schema.AllOf...)
		queue = append(queue, schema.OneOf...)
		queue = append(queue, schema.AnyOf...)
	}
	return others
}
