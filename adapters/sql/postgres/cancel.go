package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// How often a server is asked to stop a statement, and for how long. A backend
// that is between two messages of a pipeline ignores a request, so one may not do.
const (
	askEvery   = 100 * time.Millisecond
	askForLong = 2 * time.Second
)

// cancellable runs do on the connection. When ctx ends, the statement is stopped
// on the server, and the connection stays whole; it is abandoned only if the
// server does not stop.
func cancellable(ctx context.Context, conn *pgconn.PgConn, do func(context.Context) error) error {
	inner, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	finished, asked := make(chan struct{}), make(chan struct{})
	unused := context.AfterFunc(ctx, func() {
		defer close(asked)
		askToStop(ctx, conn, finished)
		abandon()
	})
	err := do(inner)
	close(finished)
	if !unused() {
		<-asked // a late request must not meet the connection's next statement
	}
	return err
}

// askToStop sends cancel requests until the statement has ended, or for a while.
func askToStop(ctx context.Context, conn *pgconn.PgConn, finished <-chan struct{}) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askForLong)
	defer cancel()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		_ = conn.CancelRequest(ctx) // asked again if it did not arrive
		select {
		case <-finished:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
