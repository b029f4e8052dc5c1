package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	oracle "github.com/santhosh-tekuri/jsonschema/v6"
)

// The tests below hold the documents against the program.

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	names := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	for _, page := range pages {
		names = append(names, filepath.Join("docs", filepath.Base(page)))
	}
	return names
}

// blocks returns the fenced blocks of a language.
func blocks(text, language string) []string {
	var list []string
	fence := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestConsole runs what a console block shows behind "$ " and compares the rest
// of the block with what the program prints.
func TestConsole(t *testing.T) {
	for _, name := range documents(t) {
		text := read(t, name)
		for _, block := range blocks(text, "console") {
			command, want, _ := strings.Cut(block, "\n")
			got := command + "\n" + console(t, strings.TrimPrefix(command, "$ "))
			if got == block {
				continue
			}
			if *update {
				text = strings.Replace(text, "```console\n"+block, "```console\n"+got, 1)
				continue
			}
			t.Errorf("%s: %s prints\n%s\nand the document says\n%s\ngo test ./cmd/mcp-bridge -run Console -update writes it down", name, command, got, want)
		}
		if *update && text != read(t, name) {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// console runs a command line of a document, with this program in place of the
// one that the line would build.
func console(t *testing.T, line string) string {
	t.Helper()
	for _, program := range []string{"go run ./cmd/mcp-bridge ", "bin/mcp-bridge "} {
		line = strings.Replace(line, program, "mcp-bridge ", 1)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// TestJSONSnippets checks that JSON in the documents is JSON, and that config
// files in them are config files.
func TestJSONSnippets(t *testing.T) {
	for _, name := range documents(t) {
		for _, block := range blocks(read(t, name), "json") {
			var value map[string]any
			if err := json.Unmarshal([]byte(block), &value); err != nil {
				t.Errorf("%s: %v in\n%s", name, err, block)
			}
			if value["sources"] == nil {
				continue
			}
			file := write(t, t.TempDir(), "bridge.json", block)
			if _, err := loadConfig(file, func(string) (string, bool) { return "x", true }); err != nil {
				t.Errorf("%s: %v in\n%s", name, err, block)
			}
		}
	}
}

// TestGoSnippets checks that Go in the documents stands in the examples, apart
// from its indentation.
func TestGoSnippets(t *testing.T) {
	var compiled []string
	err := filepath.WalkDir(filepath.Join(root, "examples"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			var text []byte
			text, err = os.ReadFile(path)
			compiled = append(compiled, flat(string(text)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range documents(t) {
		for _, block := range blocks(read(t, name), "go") {
			if !slices.ContainsFunc(compiled, func(text string) bool { return strings.Contains(text, flat(block)) }) {
				t.Errorf("%s: this stands in no example:\n%s", name, block)
			}
		}
	}
}

// flat takes indentation and empty lines away.
func flat(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// TestLinks checks that what the documents link to in the repository is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)`)
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

// TestSecurityNamesTests looks for each test that docs/security.md names.
func TestSecurityNamesTests(t *testing.T) {
	there := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(read(t, "docs/security.md"), -1)
	if len(named) < 30 {
		t.Errorf("docs/security.md names %d tests", len(named))
	}
	for _, m := range named {
		if !there[m[1]] {
			t.Errorf("docs/security.md names %s, which does not exist", m[1])
		}
	}
}

// TestSchema compares docs/config.schema.json with what the types say.
func TestSchema(t *testing.T) {
	var got bytes.Buffer
	if err := (schemaCommand{}).Run(t.Context(), &process{out: &got}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs", "config.schema.json")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, "docs/config.schema.json"); got.String() != want {
		t.Error("docs/config.schema.json is not what the types say; go test ./cmd/mcp-bridge -run Schema -update writes it")
	}
}

// TestConfigurationTables compares the tables of docs/configuration.md with the
// schema. Each stands behind a comment that says what it is about.
func TestConfigurationTables(t *testing.T) {
	whole, err := configSchema()
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, "docs/configuration.md")
	page := text
	kind := map[string]*jsonschema.Schema{}
	for _, s := range whole.Properties["sources"].AdditionalProperties.OneOf {
		kind[fmt.Sprint(*s.Properties["kind"].Const)] = s
	}
	own := func(name, than string) []string { return rows("", kind[name], presentIn(kind[than])) }
	for _, table := range []struct {
		about string
		rows  []string
	}{
		{"the whole", rows("", whole, nil)},
		{"every source", rows("", kind["demo-api"], missingIn(kind["openapi"]))},
		{"demo-api", own("demo-api", "openapi")},
		{"openapi", own("openapi", "demo-api")},
		{"every database", own("demo-db", "demo-api")},
		{"postgres", own("postgres", "demo-db")},
		{"mysql", own("mysql", "demo-db")},
		{"sqlite", own("sqlite", "demo-db")},
		{"github", own("github", "demo-api")},
	} {
		page = replaceTable(t, page, table.about, table.rows)
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, "docs", "configuration.md"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != text {
		t.Error("the tables of docs/configuration.md are not what the types say; go test ./cmd/mcp-bridge -run Configuration -update writes them")
	}
}

// replaceTable puts rows in the place of the table behind a comment.
func replaceTable(t *testing.T, page, about string, rows []string) string {
	t.Helper()
	comment := "<!-- keys of " + about + " -->\n"
	before, rest, found := strings.Cut(page, comment)
	if !found {
		t.Fatalf("docs/configuration.md has no %s", comment)
	}
	rest = regexp.MustCompile(`^\n(\|.*\n)+`).ReplaceAllString(rest, "")
	table := ""
	if len(rows) > 0 {
		table = "\n| Key | Type | What it says |\n|---|---|---|\n" + strings.Join(rows, "")
	}
	return before + comment + table + rest
}

// rows writes a row for each property of an object and of the objects in it.
func rows(path string, s *jsonschema.Schema, leaveOut func(string) bool) []string {
	var list []string
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		if leaveOut != nil && leaveOut(name) {
			continue
		}
		required := ""
		if slices.Contains(s.Required, name) {
			required = " Required."
		}
		list = append(list, fmt.Sprintf("| `%s` | %s | %s%s |\n", path+name, kindOf(p), p.Description, required))
		switch {
		case p.Properties != nil:
			list = append(list, rows(path+name+".", p, nil)...)
		case p.AdditionalProperties != nil && p.AdditionalProperties.Properties != nil:
			list = append(list, rows(path+name+".*.", p.AdditionalProperties, nil)...)
		case p.Items != nil && p.Items.Properties != nil:
			list = append(list, rows(path+name+"[].", p.Items, nil)...)
		}
	}
	return list
}

func kindOf(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		return strings.Trim(fmt.Sprintf("`%s`", strings.Join(words(s.Enum), "`, `")), " ")
	case s.Type == "array":
		return "list of " + s.Items.Type + "s"
	case s.Pattern != "":
		return "duration"
	}
	return s.Type
}

func words(list []any) []string {
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

func missingIn(s *jsonschema.Schema) func(string) bool {
	return func(name string) bool { return s.Properties[name] == nil }
}

func presentIn(s *jsonschema.Schema) func(string) bool {
	return func(name string) bool { return s.Properties[name] != nil }
}

// TestSchemaAgrees checks that the schema and the program say the same of config
// files: another reader of JSON Schema judges those of the documents and tests.
func TestSchemaAgrees(t *testing.T) {
	compiler := oracle.NewCompiler()
	document, err := oracle.UnmarshalJSON(strings.NewReader(read(t, "docs/config.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("config.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		good bool
	}{
		{read(t, "bridge.example.json"), true},
		{wholeConfig, true},
		{`{"sources": {}}`, false},
		{`{"sources": {"demo": {"kind": "demo-api"}}, "limit": {}}`, false},
		{`{"sources": {"demo": {"kind": "demo-api", "location": "x"}}}`, false},
		{`{"sources": {"pets": {"kind": "openapi"}}}`, false},
		{`{"sources": {"pets": {"kind": "postgres"}}}`, false},
		{`{"sources": {"Pets": {"kind": "demo-api"}}}`, false},
		{`{"sources": {"d": {"kind": "demo-api", "timeout": "10"}}}`, false},
		{`{"sources": {"d": {"kind": "demo-api", "prefix": null}}}`, false},
		{`{"sources": {"d": {"kind": "demo-api"}}, "limits": {"concurrent": 0}}`, false},
		{`{"sources": {"d": {"kind": "demo-api"}}, "log": {"level": "loud"}}`, false},
		{`{"sources": {"d": {"kind": "demo-api"}}, "telemetry": {"sample": 101}}`, false},
		{`{"sources": {"d": {"kind": "demo-api", "overrides": {"GET /a": {"effect": "unknown"}}}}}`, false},
	} {
		value, err := oracle.UnmarshalJSON(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.good {
			t.Errorf("%s\nthe schema says %v", c.text, err)
		}
		if _, err := loadConfig(write(t, t.TempDir(), "bridge.json", c.text), environment); (err == nil) != c.good {
			t.Errorf("%s\nthe program says %v", c.text, err)
		}
	}
}
