package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// closeTimeout bounds the farewell to a server that may be gone.
const closeTimeout = 2 * time.Second

// failure words an error of the driver for a model. The server's own sentence is
// kept where it is about the statement; where it is about the connection it may
// name hosts and users, and goes to the log only. nil stays nil.
func failure(ctx context.Context, err error) error {
	var known *mapping.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if cause := ctx.Err(); cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	var large *pgproto3.ExceededMaxBodyLenErr
	if errors.As(err, &large) {
		return &mapping.Error{Code: mapping.Exhausted, Problem: fmt.Sprintf("one row is larger than the %d MiB that are allowed", maxMessage>>20), Next: "leave the large columns out, or ask for a part of them", Err: err}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		e := worded(pg)
		e.Err = err // of a connection it also says whose and where to
		return e
	}
	return &mapping.Error{Code: mapping.Unavailable, Problem: "the database cannot be reached", Next: "try again in a few seconds", Err: err}
}

// worded decides by SQLSTATE (PostgreSQL documentation, appendix A).
func worded(pg *pgconn.PgError) *mapping.Error {
	e := &mapping.Error{Code: mapping.Internal, Problem: "the database failed: " + pg.Message}
	switch class := pg.Code[:min(2, len(pg.Code))]; {
	case pg.Code == "57014":
		e.Code, e.Problem = mapping.Timeout, "the statement took longer than is allowed and was stopped"
		e.Next = "narrow the conditions, ask for fewer rows, or compare indexed columns"
	case pg.Code == "55P03":
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the rows are locked by somebody else", "try again"
	case pg.Code == "42501":
		e.Code, e.Problem = mapping.Denied, "the database does not allow it: "+pg.Message
		e.Next = "do not retry; ask the user for access"
	case pg.Code == "25006" || pg.Code == "25001" || pg.Code == "2D000":
		e.Code, e.Problem, e.Allowed = mapping.Denied, "the statement does more than read: "+pg.Message, allowedText
	case pg.Code == "42601" && strings.Contains(pg.Message, "multiple commands"):
		e.Code, e.Problem, e.Allowed = mapping.Denied, "the text holds more than one statement", allowedText
	case pg.Routine == "transformDeclareCursorStmt":
		e.Code, e.Problem, e.Allowed = mapping.Denied, "the statement does more than read", allowedText
	case pg.Routine == "exec_bind_message": // 08P01, which PgBouncer says of itself too
		e.Code, e.Problem, e.Next = mapping.Invalid, "the statement has another number of placeholders than there are params", "give one value for each of $1, $2 and so on"
	case pg.Code == "42601":
		e.Code, e.Problem, e.Allowed = mapping.Invalid, "the database refused the statement: "+place(pg), allowedText
	case class == "28":
		e.Code, e.Problem, e.Next = mapping.Unauthenticated, "the database refuses the credentials", "do not retry; ask the operator"
	case class == "3D":
		e.Code, e.Problem, e.Next = mapping.NotFound, "there is no such database", "do not retry; ask the operator"
	case pg.Code == "53300":
		e.Code, e.Problem, e.Next = mapping.Exhausted, "the database has no connection free", "try again in a few seconds"
	case class == "53" || class == "57" || class == "08":
		e.Code, e.Problem, e.Next = mapping.Unavailable, "the database cannot serve now", "try again in a few seconds"
	case class == "42" || class == "22" || class == "21" || class == "0A" || class == "23" || class == "34" || class == "54" || class == "P0":
		e.Code, e.Problem, e.Next = mapping.Invalid, "the database refused the statement: "+place(pg), pg.Hint
	}
	return e
}

func place(pg *pgconn.PgError) string {
	if pg.Position > 0 {
		return fmt.Sprintf("%s (at character %d)", pg.Message, pg.Position)
	}
	return pg.Message
}
