package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// TestSwaggerAgainstOpenapi2conv compares every operation of every Swagger 2.0
// document of the corpus with what kin-openapi makes of it, where kin-openapi can
// read the document at all, but for what it is known to have wrong
// (collectionFormat csv and tsv, the media type of forms, required of multipart).
func TestSwaggerAgainstOpenapi2conv(t *testing.T) {
	root, files := corpus(t)
	compared := 0
	for _, f := range files {
		a := New(File(filepath.Join(root, f.name)), Options{})
		doc, err := a.document(t.Context())
		if err != nil || !doc.swagger || len(doc.files) > 1 {
			continue
		}
		var v2 openapi2.T
		if json.Unmarshal(doc.root.root, &v2) != nil {
			continue
		}
		v3, err := openapi2conv.ToV3(&v2)
		if err != nil {
			continue
		}
		for _, e := range doc.entries {
			item := v3.Paths.Value(e.path)
			op := doc.operation(e.key)
			in, err := doc.inputs(e.describe())
			if item == nil || op == nil || err != nil || len(in.made) > 0 {
				continue // repaired, which kin-openapi does not
			}
			compared++
			want := outline(append(slices.Clone(item.Parameters), item.GetOperation(e.method).Parameters...), item.GetOperation(e.method).RequestBody, hasForm(in))
			if diff := cmp.Diff(want, outlineOf(op)); diff != "" {
				t.Errorf("%s: %s (-openapi2conv +ours):\n%s", f.name, e.key, diff)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d operations were compared, want at least 1000", compared)
	}
}

// outline lists what both sides must agree on.
func outline(params openapi3.Parameters, body *openapi3.RequestBodyRef, form bool) []string {
	byPlace := map[string]string{}
	for _, ref := range params {
		if p := ref.Value; p != nil && !reservedHeader(p.Name) {
			byPlace[p.In+" "+p.Name] = paramLine(p)
		}
	}
	var lines []string
	for _, line := range byPlace {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	if body != nil && body.Value != nil {
		lines = append(lines, bodyLine(body.Value, form))
	}
	return lines
}

func outlineOf(op *operation) []string {
	var params openapi3.Parameters
	for _, p := range op.params {
		params = append(params, &openapi3.ParameterRef{Value: p})
	}
	if op.body == nil {
		return outline(params, nil, false)
	}
	return outline(params, &openapi3.RequestBodyRef{Value: op.body}, mediaKind(op.mediaType) == mediaForm || mediaKind(op.mediaType) == mediaMultipart)
}

func paramLine(p *openapi3.Parameter) string {
	line := fmt.Sprintf("%s %s required=%v", p.In, p.Name, p.Required)
	if p.Schema == nil || p.Schema.Value == nil {
		return line
	}
	line += fmt.Sprint(" ", p.Schema.Value.Type.Slice())
	if p.Style == "spaceDelimited" || p.Style == "pipeDelimited" {
		line += " " + p.Style
	}
	return line
}

// hasForm says that the body is one of Swagger 2's forms, whatever media type
// openapi2conv gives it.
func hasForm(in *inputs) bool {
	return in.body.raw != nil && in.schemaV2.raw == nil
}

func bodyLine(b *openapi3.RequestBody, form bool) string {
	for _, m := range b.Content {
		if form && m.Schema != nil && m.Schema.Value != nil {
			return "form of " + strings.Join(slices.Sorted(maps.Keys(m.Schema.Value.Properties)), " ")
		}
	}
	return fmt.Sprintf("body required=%v", b.Required)
}
