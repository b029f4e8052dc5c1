package mysql

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/go-sql-driver/mysql"
)

const allowedText = "one SELECT, WITH, VALUES, TABLE, or EXPLAIN of one is allowed"

// failure words an error of the driver for a model, by the server's error number
// (MariaDB and MySQL share them). nil stays nil.
func failure(ctx context.Context, err error) error {
	var known *mapping.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if cause := ctx.Err(); cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	var server *mysql.MySQLError
	if !errors.As(err, &server) {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "the database cannot be reached", Next: "try again in a few seconds", Err: err}
	}
	e := &mapping.Error{Code: mapping.Invalid, Problem: "the database refused the statement: " + server.Message, Err: server}
	switch server.Number {
	case 1969, 3024: // max_statement_time, max_execution_time
		e.Code, e.Problem = mapping.Timeout, "the statement took longer than is allowed and was stopped"
		e.Next = "narrow the conditions, ask for fewer rows, or compare indexed columns"
	case 1205, 1213:
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the rows are locked by somebody else", "try again"
	case 1792, 1290:
		e.Code, e.Problem, e.Allowed = mapping.Denied, "the statement does more than read", allowedText
	case 1142, 1143, 1227, 1370, 1044:
		e.Code, e.Problem, e.Next = mapping.Denied, "the database does not allow it: "+server.Message, "do not retry; ask the user for access"
	case 1045, 1698, 1524, 1251:
		e.Code, e.Problem, e.Next = mapping.Unauthenticated, "the database refuses the credentials", "do not retry; ask the operator"
	case 1049:
		e.Code, e.Problem, e.Next = mapping.NotFound, "there is no such database", "do not retry; ask the operator"
	case 1040, 1203, 1226, 1053, 1152:
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the database cannot serve now", "try again in a few seconds"
	}
	return e
}
