package openapi

import (
	"cmp"
	"mime"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A media says how the bytes of a media type relate to a JSON value.
type media int

// From the best for a model, who writes JSON, to the worst.
const (
	mediaJSON      media = iota // application/json and every +json
	mediaForm                   // application/x-www-form-urlencoded
	mediaMultipart              // multipart/*
	mediaLines                  // one JSON value a line
	mediaYAML                   // JSON is YAML too
	mediaXML
	mediaText
	mediaBinary // bytes, which a model sends as base64 or a data: URI
)

// mediaKind returns how a media type is written. A range is what its best member
// is: "*/*" is JSON.
func mediaKind(name string) media {
	essence := essence(name)
	main, sub, _ := strings.Cut(essence, "/")
	switch {
	case essence == "", essence == "*/*", essence == "application/*", sub == "json", sub == "x-json", strings.HasSuffix(sub, "+json"):
		return mediaJSON
	case essence == "application/x-www-form-urlencoded":
		return mediaForm
	case main == "multipart":
		return mediaMultipart
	case slices.Contains([]string{"x-ndjson", "ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-seq"}, sub), strings.HasSuffix(sub, "+json-seq"):
		return mediaLines
	case slices.Contains([]string{"yaml", "x-yaml", "vnd.yaml"}, sub), strings.HasSuffix(sub, "+yaml"):
		return mediaYAML
	case sub == "xml", strings.HasSuffix(sub, "+xml"):
		return mediaXML
	case main == "text", slices.Contains([]string{"graphql", "javascript", "ecmascript", "sql", "toml", "x-sh"}, sub):
		return mediaText
	}
	return mediaBinary
}

// essence is a media type in lower case, without its parameters.
func essence(name string) string {
	name, _, _ = strings.Cut(name, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// preferredMedia returns which of some media types a body is sent as. It is want
// if that is among them; else the best for a model, and among equals
// application/json, then a merge patch, then the first by name. There is at least
// one.
func preferredMedia(names []string, want string) string {
	if slices.Contains(names, want) {
		return want
	}
	if asked := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return essence(n) != essence(want) }); len(asked) > 0 {
		names = asked
	}
	return slices.MinFunc(names, compareMedia)
}

// compareMedia orders media types from the best for a model to the worst.
func compareMedia(a, b string) int {
	return cmp.Or(cmp.Compare(mediaKind(a), mediaKind(b)), cmp.Compare(mediaRank(a), mediaRank(b)), strings.Compare(a, b))
}

func mediaRank(name string) int {
	order := []string{"application/json", "application/merge-patch+json", "multipart/form-data", "text/plain", "application/xml"}
	if i := slices.Index(order, essence(name)); i >= 0 {
		return i
	}
	if strings.Contains(name, "*") {
		return len(order) + 1
	}
	return len(order)
}

// bodyKind returns how a body of this media type and schema is written. What the
// document describes as an object or list is JSON whatever its type is called;
// base64 that is base64 on the wire too is a text; and a range may be bytes.
func bodyKind(name string, schema *openapi3.Schema) media {
	kind := mediaKind(name)
	switch {
	case schema == nil:
	case kind == mediaBinary && (len(schema.Properties) > 0 || schema.Type.Is(openapi3.TypeObject) || schema.Type.Is(openapi3.TypeArray)):
		return mediaJSON
	case kind == mediaBinary && base64Text(schema):
		return mediaText
	case kind == mediaJSON && strings.Contains(name, "*") && schema.Format == "binary":
		return mediaBinary
	}
	return kind
}

// base64Text says that the wire itself carries base64.
func base64Text(schema *openapi3.Schema) bool {
	return schema.Format == "byte" || strings.EqualFold(schema.ContentEncoding, "base64")
}

// withCharset adds charset=utf-8 to a text type that names none, where a reader
// without it could take the bytes for something else.
func withCharset(name, text string) string {
	_, params, err := mime.ParseMediaType(name)
	if err != nil || params["charset"] != "" || ascii(text) {
		return name
	}
	return name + "; charset=utf-8"
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
