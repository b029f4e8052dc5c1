package mysql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// killTimeout bounds the stopping of a statement on the server.
const killTimeout = time.Second

// A session is one connection and what stops the statement that it runs.
type session struct {
	*sql.Conn
	// stop ends the statement on the server, or else the connection.
	stop func(context.Context)
}

// session runs do on one connection. When ctx ends, the statement is stopped: the
// driver alone would close its socket and leave the server at work.
func (e *engine) session(ctx context.Context, pool *sql.DB, do func(context.Context, session) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		if s := pool.Stats(); errors.Is(err, context.DeadlineExceeded) && s.InUse >= s.MaxOpenConnections && s.MaxOpenConnections > 0 {
			return &mapping.Error{Code: mapping.Exhausted, Problem: "all connections to the database are busy", Next: "try again in a few seconds", Err: err}
		}
		return failure(ctx, err)
	}
	defer conn.Close()
	var id int64
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		return failure(ctx, err)
	}
	inner, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	stop := func(ctx context.Context) {
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
		defer cancel()
		if _, err := e.beside(pool).ExecContext(limit, "KILL QUERY "+strconv.FormatInt(id, 10)); err != nil {
			abandon()
		}
	}
	finished, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-finished:
			return
		case <-ctx.Done():
		}
		late := time.AfterFunc(killTimeout, abandon)
		defer late.Stop()
		stop(ctx)
		<-finished
	}()
	err = do(inner, session{conn, stop})
	close(finished)
	<-stopped // so that a late KILL cannot meet the connection's next user
	return failure(ctx, err)
}

// beside is the pool to stop a statement of the other one from, which may be full
// of what is to be stopped.
func (e *engine) beside(pool *sql.DB) *sql.DB {
	if pool == e.pool && e.foreign != nil {
		return e.foreign
	}
	return e.pool
}

// Query runs a statement of ours.
func (e *engine) Query(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	if err := e.connect(ctx); err != nil {
		return err
	}
	args, err := bind(s)
	if err != nil {
		return err
	}
	s.Text = e.bounded(s.Text)
	return e.session(ctx, e.pool, func(ctx context.Context, conn session) error {
		return inTransaction(ctx, conn, func() error { return rows(ctx, conn, s, args, sink) })
	})
}

// bounded limits the time of a generated SELECT where the session is not ours to
// set.
func (e *engine) bounded(text string) string {
	switch {
	case e.given == nil:
		return text
	case e.mariadb:
		return fmt.Sprintf("SET STATEMENT max_statement_time=%.3f FOR %s", e.timeout().Seconds(), text)
	}
	return fmt.Sprintf("SELECT /*+ MAX_EXECUTION_TIME(%d) */ %s", e.timeout().Milliseconds(), text[len("SELECT "):])
}

// inTransaction begins a read-only transaction and rolls it back. A connection that
// may still be within one goes back to nobody; an answer is none the worse for it.
func inTransaction(ctx context.Context, conn session, do func() error) error {
	if _, err := conn.ExecContext(ctx, "START TRANSACTION READ ONLY"); err != nil {
		return err
	}
	err := do()
	if _, failed := conn.ExecContext(ctx, "ROLLBACK"); failed != nil {
		return errors.Join(err, drop(conn))
	}
	return err
}

// drop closes the connection under conn instead of pooling it.
func drop(conn session) error {
	err := conn.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// rows runs one prepared statement: the server takes exactly one, and its values
// come typed.
func rows(ctx context.Context, conn session, s bridgesql.Statement, args []any, sink bridgesql.Sink) error {
	stmt, err := conn.PrepareContext(ctx, s.Text)
	if err != nil {
		return err
	}
	defer stmt.Close()
	found, err := stmt.QueryContext(ctx, args...) //nolint:rowserrcheck // Pour checks it
	if err != nil {
		return err
	}
	defer found.Close()
	err = bridgesql.Pour(found, s.MaxRows, sink, describing(s.Columns), encode)
	if found.Next() {
		// Close would read all that is left, whatever the deadline.
		conn.stop(ctx)
		for found.Next() {
		}
	}
	return err
}

// Foreign runs a model's statement behind the gate, on a connection that is
// closed afterwards.
func (e *engine) Foreign(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	args, err := bind(s)
	if err != nil {
		return err
	}
	return e.foreignly(ctx, s.Text, len(args), func(ctx context.Context, conn session) error {
		return inTransaction(ctx, conn, func() error { return rows(ctx, conn, s, args, sink) })
	})
}

func (e *engine) foreignly(ctx context.Context, text string, params int, do func(context.Context, session) error) error {
	if err := e.connect(ctx); err != nil {
		return err
	}
	if e.foreign == nil {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "ad-hoc SQL is not served over this connection", Next: "use the find, get and count tools"}
	}
	if err := e.gate.check(text, params); err != nil {
		return err
	}
	return e.session(ctx, e.foreign, func(ctx context.Context, conn session) error {
		return errors.Join(do(ctx, conn), drop(conn))
	})
}

// Describe prepares a statement behind the gate; the driver does not tell the
// types of its parameters.
func (e *engine) Describe(ctx context.Context, text string) (params, columns []*bridgesql.Column, err error) {
	err = e.foreignly(ctx, text, -1, func(ctx context.Context, conn session) error {
		stmt, err := conn.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		return stmt.Close() //nolint:sqlclosecheck // preparing it was the check
	})
	return nil, nil, err
}
