package mysql

import (
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// TestPages walks tables of every kind of key in the order of columns of every
// kind.
func TestPages(t *testing.T) {
	srv := mytest.Start(t)
	const rest = "a INT, b VARCHAR(20), f FLOAT, g DOUBLE, d DECIMAL(40,20), at DATETIME(6), e ENUM('z','y','x','w','v'), bin VARBINARY(10), u BIGINT UNSIGNED, tm TIME(6), flags SET('q','p'), bits BIT(3)"
	order := strings.Fields("a b f g d at e bin u tm flags bits")
	values := []string{"#", "ELT(#, 'a''', 'A''', 'b', 'ü')", "# + 0.1", "# / 3", "# / 3", "'2020-01-01 00:00:00.00000#'", "#", "CHAR(#, 255)", "18446744073709551610 + #", "'-00:00:0#.5'", "MOD(#, 4)", "#"}
	tables := []struct {
		sqlkit.PagedTable
		columns string
		keys    []string
	}{
		{sqlkit.PagedTable{Name: "one", Keyed: true, Order: order}, "k BIGINT UNSIGNED PRIMARY KEY", []string{"18446744073709551615 - #"}},
		{sqlkit.PagedTable{Name: "two", Keyed: true, Order: order[:2]}, "x VARCHAR(20) NOT NULL, y INT NOT NULL, PRIMARY KEY (y, x)", []string{"CONCAT('k', MOD(#, 9))", "# DIV 9"}},
		{sqlkit.PagedTable{Name: "text_key", Keyed: true, Order: order[:2]}, "k VARCHAR(20) PRIMARY KEY", []string{"CONCAT(CHAR(65 + MOD(# * 7, 26)), '/', #)"}},
		{sqlkit.PagedTable{Name: "bin", Keyed: true, Order: order[:2]}, "k VARBINARY(20) PRIMARY KEY", []string{"CHAR(#, 0)"}},
		{sqlkit.PagedTable{Name: "enum_key", Keyed: true, Order: order[:2]}, "e1 ENUM('z','a') NOT NULL, k INT NOT NULL, UNIQUE (e1, k)", []string{"1 + MOD(#, 2)", "#"}},
		{sqlkit.PagedTable{Name: "none", Order: order[:2]}, "k INT", []string{"#"}},
	}
	var fill []string
	for _, table := range tables {
		fill = append(fill, "CREATE TABLE "+table.Name+"(n INT, "+reorder(table.columns, rest)+")")
		fill = append(fill, sqlkit.PagedInsert(table.Name, table.keys, values)...)
	}
	prepare(t, srv, fill)
	a := Open(srv.DSN("root", "shop"), bridgesql.Options{Tables: "generic"})
	defer a.Close()
	for _, table := range tables {
		sqlkit.Pages(t, a, "shop", table.PagedTable)
	}
}

// reorder puts the constraints of a table after all its columns.
func reorder(columns, rest string) string {
	for _, constraint := range []string{", PRIMARY KEY (", ", UNIQUE ("} {
		if i := strings.Index(columns, constraint); i >= 0 {
			return columns[:i] + ", " + rest + columns[i:]
		}
	}
	return columns + ", " + rest
}
