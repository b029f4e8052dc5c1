package mapping

import "encoding/json"

// defs are the schemas that a catalog's operations share.
type defs struct {
	raw map[string]json.RawMessage
}

func newDefs(raw map[string]json.RawMessage) *defs { return &defs{raw: raw} }
