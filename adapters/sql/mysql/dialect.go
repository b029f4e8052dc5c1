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

// Placeholder casts what the server would otherwise compare as something else: a
// decimal as a double, a float with a double's digits, and the digits of a bit
// value as a decimal number.
func (dialect) Placeholder(_ int, of *bridgesql.Column) string {
	switch {
	case of == nil:
		return "?"
	case of.Class == bridgesql.Decimal:
		return "CAST(? AS DECIMAL(65,30))"
	case strings.HasPrefix(of.Type, "float"):
		return "CAST(? AS FLOAT)"
	case of.Type == "bit" || strings.HasPrefix(of.Type, "bit("):
		return "CAST(CONV(?, 2, 10) AS UNSIGNED)"
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
