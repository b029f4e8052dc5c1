package mysql

import (
	"context"
	"errors"
	"fmt"
	"regexp"

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
	if errors.As(err, &server) {
		return worded(server)
	}
	switch {
	case errors.Is(err, mysql.ErrNoTLS):
		return &mapping.Error{Code: mapping.Unsupported, Problem: "the database does not offer TLS, which the connection string asks for", Next: "do not retry; ask the operator", Err: err}
	case errors.Is(err, mysql.ErrCleartextPassword), errors.Is(err, mysql.ErrNativePassword), errors.Is(err, mysql.ErrOldPassword), errors.Is(err, mysql.ErrUnknownPlugin):
		return &mapping.Error{Code: mapping.Unauthenticated, Problem: "the database asks for the password in a way that the connection string does not allow", Next: "do not retry; ask the operator", Err: err}
	}
	return &mapping.Error{Code: mapping.Unavailable, Problem: "the database cannot be reached", Next: "try again in a few seconds", Err: err}
}

// account is how the server's sentences name who is connected, and from where.
var account = regexp.MustCompile(`'[^']*'@'[^']*'`)

func worded(server *mysql.MySQLError) error {
	said := account.ReplaceAllString(server.Message, "this user")
	e := &mapping.Error{Code: mapping.Invalid, Problem: "the database refused the statement: " + said, Err: server}
	switch server.Number {
	case 1969, 3024: // max_statement_time, max_execution_time
		e.Code, e.Problem = mapping.Timeout, "the statement took longer than is allowed and was stopped"
		e.Next = "narrow the conditions, ask for fewer rows, or compare indexed columns"
	case 1205, 1213:
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the rows are locked by somebody else", "try again"
	case 1792, 1290:
		e.Code, e.Problem, e.Allowed = mapping.Denied, "the statement does more than read", allowedText
	case 1142, 1143, 1227, 1370, 1044:
		e.Code, e.Problem, e.Next = mapping.Denied, "the database does not allow it: "+said, "do not retry; ask the user for access"
	case 1045, 1698, 1524, 1251:
		e.Code, e.Problem, e.Next = mapping.Unauthenticated, "the database refuses the credentials", "do not retry; ask the operator"
	case 1049:
		e.Code, e.Problem, e.Next = mapping.NotFound, "there is no such database", "do not retry; ask the operator"
	case 1040, 1203, 1226:
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the database has as many connections as it may", "try again in a few seconds"
	case 1317, 1927: // KILL QUERY, KILL
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the statement was stopped on the server", "try again in a few seconds"
	case 1053, 1152:
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the database cannot serve now", "try again in a few seconds"
	}
	return e
}
