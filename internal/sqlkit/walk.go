package sqlkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/vendorrules"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Corpus lists the folders of $BRIDGE_CORPUS/sql whose name ends so. It skips the
// test where the variable is unset.
func Corpus(t *testing.T, suffix string) []string {
	t.Helper()
	root := os.Getenv("BRIDGE_CORPUS")
	if root == "" {
		t.Skip("BRIDGE_CORPUS is not set: it names a folder of other people's schemas, which this test walks")
	}
	manifest, err := os.ReadFile(filepath.Join(root, "sql", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for line := range strings.Lines(string(manifest)) {
		if slug, _, _ := strings.Cut(line, "\t"); strings.HasSuffix(slug, suffix) {
			folders = append(folders, filepath.Join(root, "sql", slug))
		}
	}
	return folders
}

// Scripts are the files of a folder that load its schema, in order; what they
// include themselves is not among them.
func Scripts(t *testing.T, folder string) []string {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		fields := strings.Split(line, "\t")
		if fields[0] != filepath.Base(folder) {
			continue
		}
		var files []string
		for _, word := range strings.Fields(fields[8]) {
			if !strings.HasSuffix(word, ".sql") {
				break
			}
			files = append(files, filepath.Join(folder, word))
		}
		return files
	}
	t.Fatalf("%s is not in the manifest", folder)
	return nil
}

// Walk describes every table by its URI, holds the tools against what vendors
// take, and reads one row of every table that has a key back by the row's URI. It
// returns a line of counts.
func Walk(t *testing.T, a *bridgesql.Adapter, tables [][2]string) string {
	t.Helper()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Error(err)
		return "no catalog"
	}
	w := walkerOf(a, c, mapping.Rules{OutputSchemas: "always"})
	rules, err := vendorrules.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range w.s.Tools() {
		for _, problem := range rules.Check(vendorrules.Tool{Name: tool.Name, Description: tool.Description, Input: tool.Input, Output: tool.Output}) {
			t.Errorf("%s: %s", tool.Name, problem)
		}
	}
	keyed, read := 0, 0
	for _, table := range tables {
		key := w.describe(t, table)
		if len(key) == 0 {
			continue
		}
		keyed++
		if w.readBack(t, table, key) {
			read++
		}
	}
	return fmt.Sprintf("%d tables and views, %d with a key, %d rows read back", len(tables), keyed, read)
}

type walker struct {
	a    *bridgesql.Adapter
	s    *mapping.Surface
	each bool
}

func walkerOf(a *bridgesql.Adapter, c *mapping.Catalog, rules mapping.Rules) walker {
	return walker{a: a, s: mapping.Build(map[string]*mapping.Catalog{"src": c}, rules), each: slices.ContainsFunc(c.Operations, func(o mapping.Operation) bool { return strings.HasSuffix(o.Key, "/find") })}
}

// ask runs find_rows, get_row or another tool, or the table's own find or get
// where each table has tools of its own.
func (w walker) ask(t *testing.T, key string, args map[string]any) (*mapping.Result, error) {
	t.Helper()
	table, ofTable := args["table"].(string)
	if !w.each || !ofTable {
		return Ask(t, w.a, key, args)
	}
	own := maps.Clone(args)
	delete(own, "table")
	switch key {
	case "find_rows":
		return Ask(t, w.a, table+"/find", own)
	case "get_row":
		return Ask(t, w.a, table+"/get", args["key"].(map[string]any))
	}
	return Ask(t, w.a, key, args)
}

func (w walker) read(t *testing.T, segments ...string) *mapping.Result {
	t.Helper()
	uri := "db://src"
	for _, s := range segments {
		uri += "/" + escape(s)
	}
	target, err := w.s.Resolve(uri)
	if err != nil {
		t.Errorf("%s leads nowhere: %v", uri, err)
		return nil
	}
	r := *target.Read
	r.Budget, r.MaxBytes = 1<<20, 16<<20
	got, err := w.a.Read(t.Context(), r)
	if err != nil {
		t.Errorf("%s: %v", uri, err)
		return nil
	}
	return got
}

// escape writes a value as one segment of a path.
func escape(s string) string {
	if strings.Trim(s, ".") == "" {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}

// describe returns the names of the table's key columns.
func (w walker) describe(t *testing.T, table [2]string) []string {
	t.Helper()
	r := w.read(t, table[0], table[1])
	if r == nil {
		return nil
	}
	var d struct {
		Table   string
		Key     []string
		Columns []struct{ Name, Type string }
	}
	if err := json.Unmarshal(r.JSON, &d); err != nil || d.Table != table[0]+"."+table[1] {
		t.Errorf("%v is described as %s (%v)", table, r.JSON, err)
	}
	for _, c := range d.Columns {
		if c.Name == "" || c.Type == "" {
			t.Errorf("%v has a column without name or type", table)
		}
	}
	return d.Key
}

// readBack finds a row and reads it by its URI. It reports whether there was one.
func (w walker) readBack(t *testing.T, table [2]string, key []string) bool {
	t.Helper()
	id := table[0] + "." + table[1]
	r, err := w.ask(t, "find_rows", map[string]any{"limit": 1, "table": id})
	if err != nil {
		t.Errorf("find in %s: %v", id, err)
		return false
	}
	var found struct{ Rows []json.RawMessage }
	if err := json.Unmarshal(r.JSON, &found); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if len(found.Rows) == 0 {
		return false
	}
	var row map[string]json.RawMessage
	if err := json.Unmarshal(found.Rows[0], &row); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	segments := table[:]
	for _, name := range key {
		segments = append(segments, segment(row[name]))
	}
	back := w.read(t, segments...)
	if back == nil {
		return false
	}
	// A find cuts long cells shorter than a read of one row does.
	if !r.Truncated && !bytes.Equal(back.JSON, found.Rows[0]) {
		t.Errorf("%s: found\n%s\nand read\n%s", id, found.Rows[0], back.JSON)
		return false
	}
	return true
}

// segment is a key's value as it stands in a URI, before escaping. An empty one
// stands there as a NUL.
func segment(v json.RawMessage) string {
	s := string(v)
	var b struct{ Base64 *string }
	if json.Unmarshal(v, &s) != nil && json.Unmarshal(v, &b) == nil && b.Base64 != nil {
		s = *b.Base64
	}
	if s == "" {
		return "\x00"
	}
	return s
}
