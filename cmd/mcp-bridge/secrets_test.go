package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"key": "from file\r\n", "two": "a\nb\n\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environment := map[string]string{"KEY": "k", "EMPTY": "", "TRICK": "${env:KEY}"}
	s := secrets{dir: dir, lookup: func(name string) (string, bool) { v, ok := environment[name]; return v, ok }}
	for _, c := range []struct{ in, want string }{
		{"plain $5 {x}", "plain $5 {x}"},
		{"${env:KEY}", "k"},
		{"Bearer ${env:KEY}, ${env:KEY}", "Bearer k, k"},
		{"${env:EMPTY}", ""},
		{"${env:EMPTY:-x}", "x"},
		{"${env:NONE:-}", ""},
		{"${env:NONE:-a:-b$}", "a:-b$"},
		{"${env:KEY:-x}", "k"},
		{"${env:TRICK}", "${env:KEY}"},
		{"$${env:KEY}", "${env:KEY}"},
		{"a$$b", "a$$b"},
		{"${file:key}", "from file"},
		{"${file:two}", "a\nb\n"},
		{"${file:" + filepath.Join(dir, "key") + "}", "from file"},
	} {
		got, err := s.expand(c.in)
		if err != nil || got != c.want {
			t.Errorf("expand(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"${env:NONE}", "${env:NONE} is not set"},
		{"${env:KEY} ${env:NONE}", "${env:NONE} is not set"},
		{"${KEY}", "${KEY} is no reference; write ${env:KEY} for the environment variable, and $${ for a plain ${"},
		{"${env:}", "${env:} is neither ${env:NAME}, ${env:NAME:-default} nor ${file:path}; a plain ${ is written $${"},
		{"${env:KEY", "${ has no closing }; a plain ${ is written $${"},
		{"${file:none}", "${file:none}: no such file or directory"},
		{"${file:.}", "${file:.}: is a directory"},
		{"${file:/dev/zero}", "${file:/dev/zero} has more than 1048576 bytes"},
	} {
		got, err := s.expand(c.in)
		if err == nil || err.Error() != c.want || got != "" {
			t.Errorf("expand(%q) = %q, %v; want the error %s", c.in, got, err, c.want)
		}
	}
}

func TestHeader(t *testing.T) {
	s := secrets{lookup: func(name string) (string, bool) { return "line\nsecret", name == "KEY" }}
	for _, c := range []struct{ line, name, value, err string }{
		{"X-Key: a b", "X-Key", "a b", ""},
		{"X-Key:a:b", "X-Key", "a:b", ""},
		{"X-Empty:", "X-Empty", "", ""},
		{"X-Key", "", "", "--header is written 'Name: value'"},
		{": x", "", "", "--header is written 'Name: value'"},
		{"X Key: x", "", "", `--header X Key: "X Key" cannot be the name of a header`},
		{"X-Key: ${env:NONE}", "", "", "--header X-Key: ${env:NONE} is not set"},
		{"X-Key: ${env:KEY}", "", "", "--header X-Key: the value of header X-Key holds a control character, perhaps a line end"},
	} {
		name, value, err := parseHeader(c.line, s.expand)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if name != c.name || value != c.value || got != c.err {
			t.Errorf("parseHeader(%q) = %q, %q, %q; want %q, %q, %q", c.line, name, value, got, c.name, c.value, c.err)
		}
		if strings.Contains(got, "secret") {
			t.Errorf("parseHeader(%q) shows a secret: %s", c.line, got)
		}
	}
}
