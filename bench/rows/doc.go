// Package rows measures rows looked up by primary key over HTTP, through
// mcp-bridge and beside it through two servers from npm and pgx, on one
// PostgreSQL; and how long each server takes to its first list, and its memory. It
// is a benchmark only, which prints figures and judges none.
package rows
