package openapi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// What is read is watched, and so is what could not be read: it may come.
func TestWatched(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"doc.json": `{"openapi": "3.1.0", "info": {"title": "Doc", "version": "1"}, "paths": {
			"/a": {"$ref": "parts/a.json"},
			"/b": {"$ref": "parts/missing.json"},
			"/c": {"$ref": "https://elsewhere.example/c.json"}}}`,
		"parts/a.json": `{"get": {"responses": {"200": {"$ref": "../answers.yaml#/ok"}}}}`,
		"answers.yaml": "ok: {description: fine}\n",
		"unused.json":  `{}`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := New(File(filepath.Join(dir, "doc.json")), Options{})
	if _, err := a.Catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := a.watched()
	slices.Sort(got.Names)
	var want []string
	for _, name := range []string{"answers.yaml", "doc.json", "parts/a.json", "parts/missing.json"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if !slices.Equal(got.Names, want) || got.Read.IsZero() {
		t.Errorf("watched are %v, want %s", got, want)
	}
}

func TestNotWatched(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		document Document
		path     string
		want     mapping.Code
	}{
		{File("doc.json"), "", mapping.Internal}, // the context's error
		{File("doc.json"), "pets/3", mapping.Unsupported},
		{Bytes([]byte("{}")), "", mapping.Unsupported},
		{URL("http://localhost/doc.json"), "", mapping.Unsupported},
	} {
		err := New(c.document, Options{}).Watch(ctx, c.path, mapping.Caller{}, func() {})
		if got := mapping.CodeOf(err); got != c.want {
			t.Errorf("%v %q: the watch ends with %v, want code %s", c.document, c.path, err, c.want)
		}
	}
}
