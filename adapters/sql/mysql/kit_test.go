package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

func TestKit(t *testing.T) {
	srv := mytest.Start(t)
	db, err := sql.Open("mysql", srv.DSN("root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, text := range append([]string{"CREATE DATABASE shop", "USE shop"}, append(strings.Split(sqlkit.Schema, ";\n"),
		"CREATE USER reader IDENTIFIED BY 'secret-of-the-reader'", "GRANT SELECT ON shop.* TO reader")...) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	state := func(ctx context.Context) (state string, err error) {
		err = db.QueryRowContext(ctx, "SELECT CONCAT((SELECT SUM(CRC32(CONCAT_WS('|', id, name, note))) FROM customers), (SELECT SUM(CRC32(CONCAT_WS('|', customer, code, amount))) FROM items))").Scan(&state)
		return state, err
	}
	slow := `"SELECT COUNT(*) FROM information_schema.COLUMNS a, information_schema.COLUMNS b, information_schema.COLUMNS c, information_schema.COLUMNS d"`
	h := sqlkit.Harness("shop", slow, func(context.Context) (*adaptertest.Subject, error) {
		return &adaptertest.Subject{Adapter: Open(srv.DSN("reader:secret-of-the-reader", "shop"), bridgesql.Options{}), State: state}, nil
	})
	h.Secrets = []string{"secret-of-the-reader"}
	h.Addresses = []string{fmt.Sprintf("127.0.0.1:%d", srv.Port)}
	adaptertest.Run(t, h)
}
