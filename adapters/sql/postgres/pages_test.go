package postgres

import (
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

// TestPages walks tables of every kind of key in the order of columns of every
// kind.
func TestPages(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TYPE mood AS ENUM ('z', 'y', 'x', 'w', 'v')")
	const rest = "a int, b text, f real, g double precision, d numeric, at timestamptz, e mood, bin bytea, u uuid, span interval, c char(5), yes boolean, xs int[]"
	order := strings.Fields("a b f g d at e bin u span c yes xs")
	values := []string{"#", "(ARRAY['a''', 'A''', 'b', 'ü'])[#]", "(ARRAY['0.1', 'NaN', 'Infinity', '-0'])[#]::real", "#::float8 / 3", "(ARRAY[1::numeric/3, 'NaN', '1e50', 0])[#]", "(ARRAY['infinity', '2020-01-01 00:00:00.000001Z', '-infinity', '0044-03-15 BC'])[#]::timestamptz", "(ARRAY['z', 'y', 'x', 'w'])[#]::mood", "decode('ff0#', 'hex')", "('018f0000-0000-7000-8000-00000000000' || #)::uuid", "make_interval(months => #, secs => 0.5)", "'#'", "# > 2", "ARRAY[#, 1]"}
	tables := []struct {
		sqlkit.PagedTable
		columns string
		keys    []string
	}{
		{sqlkit.PagedTable{Name: "one", Keyed: true, Order: order}, "k bigint PRIMARY KEY", []string{"9223372036854775807 - #"}},
		{sqlkit.PagedTable{Name: "two", Keyed: true, Order: order[:2]}, "x text, y int, PRIMARY KEY (y, x)", []string{"'k' || # % 9", "# / 9"}},
		{sqlkit.PagedTable{Name: "text_key", Keyed: true, Order: order[:2]}, "k text PRIMARY KEY", []string{"chr(65 + # * 7 % 26) || '/' || #"}},
		{sqlkit.PagedTable{Name: "bin", Keyed: true, Order: order[:2]}, "k bytea PRIMARY KEY", []string{"decode(lpad(to_hex(#), 2, '0') || '00', 'hex')"}},
		{sqlkit.PagedTable{Name: "at_key", Keyed: true, Order: order[:2]}, "k timestamptz PRIMARY KEY", []string{"timestamptz '2020-01-01' + # * interval '1 microsecond'"}},
		{sqlkit.PagedTable{Name: "float_key", Keyed: true, Order: order[:2]}, "k real PRIMARY KEY", []string{"#::real + 0.1::real"}},
		{sqlkit.PagedTable{Name: "none", Order: order[:2]}, "k int", []string{"#"}},
	}
	for _, table := range tables {
		columns, constraint, _ := strings.Cut(table.columns, ", PRIMARY KEY (")
		columns += ", " + rest
		if constraint != "" {
			columns += ", PRIMARY KEY (" + constraint
		}
		execute(t, witness, "CREATE TABLE "+table.Name+"(n int, "+columns+")")
		execute(t, witness, strings.Join(sqlkit.PagedInsert(table.Name, table.keys, values), ";"))
	}
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Tables: "generic"})
	defer a.Close()
	for _, table := range tables {
		sqlkit.Pages(t, a, "public", table.PagedTable)
	}
}
