// Command lint runs the analysers that neither go vet nor staticcheck has:
//
//	errorlint      errors are compared with errors.Is and errors.As
//	bodyclose      bodies of HTTP responses are closed
//	sqlclosecheck  rows and statements are closed
//	rowserrcheck   rows are asked for their error
//	noctx          requests and queries carry a context
//	sloglint       log lines have constant messages and no loose keys
//	exhaustive     switches over an enumeration name every value
//
// An exception says so on its line, with the reason:
//
//	//nolint:errorlint // the error itself is wanted, not what it wraps
package main

import (
	"github.com/jingyugao/rowserrcheck/passes/rowserr"
	"github.com/nishanths/exhaustive/passes/exhaustive"
	"github.com/polyfloyd/go-errorlint/errorlint"
	"github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/sonatard/noctx"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"go-simpler.org/sloglint"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
)

func main() {
	// A switch with a default is exhaustive, and an enumeration of another module
	// may grow without us.
	set(exhaustive.Analyzer, "d", "true")
	set(exhaustive.Analyzer, "typeonly", "^github.com/mcp-bridge/mcp-bridge/")
	analyzers := []*analysis.Analyzer{
		errorlint.NewAnalyzer(),
		bodyclose.Analyzer,
		analyzer.NewAnalyzer(),
		rowserr.NewAnalyzer(),
		noctx.Analyzer,
		sloglint.New(&sloglint.Options{NoGlobalLogger: "all", StaticMessage: true, NoMixedArguments: true}),
		exhaustive.Analyzer,
	}
	for _, a := range analyzers {
		allowExceptions(a)
	}
	multichecker.Main(analyzers...)
}

// set sets a flag that the analyser is known to have.
func set(a *analysis.Analyzer, name, value string) {
	if err := a.Flags.Set(name, value); err != nil {
		panic("lint: " + err.Error())
	}
}
