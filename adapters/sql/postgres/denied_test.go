package postgres

import (
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

func TestDenied(t *testing.T) {
	srv := pgtest.Start(t)
	execute(t, connect(t, srv.DSN("postgres", "postgres")), strings.ReplaceAll(sqlkit.DeniedSchema, "CONCAT_OP", "ssn || '*'"))
	for _, tables := range []string{"generic", "each"} {
		t.Run(tables, func(t *testing.T) {
			a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Deny: sqlkit.Deny(), Tables: tables})
			defer a.Close()
			sqlkit.Denied(t, a, "public")
		})
	}
}
