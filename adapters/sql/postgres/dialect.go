package postgres

import (
	"strconv"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// dialect writes PostgreSQL's SQL.
type dialect struct{}

func (dialect) Quote(identifier string) string {
	return `"` + strings.ReplaceAll(identifier, `"`, `""`) + `"`
}

// Placeholder needs no cast: the type goes with the value.
func (dialect) Placeholder(n int, _ *bridgesql.Column) string { return "$" + strconv.Itoa(n) }

// Project needs nothing: results come in the server's own text.
func (dialect) Project(quoted string, _ *bridgesql.Column) string { return quoted }

// incomparable are PostgreSQL's own types without an order or an equality.
var incomparable = map[uint32]bool{jsonOID: true, 142: true /* xml */, 600: true /* point */, 603: true /* box */, 604: true /* polygon */, 601: true /* lseg */, 602: true /* path */, 628: true /* line */, 718: true /* circle */}

func (dialect) Operand(quoted string, of *bridgesql.Column) string {
	if incomparable[of.Code] || of.Elem != nil && incomparable[of.Elem.Code] {
		return ""
	}
	return quoted
}

// Operator names the schema of an extension's type, because the search path of
// our statements does not hold it.
func (d dialect) Operator(sign string, of *bridgesql.Column) string {
	if of == nil || of.Space == "" {
		return sign
	}
	return "OPERATOR(" + d.Quote(of.Space) + "." + sign + ")"
}

func (dialect) Like(operand, placeholder string) string {
	return operand + "::text ILIKE " + placeholder
}
