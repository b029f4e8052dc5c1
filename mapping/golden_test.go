package mapping

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// TestSurfaces builds a surface of each testdata/*.txtar and compares it with
// the text in it. An archive begins with the rule that it guards. It holds
//
//	catalog.json       the catalog of the source "src", or
//	NAME.catalog.json  the catalog of the source NAME
//	rules.json         the rules, if there are any
//	surface            what Surface.Text returns
//	descriptions       the whole description of each tool, if the case is about them
func TestSurfaces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testSurface(t, file) })
	}
}

func testSurface(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Errorf("%s does not say which rule it guards", file)
	}
	catalogs, rules := inputs(t, archive)
	if err := rules.Check(); err != nil {
		t.Fatalf("rules.json: %v", err)
	}
	s := Build(catalogs, rules)
	for i := range archive.Files {
		f := &archive.Files[i]
		var got string
		switch f.Name {
		case "surface":
			got = s.Text()
		case "descriptions":
			got = descriptions(s)
		default:
			continue
		}
		if diff := cmp.Diff(string(f.Data), got); diff != "" && !*update {
			t.Errorf("%s of %s (-want +got), rewritten by go test -update:\n%s", f.Name, file, diff)
		}
		f.Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inputs decodes the catalogs and the rules of an archive, strictly.
func inputs(t *testing.T, archive *txtar.Archive) (map[string]*Catalog, Rules) {
	t.Helper()
	catalogs, rules := map[string]*Catalog{}, Rules{}
	for _, f := range archive.Files {
		name, isCatalog := strings.CutSuffix(f.Name, "catalog.json")
		switch {
		case isCatalog:
			catalog := &Catalog{}
			decodeStrictly(t, f, catalog)
			if name = strings.TrimSuffix(name, "."); name == "" {
				name = "src"
			}
			catalogs[name] = catalog
		case f.Name == "rules.json":
			decodeStrictly(t, f, &rules)
		}
	}
	return catalogs, rules
}

func decodeStrictly(t *testing.T, f txtar.File, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(f.Data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
}

func descriptions(s *Surface) string {
	var b strings.Builder
	for _, tool := range s.Tools() {
		b.WriteString(tool.Name + ": " + tool.Description + "\n")
	}
	return b.String()
}
