// Package repos measures the GitHub adapter, which it does with benchmarks because
// the GitHub that it asks is one that tests start:
//
//	go test ./bench/repos -run '^$' -bench . -benchtime 3s
package repos
