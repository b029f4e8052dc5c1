// Package architecture holds the rules on how this repository is built, as
// tests. It has no code that runs.
//
// A rule is a function from one package to complaints; each complaint says
// where, what, and the reason for the rule, so that whoever breaks one can
// judge whether the code or the rule is wrong. Exceptions are tables at the
// top of each file, with their reasons. Start with imports_test.go, which
// draws the directions of dependency.
package architecture
