package architecture

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const stateless = "packages keep no state, so two bridges in one process never meet"

// makers are the functions whose results may initialise a package variable,
// because nothing can change what they return.
var makers = []string{
	"errors.New", "fmt.Errorf", "regexp.MustCompile", "strings.NewReplacer",
	"reflect.TypeFor", "reflect.TypeOf", "sync.OnceValue", "sync.OnceValues",
	"github.com/yosida95/uritemplate/v3.MustNew",
}

// constants are package variables that no rule below can prove immutable, each
// with the reason why it is.
var constants = map[string]string{}

func TestNoInit(t *testing.T) {
	check(t, inits)
}

func inits(p *pkg) []string {
	var bad []string
	for _, f := range p.files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				bad = append(bad, fmt.Sprintf("%s has an init function: %s", p.at(fn), stateless))
			}
		}
	}
	return bad
}

func TestPackageVariablesAreConstant(t *testing.T) {
	check(t, variables)
}

func variables(p *pkg) []string {
	written := writes(p)
	var bad []string
	for _, f := range p.files {
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, s := range gen.Specs {
				bad = append(bad, variable(p, gen, s.(*ast.ValueSpec), written)...)
			}
		}
	}
	return bad
}

// variable complains about the names of one declaration.
func variable(p *pkg, gen *ast.GenDecl, spec *ast.ValueSpec, written map[types.Object]ast.Node) []string {
	var bad []string
	for i, id := range spec.Names {
		obj := p.info.Defs[id]
		if id.Name == "_" || constants[p.part()+"."+id.Name] != "" {
			continue
		}
		var init ast.Expr
		if i < len(spec.Values) {
			init = spec.Values[i]
		}
		if why := changeable(p, obj, init, embedded(gen, spec)); why != "" {
			bad = append(bad, fmt.Sprintf("%s: package variable %s %s: %s", p.at(id), id.Name, why, stateless))
		} else if w := written[obj]; w != nil {
			bad = append(bad, fmt.Sprintf("%s: package variable %s is changed at %s: %s", p.at(id), id.Name, p.at(w), stateless))
		}
	}
	return bad
}

// changeable says why a variable may change, "" if it looks constant.
func changeable(p *pkg, obj types.Object, init ast.Expr, embedded bool) string {
	if embedded {
		return ""
	}
	isError := types.Implements(obj.Type(), types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	switch {
	case init == nil:
		return "has no value of its own, so something sets it"
	case obj.Exported() && !isError:
		return "is exported, so anybody can set it"
	case synchronised(obj.Type(), map[types.Type]bool{}):
		return "holds a lock, a channel or an atomic value"
	}
	return made(p, init, isError)
}

// made says which part of an initial value may be changed through it.
func made(p *pkg, init ast.Expr, isError bool) string {
	why := ""
	ast.Inspect(init, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND && !isError {
				why = "is a pointer"
			}
		case *ast.CallExpr:
			if name := called(p, n); name != "" && !slices.Contains(makers, name) {
				why = fmt.Sprintf("is made by %s, which may return something that changes (see makers in state_test.go)", name)
			}
		}
		return why == ""
	})
	return why
}

// called names the function of a call, "" for conversions and built-ins.
func called(p *pkg, call *ast.CallExpr) string {
	tv := p.info.Types[call.Fun]
	if tv.IsType() || tv.IsBuiltin() {
		return ""
	}
	fun := ast.Unparen(call.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return "a function value"
	}
	obj := p.info.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return id.Name
	}
	return obj.Pkg().Path() + "." + id.Name
}

