package architecture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/mcp-bridge/mcp-bridge"

// A pkg is one package of the repository: what `go list` says of it, and its
// non-test files with their types.
type pkg struct {
	ImportPath   string
	Name         string
	Dir          string
	Export       string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Error        *struct{ Err string }

	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
}

// part is the package's path below the module, "." for the module itself.
func (p *pkg) part() string {
	rest, ok := strings.CutPrefix(p.ImportPath, module)
	if !ok || rest == "" {
		return "."
	}
	return rest[1:]
}

// at writes a position as file:line, relative to the package's directory.
func (p *pkg) at(n ast.Node) string {
	pos := p.fset.Position(n.Pos())
	return fmt.Sprintf("%s/%s:%d", p.part(), filepath.Base(pos.Filename), pos.Line)
}

// repository lists and type-checks every package once for all tests.
var repository = sync.OnceValues(load)

// packages returns the repository's packages.
func packages(t *testing.T) []*pkg {
	t.Helper()
	r, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	return r.own
}

// check runs a rule over every package and reports its complaints.
func check(t *testing.T, rule func(*pkg) []string) {
	t.Helper()
	for _, p := range packages(t) {
		for _, complaint := range rule(p) {
			t.Error(complaint)
		}
	}
}

type listing struct {
	own     []*pkg
	exports map[string]string // import path to compiled export data
}

func load() (*listing, error) {
	l, err := list()
	if err != nil {
		return nil, err
	}
	for _, p := range l.own {
		if err := l.parse(p); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// list asks the go command, which also compiles what the types come from. The
// standard packages are what snippets import.
func list() (*listing, error) {
	cmd := exec.CommandContext(context.Background(), "go", "list", "-deps", "-export",
		"-json=ImportPath,Name,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Error",
		"./...", "embed", "errors", "fmt", "net/http", "os", "regexp", "strings", "sync", "time")
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	l := &listing{exports: map[string]string{}}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pkg{}
		err := dec.Decode(p)
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		if p.Error != nil {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		l.exports[p.ImportPath] = p.Export
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			l.own = append(l.own, p)
		}
	}
}

// parse reads a package's non-test files and finds their types.
func (l *listing) parse(p *pkg) error {
	p.fset = token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(p.fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files = append(p.files, f)
	}
	return l.resolve(p)
}

// resolve finds the types of a parsed package.
func (l *listing) resolve(p *pkg) error {
	p.info = &types.Info{
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Types:      map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(l.exports[path])
	})}
	if _, err := conf.Check(p.ImportPath, p.fset, p.files, p.info); err != nil {
		return fmt.Errorf("check types of %s: %w", p.ImportPath, err)
	}
	return nil
}

// snippet type-checks one file of source as if it were a package at part.
func snippet(t *testing.T, part, source string) *pkg {
	t.Helper()
	l, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	p := &pkg{ImportPath: module + "/" + part, fset: token.NewFileSet()}
	f, err := parser.ParseFile(p.fset, "snippet.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p.Name, p.files = f.Name.Name, []*ast.File{f}
	if err := l.resolve(p); err != nil {
		t.Fatal(err)
	}
	return p
}
