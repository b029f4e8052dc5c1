package architecture

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

func TestEachPackageHasOneDoc(t *testing.T) {
	check(t, packageDoc)
}

func packageDoc(p *pkg) []string {
	if len(p.files) == 0 {
		return nil // tests only
	}
	var docs []string
	for _, f := range p.files {
		if f.Doc != nil {
			docs = append(docs, f.Doc.Text())
		}
	}
	if len(docs) != 1 {
		return []string{fmt.Sprintf("%s has %d package comments, want 1: it tells a newcomer the one idea, then where to start", p.part(), len(docs))}
	}
	if p.Name != "main" && !strings.HasPrefix(docs[0], "Package "+p.Name+" ") {
		return []string{fmt.Sprintf("the package comment of %s does not begin with %q, so go doc lists it without a summary", p.part(), "Package "+p.Name)}
	}
	return nil
}

func TestExportedThingsHaveDocs(t *testing.T) {
	check(t, exportedDocs)
}

func exportedDocs(p *pkg) []string {
	if p.Name == "main" {
		return nil
	}
	var bad []string
	complain := func(n ast.Node, name string) {
		bad = append(bad, fmt.Sprintf("%s: %s is exported and has no comment: say what a caller must know (units, zero, errors, who may call at once)", p.at(n), name))
	}
	for _, f := range p.files {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && visible(d) && !selfEvident(d) {
					complain(d, funcName(d))
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if name := undocumented(d, s); name != "" {
						complain(s, name)
					}
				}
			}
		}
	}
	return bad
}

// undocumented returns the exported name of a spec that nothing explains.
func undocumented(d *ast.GenDecl, s ast.Spec) string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
			return s.Name.Name
		}
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if id.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
				return id.Name
			}
		}
	}
	return ""
}

// visible reports whether a function is one of an exported type, or of none.
func visible(fn *ast.FuncDecl) bool {
	return token.IsExported(funcName(fn))
}

// selfEvident methods say all in their names.
func selfEvident(fn *ast.FuncDecl) bool {
	return fn.Recv != nil && (fn.Name.Name == "Error" || fn.Name.Name == "String")
}

func TestDocRulesCanFail(t *testing.T) {
	for _, c := range []struct {
		source string
		want   int
	}{
		{"package core", 1},
		{"// Package core is one.\npackage core", 0},
		{"// A package core is one.\npackage core", 1},
		{"// Package core is one.\npackage core\nfunc F() {}", 1},
		{"// Package core is one.\npackage core\nfunc f() {}", 0},
		{"// Package core is one.\npackage core\ntype t int\nfunc (t) M() {}", 0},
		{"// Package core is one.\npackage core\n// T is one.\ntype T int\nfunc (*T) M() {}", 1},
		{"// Package core is one.\npackage core\n// T is one.\ntype T int\nfunc (T) String() string { return \"\" }", 0},
		{"// Package core is one.\npackage core\n// The colours.\nconst (\n\tRed = 1\n\tBlue = 2\n)", 0},
		{"// Package core is one.\npackage core\nconst (\n\tRed = 1 // warm\n\tBlue = 2\n)", 1},
		{"// Package core is one.\npackage core\nfunc F" + "() {" + strings.Repeat("\n", functionLines) + "}", 2},
	} {
		p := snippet(t, "core", c.source)
		got := append(append(packageDoc(p), exportedDocs(p)...), functions(p)...)
		if len(got) != c.want {
			t.Errorf("%s\ngot complaints %q, want %d", c.source, got, c.want)
		}
	}
}
