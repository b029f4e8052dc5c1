package mapping

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// eachArchive runs one subtest for each archive of a folder. The test returns
// what a file of the archive should hold, by its name; ok is false for a file
// that is an input. "go test -update" writes the answers into the archives.
func eachArchive(t *testing.T, folder string, test func(t *testing.T, in map[string][]byte) func(name string) (got string, ok bool)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in testdata/%s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(archive.Comment)) == 0 {
				t.Errorf("%s does not say which rule it guards", file)
			}
			in := map[string][]byte{}
			for _, f := range archive.Files {
				in[f.Name] = f.Data
			}
			answer := test(t, in)
			for i := range archive.Files {
				f := &archive.Files[i]
				got, ok := answer(f.Name)
				if !ok {
					continue
				}
				if diff := cmp.Diff(string(f.Data), got); diff != "" && !updating() {
					t.Errorf("%s of %s (-want +got), rewritten by go test -update:\n%s", f.Name, file, diff)
				}
				f.Data = []byte(got)
			}
			if updating() {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// updating reports whether -update is given.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}
