package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestCatalog runs testdata/catalog/*.txtar. Each archive is a document on disk:
//
//	openapi.yaml, …   its files; the first is the document
//	options           Options as JSON
//	catalog           what it becomes, one line for each part
//
// -update rewrites the last.
func TestCatalog(t *testing.T) {
	files, err := filepath.Glob("testdata/catalog/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := catalogOf(t, archive)
			for i := range archive.Files {
				if f := &archive.Files[i]; f.Name == "catalog" {
					if diff := cmp.Diff(string(f.Data), got); diff != "" && !*update {
						t.Errorf("catalog (-want +got):\n%s", diff)
					}
					f.Data = []byte(got)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// catalogOf writes the files of an archive below a folder of their own, so that
// "../" leads somewhere, and loads the first.
func catalogOf(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "api")
	var o Options
	for _, f := range archive.Files {
		switch f.Name {
		case "options":
			if err := json.Unmarshal(f.Data, &o); err != nil {
				t.Fatalf("options: %v", err)
			}
		case "catalog":
		default:
			path := filepath.Join(folder, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	a := New(File(filepath.Join(folder, filepath.FromSlash(archive.Files[0].Name))), o)
	c, err := a.Catalog(t.Context())
	if err != nil {
		return "error " + strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "") + "\n"
	}
	again, err := a.Catalog(t.Context())
	if err != nil || !cmp.Equal(c, again) {
		t.Errorf("the second catalog differs from the first: %v\n%s", err, cmp.Diff(c, again))
	}
	checkCatalog(t, "the document", c)
	checkOperations(t, "the document", a, c)
	return dump(c)
}

// TestFixedArguments are sent with every call, whatever the caller sends.
func TestFixedArguments(t *testing.T) {
	var got string
	a := New(Bytes([]byte(`{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a/{v}":{"get":{"parameters":[
		{"name":"v","in":"path","required":true,"schema":{"type":"string"}},
		{"name":"x","in":"query","schema":{"type":"integer"}},
		{"name":"y","in":"query","schema":{"type":"integer"}}]}}}}`)), Options{
		Fixed: map[string]map[string]json.RawMessage{"*": {"v": json.RawMessage(`"v2"`), "x": json.RawMessage("0")}, "GET /a/{v}": {"x": json.RawMessage("9007199254740993")}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.URL.RequestURI()
			w.WriteHeader(http.StatusNoContent)
		}),
	})
	defer a.Close()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if params := c.Operations[0].Params; len(params) != 1 || params[0].Name != "y" {
		t.Errorf("params are %+v, want y alone", params)
	}
	_, err = a.Call(t.Context(), mapping.Call{Key: "GET /a/{v}", MaxBytes: 1 << 20, Args: []mapping.Arg{{In: "query", Name: "y", Value: json.RawMessage("1")}, {In: "query", Name: "x", Value: json.RawMessage("7")}}, Log: func(string, string) {}})
	if want := "/a/v2?x=9007199254740993&y=1"; err != nil || got != want {
		t.Errorf("sent %s, %v, want %s", got, err, want)
	}
}

// dump writes a catalog as text.
func dump(c *mapping.Catalog) string {
	var b strings.Builder
	if c.About != "" && c.About != "t" {
		fmt.Fprintf(&b, "about %s\n", c.About)
	}
	for _, op := range c.Operations {
		dumpOperation(&b, op)
	}
	for _, r := range c.Resources {
		fmt.Fprintf(&b, "resource %s of %s%s\n", r.Path, r.Operation, orNothing(" ", r.MIME))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Defs)) {
		fmt.Fprintf(&b, "def %s %s\n", name, c.Defs[name])
	}
	for _, d := range c.Lost {
		fmt.Fprintf(&b, "%s%s: %s (%s)\n", d.What, orNothing(" ", d.Key), d.Why, d.Where)
	}
	return b.String()
}

func dumpOperation(b *strings.Builder, op mapping.Operation) {
	fmt.Fprintf(b, "%s: %s, %s", op.Key, op.Name, op.Effect)
	for _, word := range []struct {
		is   bool
		text string
	}{
		{op.Idempotent, "idempotent"}, {op.Deprecated, "deprecated"}, {op.Verb+op.Noun != "", strings.TrimSpace(op.Verb + " " + op.Noun)},
		{op.Group != "", "group " + strings.Join(op.Tags, "+")}, {op.Summary != "", fmt.Sprintf("%q", op.Summary)}, {op.Text != "", fmt.Sprintf("%q", op.Text)},
	} {
		if word.is {
			fmt.Fprintf(b, ", %s", word.text)
		}
	}
	fmt.Fprintf(b, " (%s)\n", op.Where)
	for _, p := range op.Params {
		fmt.Fprintf(b, "  %s %s%s %s%s\n", p.In, p.Name, map[bool]string{true: "!"}[p.Required], p.Schema, orNothing(" ", p.Text))
	}
	if op.Body != nil {
		fmt.Fprintf(b, "  body%s%s %s%s\n", map[bool]string{true: "!"}[op.Body.Required], map[bool]string{true: " binary"}[op.Body.Binary], op.Body.Schema, orNothing(" ", op.Body.Text))
	}
	if op.Output != nil {
		fmt.Fprintf(b, "  output %s\n", op.Output)
	}
}

func orNothing(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

// However many brackets a document writes, no two stand together.
func TestBracketsOfADocument(t *testing.T) {
	for _, text := range []string{"[[", "[[[", "a [[[[ b", "[[[[[[["} {
		got := plainText(text)
		if strings.Contains(got, "[[") || strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("plainText(%q) = %q", text, got)
		}
	}
}
