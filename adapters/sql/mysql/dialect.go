package mysql

import (
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// dialect writes MySQL's SQL.
type dialect struct{}

func (dialect) Quote(identifier string) string {
	return "`" + strings.ReplaceAll(identifier, "`", "``") + "`"
}

// Placeholder casts decimals: the server would compare one with a string as
// doubles.
func (dialect) Placeholder(_ int, of *bridgesql.Column) string {
	if of != nil && of.Class == bridgesql.Decimal {
		return "CAST(? AS DECIMAL(65,30))"
	}
	return "?"
}

// Project writes geometry as text; everything else comes typed.
func (dialect) Project(quoted string, of *bridgesql.Column) string {
	if spatial(of.Type) {
		return "ST_AsText(" + quoted + ")"
	}
	return quoted
}

// Operand compares the words of an enum, not their numbers, so that sorting and
// continuing a page agree.
func (dialect) Operand(quoted string, of *bridgesql.Column) string {
	switch {
	case spatial(of.Type) || of.Type == "json":
		return ""
	case strings.HasPrefix(of.Type, "enum(") || strings.HasPrefix(of.Type, "set("):
		return "CAST(" + quoted + " AS CHAR)"
	}
	return quoted
}

func (dialect) Operator(sign string, _ *bridgesql.Column) string { return sign }

// Like follows the column's collation, which by default ignores case.
func (dialect) Like(operand, placeholder string) string { return operand + " LIKE " + placeholder }

func spatial(typ string) bool {
	switch strings.ToLower(typ) {
	case "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection", "geomcollection":
		return true
	}
	return false
}
