package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

var update = flag.Bool("update", false, "write the golden files")

// A corpusFile is one document of the corpus.
type corpusFile struct {
	name       string // below the corpus
	operations int    // as the manifest counts them, -1 where it does not
}

// corpus lists the documents of $BRIDGE_CORPUS/openapi by its manifest.
func corpus(t testing.TB) (root string, files []corpusFile) {
	t.Helper()
	if os.Getenv("BRIDGE_CORPUS") == "" {
		t.Skip("BRIDGE_CORPUS is not set: it names a folder of other people's documents, which this test walks")
	}
	root = filepath.Join(os.Getenv("BRIDGE_CORPUS"), "openapi")
	manifest, err := os.ReadFile(filepath.Join(root, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(manifest)), "\n") {
		fields := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		count, err := strconv.Atoi(fields[9])
		if err != nil {
			count = -1
		}
		if strings.HasPrefix(fields[1], "(set") {
			for _, name := range documentsBelow(t, root, fields[0]) {
				files = append(files, corpusFile{name, count})
			}
			continue
		}
		files = append(files, corpusFile{filepath.Join(fields[0], fields[1]), count})
	}
	return root, files
}

func documentsBelow(t testing.TB, root, folder string) []string {
	var names []string
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
		if err == nil && slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(path)) {
			name, _ := filepath.Rel(root, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestCorpus loads every document: each ends in a catalog that keeps its promises
// or in one sentence, and testdata/corpus.golden says which.
func TestCorpus(t *testing.T) {
	root, files := corpus(t)
	forbidNetwork(t)
	metaschema, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	served, total := 0, 0
	for _, f := range files {
		a := New(File(filepath.Join(root, f.name)), Options{Outputs: true})
		start := time.Now()
		c, err := a.Catalog(t.Context())
		took := time.Since(start)
		if err != nil {
			text := strings.ReplaceAll(err.Error(), root+"/", "")
			if strings.Contains(text, "\n") {
				t.Errorf("%s: the error has several lines: %q", f.name, text)
			}
			fmt.Fprintf(&table, "%-70s refused: %s\n", f.name, strings.TrimPrefix(text, f.name+": "))
			continue
		}
		// BenchmarkCatalog measures; this only catches what grows without end.
		if limit := time.Minute; took > limit {
			t.Errorf("%s took %v, want less than %v", f.name, took, limit)
		}
		checkCatalog(t, f.name, c)
		checkOperations(t, f.name, a, c)
		checkSchemas(t, f.name, c, metaschema)
		lost := count(c.Lost, mapping.Dropped)
		if all := len(c.Operations) + lost; f.operations > all {
			t.Errorf("%s has %d operations and decisions, the manifest %d operations", f.name, all, f.operations)
		}
		served, total = served+len(c.Operations), total+max(f.operations, len(c.Operations)+lost)
		fmt.Fprintf(&table, "%-70s %5d served %4d dropped %5d templates %5d cut %4d repaired\n", f.name,
			len(c.Operations), lost, len(c.Resources), count(c.Lost, mapping.Cut), count(c.Lost, mapping.Repaired))
	}
	fmt.Fprintf(&table, "\n%d of %d operations served\n", served, total)
	if served*100 < total*97 {
		t.Errorf("%d of %d operations are served, want 97 %%", served, total)
	}
	compareGolden(t, "testdata/corpus.golden", table.String())
}

func count(all []mapping.Decision, what string) int {
	n := 0
	for _, d := range all {
		if d.What == what {
			n++
		}
	}
	return n
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), rewrite it with -update:\n%s", name, diff)
	}
}

// forbidNetwork fails the test if anything dials through what libraries use when
// nobody tells them otherwise.
func forbidNetwork(t *testing.T) {
	dial := func(_ context.Context, _, addr string) (net.Conn, error) {
		t.Errorf("loading dialled %s", addr)
		return nil, net.ErrClosed
	}
	transport := http.DefaultTransport
	http.DefaultTransport = &http.Transport{DialContext: dial}
	t.Cleanup(func() { http.DefaultTransport = transport })
}

// checkCatalog checks what a catalog promises: unique keys, and references that
// all lead into Defs.
func checkCatalog(t *testing.T, name string, c *mapping.Catalog) {
	t.Helper()
	keys := map[string]bool{}
	for _, op := range c.Operations {
		if keys[op.Key] {
			t.Errorf("%s: the key %q occurs twice", name, op.Key)
		}
		keys[op.Key] = true
		if op.Name == "" || op.Where == "" {
			t.Errorf("%s: %s has no name or no place", name, op.Key)
		}
		checkRefs(t, name, c, op.Output)
		if op.Body != nil {
			checkRefs(t, name, c, op.Body.Schema)
		}
		for _, p := range op.Params {
			checkRefs(t, name, c, p.Schema)
		}
	}
	for _, def := range c.Defs {
		checkRefs(t, name, c, def)
	}
	for _, r := range c.Resources {
		if !keys[r.Operation] {
			t.Errorf("%s: the resource %s is of the operation %q, which is not there", name, r.Path, r.Operation)
		}
	}
}

// checkSchemas holds every schema against the metaschema of 2020-12.
func checkSchemas(t *testing.T, name string, c *mapping.Catalog, metaschema *jsonschema.Schema) {
	t.Helper()
	seen := map[string]bool{} // parameters repeat
	check := func(where string, schema json.RawMessage) {
		if schema == nil || seen[string(schema)] {
			return
		}
		seen[string(schema)] = true
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
		if err == nil {
			err = metaschema.Validate(v)
		}
		if err != nil {
			t.Errorf("%s: %s: %v\n%.300s", name, where, err, schema)
		}
	}
	for def, schema := range c.Defs {
		check(def, schema)
	}
	for _, op := range c.Operations {
		for _, p := range op.Params {
			check(op.Key+" "+p.Name, p.Schema)
		}
		if op.Body != nil {
			check(op.Key+" body", op.Body.Schema)
		}
	}
}

// checkOperations makes what a call needs of every operation.
func checkOperations(t *testing.T, name string, a *Adapter, c *mapping.Catalog) {
	t.Helper()
	for _, want := range c.Operations {
		op, err := a.operation(t.Context(), want.Key)
		if err != nil {
			t.Errorf("%s: %s: %v", name, want.Key, err)
			continue
		}
		if len(op.params)-len(op.fixed) != len(want.Params) || (op.body == nil) != (want.Body == nil) {
			t.Errorf("%s: %s has %d parameters and a body: %v; its catalog %d and %v", name, want.Key,
				len(op.params), op.body != nil, len(want.Params), want.Body != nil)
		}
		for _, p := range op.params {
			op.doc.schema(p.Schema)
		}
	}
}

func checkRefs(t *testing.T, name string, c *mapping.Catalog, schema json.RawMessage) {
	t.Helper()
	if schema == nil {
		return
	}
	if !json.Valid(schema) {
		t.Errorf("%s: %.200s is not JSON", name, schema)
		return
	}
	walkRefs(place{file: &docFile{}, raw: node(schema)}, false, func(_ place, ref string) {
		if def, ok := strings.CutPrefix(ref, "#/$defs/"); !ok || c.Defs[def] == nil {
			t.Errorf("%s: the reference %s leads nowhere", name, ref)
		}
	})
}
