package main

import (
	"go/ast"
	"go/token"
	"regexp"

	"golang.org/x/tools/go/analysis"
)

// exception matches a comment that excuses its line from one analyser, and says
// why.
var exception = regexp.MustCompile(`^//nolint:(\w+) // \S`)

// allowExceptions makes an analyser silent on lines that excuse themselves.
func allowExceptions(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			if !excused(pass, d.Pos) {
				report(d)
			}
		}
		return run(pass)
	}
}

// excused reports whether the line of a position has an exception for the
// pass's analyser.
func excused(pass *analysis.Pass, pos token.Pos) bool {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return excusedIn(pass, f, pass.Fset.Position(pos).Line)
		}
	}
	return false
}

func excusedIn(pass *analysis.Pass, f *ast.File, line int) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			m := exception.FindStringSubmatch(c.Text)
			if m != nil && m[1] == pass.Analyzer.Name && pass.Fset.Position(c.Pos()).Line == line {
				return true
			}
		}
	}
	return false
}
