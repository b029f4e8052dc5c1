package postgres

import (
	"context"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"

	"github.com/jackc/pgx/v5/pgconn"
)

// Describe prepares a statement behind the gate, on a connection of its own.
func (e *engine) Describe(ctx context.Context, sql string) (params, columns []*bridgesql.Column, err error) {
	gate, err := e.admission(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	_, _, err = gate.check(sql)
	if err != nil {
		return nil, nil, err
	}
	err = e.onForeign(ctx, func(conn *pgconn.PgConn) error {
		d, err := conn.Prepare(ctx, "", sql, nil)
		if err != nil {
			return err
		}
		for _, code := range d.ParamOIDs {
			params = append(params, columnOf(code, gate.types))
		}
		for _, f := range d.Fields {
			c := columnOf(f.DataTypeOID, gate.types)
			c.Name = f.Name
			columns = append(columns, c)
		}
		return nil
	})
	return params, columns, err
}
