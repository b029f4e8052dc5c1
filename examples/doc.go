// Package examples holds the programs of the README, as examples that the tests
// run.
package examples
