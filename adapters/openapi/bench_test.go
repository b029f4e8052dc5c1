package openapi

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkCatalog reads each document of the corpus that has more than a
// megabyte, as serve does at its start.
func BenchmarkCatalog(b *testing.B) {
	root, files := corpus(b)
	for _, f := range files {
		path := filepath.Join(root, f.name)
		if size(b, path) < 1<<20 {
			continue
		}
		b.Run(filepath.Dir(f.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(File(path), Options{}).Catalog(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func size(b *testing.B, path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
