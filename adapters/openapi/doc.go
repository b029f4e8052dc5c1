// Package openapi puts an HTTP API that an OpenAPI document describes behind a
// mapping.Catalog: 3.0, 3.1 and 3.2 and Swagger 2.0, as JSON or YAML.
//
// A document is first a raw index: its bytes, and where each value begins and
// ends. The catalog is written from those bytes. kin-openapi's types appear one
// operation at a time, when it is first called, so that a document of eleven
// thousand operations costs little until somebody asks, and one bad corner costs
// only the operations that need it.
//
// Start at [New]; document.go is what is read, catalog.go what is said of it,
// operation.go what a call needs.
package openapi
