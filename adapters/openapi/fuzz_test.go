package openapi

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// FuzzCatalog loads anything: it ends in an error or in a catalog that keeps its
// promises, and every operation of that can be made.
func FuzzCatalog(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := New(Bytes(data), Options{Outputs: true})
		defer a.Close()
		c, err := a.Catalog(t.Context())
		if err != nil {
			return
		}
		checkCatalog(t, "the document", c)
		checkOperations(t, "the document", a, c)
	})
}
