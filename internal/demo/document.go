package demo

import (
	_ "embed"
	"slices"
)

//go:embed shop.yaml
var shopYAML []byte

// Document returns the OpenAPI 3.1 document of [Handler], as YAML. The caller
// may change the bytes.
func Document() []byte { return slices.Clone(shopYAML) }
