// Package lookup measures the adapters of databases, PostgreSQL's above all, which
// it does with benchmarks because the servers are those that tests start:
//
//	go test ./bench/lookup -run '^$' -bench Lookup -benchtime 5x
package lookup
