package architecture

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"testing"
)

// A banned use of a package's function or variable. Programs (package main)
// are wiring and exempt.
type banned struct {
	pkg    string   // "" is a built-in function
	names  []string // nil is everything the package has
	only   string   // the only part where it is banned; "" is everywhere
	reason string
}

var bans = []banned{
	{"fmt", []string{"Print", "Printf", "Println"}, "", "stdout is the protocol's"},
	{"", []string{"print", "println"}, "", "they are for debugging"},
	{"os", []string{"Stdin", "Stdout", "Stderr"}, "", "the streams of a process belong to its main function"},
	{"log", nil, "", "a logger is handed in, and is a *slog.Logger"},
	{"log/slog", []string{
		"Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext",
		"Log", "LogAttrs", "Default", "SetDefault", "With",
	}, "", "the default logger is shared by the process; a logger is handed in"},
	{"", []string{"panic"}, "", "a caller can act on an error, not on a panic"},
	{"os", []string{"Exit", "Args"}, "", "only main ends the process and reads its arguments"},
	{"runtime", []string{"Goexit"}, "", "a goroutine returns"},
	{"flag", nil, "", "only cmd reads flags"},
	{"os", []string{"Getenv", "LookupEnv", "Environ", "Expand", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv", "UserHomeDir", "UserConfigDir", "UserCacheDir"}, "",
		"only cmd reads the environment, so that a library does what its arguments say"},
	{"time", []string{"Sleep"}, "", "wait for what is awaited, and for the context"},
	{"net/http", []string{
		"DefaultClient", "DefaultTransport", "DefaultServeMux", "Get", "Head", "Post", "PostForm",
		"Handle", "HandleFunc", "ListenAndServe", "ListenAndServeTLS",
	}, "", "they are shared by the process and have no limits; requests go out through internal/outbound"},
	{"time", []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, "mapping",
		"mapping has no clock, so that equal catalogs and rules give equal surfaces"},
}

// A permit is one use of a banned thing that is right, with the reason.
type permit struct {
	part, function string // "Type.Method" for methods
	name           string // "panic", "os.Stdout"
	reason         string
}

var permits = []permit{
	{"adapters/adaptertest", "Panic", "panic", "a broken adapter on purpose: core has to survive it"},
	{"adapters/sql", "must", "panic", "it marshals literals of the package, which a test can only pass"},
	{"internal/sqlkit", "Corpus", "os.Getenv", "a test walks other people's schemas where the variable names them"},
	{"internal/pgtest", "lacking", "os.Getenv", "a test that cannot run is skipped, but fails where CI is set"},
	{"internal/mytest", "Start", "os.Getenv", "a test that cannot run is skipped, but fails where CI is set"},
	{"internal/githubfake", "Open", "os.Getenv", "a test that cannot run is skipped, but fails where CI is set"},
	{"internal/githuboracle", "read", "os.Getenv", "a test reads GitHub's own description where the variable names it"},
	{"core", "Bridge.RunStdio", "os.Stdin", "this is the function that serves the process's own streams"},
	{"core", "Bridge.RunStdio", "os.Stdout", "this is the function that serves the process's own streams"},
}

func TestBannedCalls(t *testing.T) {
	check(t, bannedCalls)
}

func bannedCalls(p *pkg) []string {
	if p.Name == "main" {
		return nil
	}
	var bad []string
	for _, f := range p.files {
		for _, decl := range f.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if name, reason := ban(p, p.info.Uses[id]); reason != "" && !permitted(p, decl, name) {
					bad = append(bad, fmt.Sprintf("%s uses %s: %s", p.at(id), name, reason))
				}
				return true
			})
		}
	}
	return bad
}

// ban returns the name of a banned object and why it is banned.
func ban(p *pkg, obj types.Object) (name, reason string) {
	if obj == nil {
		return "", ""
	}
	from, name := "", obj.Name()
	if _, builtin := obj.(*types.Builtin); !builtin {
		if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
			return "", ""
		}
		from = obj.Pkg().Path()
		name = from + "." + name
	}
	for _, b := range bans {
		if b.pkg == from && (b.names == nil || slices.Contains(b.names, obj.Name())) && (b.only == "" || b.only == p.part()) {
			return name, b.reason
		}
	}
	return "", ""
}

func permitted(p *pkg, decl ast.Decl, name string) bool {
	fn, ok := decl.(*ast.FuncDecl)
	return ok && slices.ContainsFunc(permits, func(e permit) bool {
		return e.part == p.part() && e.function == funcName(fn) && e.name == name
	})
}

// funcName is "Name" or "Type.Name".
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	for {
		switch t := recv.(type) {
		case *ast.StarExpr:
			recv = t.X
		case *ast.IndexExpr:
			recv = t.X
		case *ast.Ident:
			return t.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

func TestMappingStartsNoGoroutine(t *testing.T) {
	check(t, goroutines)
}

func goroutines(p *pkg) []string {
	if p.part() != "mapping" {
		return nil
	}
	var bad []string
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				bad = append(bad, fmt.Sprintf("%s starts a goroutine: mapping computes and returns", p.at(g)))
			}
			return true
		})
	}
	return bad
}

func TestCallRulesCanFail(t *testing.T) {
	for _, c := range []struct {
		rule         func(*pkg) []string
		part, source string
		want         int
	}{
		{bannedCalls, "core", `package core; import "fmt"; func f() { fmt.Println() }`, 1},
		{bannedCalls, "core", `package core; import say "fmt"; func f() { say.Print() }`, 1},
		{bannedCalls, "core", `package core; import "os"; func f() string { g := os.Getenv; return g("X") }`, 1},
		{bannedCalls, "core", `package core; import "net/http"; var c = http.DefaultClient`, 1},
		{bannedCalls, "core", `package core; func f() { panic("no") }`, 1},
		{bannedCalls, "core", `package core; func f(panic func()) { panic() }`, 0},
		{bannedCalls, "main", `package main; import "fmt"; func main() { fmt.Println() }`, 0},
		{bannedCalls, "mapping", `package mapping; import "time"; var t = time.Now()`, 1},
		{bannedCalls, "core", `package core; import "time"; var t = time.Now()`, 0},
		{bannedCalls, "core", `package core; import "os"; type Bridge[T any] struct{}; func (b *Bridge[T]) RunStdio() any { return os.Stdout }`, 0},
		{goroutines, "mapping", `package mapping; func f() { go f() }`, 1},
	} {
		got := c.rule(snippet(t, c.part, c.source))
		if len(got) != c.want {
			t.Errorf("%s\ngot complaints %q, want %d", c.source, got, c.want)
		}
	}
}
