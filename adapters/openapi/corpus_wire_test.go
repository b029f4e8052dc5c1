package openapi

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestCorpusRequests makes a request of every operation of real documents: each
// goes below the base URL, with no variable of its path left.
func TestCorpusRequests(t *testing.T) {
	root, files := corpus(t)
	for _, file := range files {
		t.Run(file.name, func(t *testing.T) {
			a := New(File(filepath.Join(root, file.name)), Options{Handler: http.NotFoundHandler(), BaseURL: "http://api.test/base"})
			defer a.Close()
			doc, err := a.document(t.Context())
			if err != nil {
				t.Skip(err)
			}
			sent := 0
			for _, e := range doc.entries {
				op := doc.operation(e.key)
				if op == nil {
					continue // quarantined
				}
				req, err := a.request(t.Context(), op, sampleCall(op))
				if err != nil {
					t.Errorf("%s: %v", e.key, err)
					continue
				}
				if !strings.HasPrefix(req.URL.EscapedPath(), "/base/") || strings.Contains(req.URL.EscapedPath(), "{") {
					t.Errorf("%s goes to %s", e.key, req.URL)
				}
				sent++
			}
			t.Logf("%d of %d operations", sent, len(doc.entries))
		})
	}
}

// sampleCall gives every parameter a value of its type, and the body one of each
// property that is bytes or a text.
func sampleCall(op *operation) mapping.Call {
	c := mapping.Call{Key: op.key}
	for _, p := range op.params {
		in := p.In
		if in == paramQuerystring {
			in = openapi3.ParameterInQuery
		}
		c.Args = append(c.Args, mapping.Arg{In: in, Name: p.Name, Value: sample(op.doc.schema(p.Schema))})
	}
	if op.body == nil {
		return c
	}
	schema := op.doc.schema(op.media.Schema)
	c.Body = sample(schema)
	switch bodyKind(op.mediaType, schema) {
	case mediaText, mediaBinary:
		c.Body = json.RawMessage(`"data:,x"`)
	case mediaForm, mediaMultipart:
		object := map[string]json.RawMessage{}
		for name, ref := range schema.Properties {
			object[name] = sample(op.doc.schema(ref))
		}
		c.Body, _ = json.Marshal(object) // raw JSON marshals
	default:
	}
	return c
}

func sample(s *openapi3.Schema) json.RawMessage {
	switch {
	case s.Type.Includes(openapi3.TypeInteger), s.Type.Includes(openapi3.TypeNumber):
		return json.RawMessage(`9007199254740993`)
	case s.Type.Includes(openapi3.TypeBoolean):
		return json.RawMessage(`true`)
	case s.Type.Includes(openapi3.TypeArray):
		return json.RawMessage(`["ZGF0YQ==","YQ=="]`)
	case s.Type.Includes(openapi3.TypeObject), len(s.Properties) > 0:
		return json.RawMessage(`{"a":"x","b":1}`)
	}
	return json.RawMessage(`"data:,x"`)
}
