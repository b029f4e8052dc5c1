// Package lookup measures the PostgreSQL adapter, which it does with benchmarks
// because the server is one that tests start:
//
//	go test ./bench/lookup -run '^$' -bench Lookup -benchtime 5x
package lookup
