package mysql

import (
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

func TestDenied(t *testing.T) {
	srv := mytest.Start(t)
	prepare(t, srv, strings.Split(strings.ReplaceAll(sqlkit.DeniedSchema, "CONCAT_OP", "CONCAT(ssn, '*')"), ";\n"))
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Deny: sqlkit.Deny(), Tables: "generic"})
	defer a.Close()
	sqlkit.Denied(t, a, "shop")
}
