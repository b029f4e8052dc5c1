package architecture

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The walls, in lines. Well before them it is worth thinking: a file that needs
// a table of contents is two files.
const (
	sourceLines   = 500
	testLines     = 800
	functionLines = 80
)

func TestFilesAreShort(t *testing.T) {
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			fileLength(t, p, name, sourceLines)
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			fileLength(t, p, name, testLines)
		}
	}
}

func fileLength(t *testing.T, p *pkg, name string, wall int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n > wall {
		t.Errorf("%s/%s has %d lines, more than %d: one file does one job; split it along its jobs", p.part(), name, n, wall)
	}
}

func TestFunctionsAreShort(t *testing.T) {
	check(t, functions)
}

func functions(p *pkg) []string {
	var bad []string
	for _, f := range p.files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := p.fset.Position(fn.End()).Line - p.fset.Position(fn.Pos()).Line + 1
			if n > functionLines {
				bad = append(bad, fmt.Sprintf("%s: %s has %d lines, more than %d: a function does one step", p.at(fn), funcName(fn), n, functionLines))
			}
		}
	}
	return bad
}
