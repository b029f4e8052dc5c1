package postgres

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed audit.sql
var auditSQL string

// privileges are what the role could do beyond reading.
type privileges struct {
	Role                                       string
	Superuser, Bypass, CreateRole, Replication bool
	Member, Writes, Creates, Remote            []string
	Servers, Unforced                          []string
}

// Audit asks the server what the role could do beyond reading.
func (e *engine) Audit(ctx context.Context) ([]mapping.Finding, error) {
	var p privileges
	err := e.onPool(ctx, e.settings(false), step{text: auditSQL, rows: func(r *pgconn.ResultReader) error {
		for r.NextRow() {
			if err := json.Unmarshal(r.Values()[0], &p); err != nil {
				return fmt.Errorf("read privileges: %w", err)
			}
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	return p.findings(), nil
}

// readerRole is the mend of most findings.
const readerRole = `connect as a role that can only read: CREATE ROLE bridge LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA public TO bridge; GRANT SELECT ON ALL TABLES IN SCHEMA public TO bridge; ALTER ROLE bridge SET default_transaction_read_only = on; REVOKE CREATE ON SCHEMA public FROM PUBLIC`

func (p privileges) findings() []mapping.Finding {
	var found []mapping.Finding
	add := func(bad bool, text, mend string) {
		if bad {
			found = append(found, mapping.Finding{Text: text, Mend: mend})
		}
	}
	add(p.Superuser, "the role "+p.Role+" is a superuser", readerRole)
	add(p.Bypass && !p.Superuser, "the role "+p.Role+" bypasses row-level security", "ALTER ROLE "+p.Role+" NOBYPASSRLS")
	add(p.CreateRole && !p.Superuser, "the role "+p.Role+" may create roles", "ALTER ROLE "+p.Role+" NOCREATEROLE")
	add(p.Replication && !p.Superuser, "the role "+p.Role+" may replicate", "ALTER ROLE "+p.Role+" NOREPLICATION")
	add(len(p.Member) > 0 && !p.Superuser, "the role "+p.Role+" is a member of "+strings.Join(p.Member, ", "), "REVOKE these from it")
	add(len(p.Writes) > 0 && !p.Superuser, "the role "+p.Role+" may write to "+strings.Join(p.Writes, ", "), readerRole)
	add(len(p.Creates) > 0 && !p.Superuser, "the role "+p.Role+" may create objects in the schemas "+strings.Join(p.Creates, ", "), "REVOKE CREATE ON SCHEMA "+strings.Join(p.Creates, ", ")+" FROM PUBLIC, "+p.Role)
	add(len(p.Remote) > 0, "the role "+p.Role+" may open connections to other databases with "+strings.Join(p.Remote, ", "), "REVOKE EXECUTE ON FUNCTION … FROM PUBLIC, or DROP EXTENSION dblink")
	add(len(p.Servers) > 0, "the role "+p.Role+" may use the foreign servers "+strings.Join(p.Servers, ", "), "REVOKE USAGE ON FOREIGN SERVER … FROM PUBLIC, "+p.Role)
	add(len(p.Unforced) > 0, "row-level security does not bind the role "+p.Role+", which owns "+strings.Join(p.Unforced, ", "), "ALTER TABLE … FORCE ROW LEVEL SECURITY")
	if found == nil {
		found = append(found, mapping.Finding{OK: true, Text: "the role " + p.Role + " can only read"})
	}
	return found
}