// synchronised reports whether a type is made to be changed by many.
func synchronised(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		path := named.Obj().Pkg().Path()
		if !strings.HasPrefix(path, module+"/") {
			return path == "sync" || path == "sync/atomic" // the insides of others are theirs
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Pointer:
		return synchronised(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if synchronised(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// embedded reports whether //go:embed gives the variable its value.
func embedded(gen *ast.GenDecl, spec *ast.ValueSpec) bool {
	for _, doc := range []*ast.CommentGroup{gen.Doc, spec.Doc} {
		if doc == nil {
			continue
		}
		for _, c := range doc.List {
			if strings.HasPrefix(c.Text, "//go:embed ") {
				return true
			}
		}
	}
	return false
}

// writes finds, for each package variable, a place that changes it or an
// element of it, or that takes its address.
func writes(p *pkg) map[types.Object]ast.Node {
	found := map[types.Object]ast.Node{}
	note := func(n ast.Node, targets ...ast.Expr) {
		for _, e := range targets {
			if obj := root(p, e); obj != nil && obj.Parent() == obj.Pkg().Scope() {
				found[obj] = n
			}
		}
	}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				note(n, n.Lhs...)
			case *ast.IncDecStmt:
				note(n, n.X)
			case *ast.RangeStmt:
				note(n, n.Key, n.Value)
			case *ast.SendStmt:
				note(n, n.Chan)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n, n.X)
				}
			case *ast.CallExpr:
				note(n, changed(p, n))
			}
			return true
		})
	}
	return found
}

// changed is the operand that a call changes: the map of delete, the target of
// copy, the addressed receiver of a method with a pointer receiver.
func changed(p *pkg, call *ast.CallExpr) ast.Expr {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if p.info.Types[fun].IsBuiltin() && slices.Contains([]string{"delete", "clear", "copy"}, fun.Name) {
			return call.Args[0]
		}
	case *ast.SelectorExpr:
		sel := p.info.Selections[fun]
		if sel == nil || sel.Kind() != types.MethodVal {
			return nil
		}
		_, pointer := types.Unalias(sel.Recv()).(*types.Pointer)
		recv := sel.Obj().(*types.Func).Signature().Recv()
		_, wants := types.Unalias(recv.Type()).(*types.Pointer)
		if wants && !pointer {
			return fun.X
		}
	}
	return nil
}

// root is the variable that an expression is a part of, nil if it is none.
func root(p *pkg, e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if p.info.Selections[x] == nil { // a name of another package
				e = x.Sel
			} else {
				e = x.X
			}
		case *ast.Ident:
			if v, ok := p.info.Uses[x].(*types.Var); ok && v.Pkg() != nil {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

func TestStateRulesCanFail(t *testing.T) {
	for _, c := range []struct {
		source string
		want   int
	}{
		{`func init() {}`, 1},
		{`type T struct{}; func (T) init() {}`, 0},
		{`var n int; func f() { n++ }`, 1},
		{`var n = 1; func f() { n++ }`, 1},
		{`var n = 1; func f() { n := 2; n++ }`, 0},
		{`var names = []string{"a"}`, 0},
		{`var names = []string{"a"}; func f() { names[0] = "b" }`, 1},
		{`var Names = []string{"a"}`, 1},
		{`var set = map[string]bool{}; func f() { delete(set, "a") }`, 1},
		{`var n = 1; func f() { for n = range 3 {} }`, 1},
		{`var p = &struct{ n int }{}`, 1},
		{`import "errors"; var ErrGone = errors.New("gone")`, 0},
		{`import "regexp"; var word = regexp.MustCompile("a")`, 0},
		{`import "strings"; var quote = strings.NewReplacer("a", "b")`, 0},
		{`import "sync"; var mu sync.Mutex`, 1},
		{`import "sync"; var mu = sync.Mutex{}`, 1},
		{`import "sync"; var mu = struct{ sync.Mutex }{}`, 1},
		{`import "sync"; var table = sync.OnceValue(func() map[string]int { return nil })`, 0},
		{`var done = make(chan bool)`, 1},
		{`type T struct{ n int }; func (t *T) set() { t.n++ }; var v = T{}; func f() { v.set() }`, 1},
		{`type T struct{ n int }; func (t T) get() int { return t.n }; var v = T{}; func f() int { return v.get() }`, 0},
		{`func make() map[string]int { return nil }; var cache = make()`, 1},
		{`import _ "embed"
//go:embed snippet.go
var text string`, 0},
		{`type I interface{}; var _ I = 1`, 0},
	} {
		p := snippet(t, "core", "package core\n"+c.source)
		got := append(inits(p), variables(p)...)
		if len(got) != c.want {
			t.Errorf("%s\ngot complaints %q, want %d", c.source, got, c.want)
		}
	}
}
