// Package lookup measures the PostgreSQL adapter, which it does as a benchmark
// because the server is one that tests start:
//
//	go test ./bench/lookup -run '^$' -bench . -benchtime 5x
package lookup
