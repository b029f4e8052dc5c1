// Package sqlite serves a SQLite database file, or one in memory, read-only.
//
// The file is opened read-only, and every connection that runs anything but the
// package's own introspection carries an authorizer that allows SELECT, reading
// columns and calling functions, and nothing else: no ATTACH, no PRAGMA, no
// VACUUM INTO.
package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"modernc.org/sqlite"
)

// Open returns an adapter for the database file at path. Nothing is opened
// before the first Catalog; a file that is not there is its error.
func Open(path string, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{path: path, timeout: timeout(o)}, o)
}

func timeout(o bridgesql.Options) time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return 10 * time.Second
}

// Script returns an adapter for the database that the SQL of script makes in
// memory. Nothing is made before the first Catalog.
func Script(script string, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{script: script, timeout: timeout(o)}, o)
}

// unpack makes the database of a script in SQLite's own store of named databases
// in memory, which the connections of a process share. A file would be left
// behind by a process that is killed.
func (e *engine) unpack(ctx context.Context) (err error) {
	e.path = "/" + rand.Text()
	if e.memory, err = sql.Open("sqlite", "file:"+e.path+"?vfs=memdb"); err != nil {
		return fmt.Errorf("open database in memory: %w", err)
	}
	e.memory.SetMaxOpenConns(1)
	if _, err := e.memory.ExecContext(ctx, "BEGIN; "+e.script+"; COMMIT"); err != nil {
		return fmt.Errorf("run script: %w", err)
	}
	return nil
}

// find reports whether the file is there.
func (e *engine) find() error {
	switch info, err := os.Stat(e.path); {
	case errors.Is(err, fs.ErrNotExist):
		return &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s: there is no such file", e.path), Err: err}
	case err != nil:
		return &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s cannot be opened", e.path), Next: "check the path", Err: err}
	case info.IsDir():
		return &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s is a folder, not a database file", e.path)}
	}
	return nil
}

// dsn names the database read-only. A missing file is an error, not a new
// database.
func (e *engine) dsn() string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: e.path}
	if u.Path == "" || u.Path[0] != '/' {
		u = url.URL{Scheme: "file", Opaque: url.PathEscape(e.path)}
	}
	text := u.String() + "?mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(2000)"
	if e.script != "" {
		text += "&vfs=memdb"
	}
	return text
}

// guarded opens connections that an authorizer watches.
type guarded struct{ driver.Connector }

func (g guarded) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := g.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	r, ok := c.(sqlite.AuthorizerRegisterer)
	if !ok {
		return nil, errors.Join(errors.New("the driver has no authorizer"), c.Close())
	}
	if err := r.RegisterAuthorizer(allow); err != nil {
		return nil, errors.Join(fmt.Errorf("install authorizer: %w", err), c.Close())
	}
	return c, nil
}

// allow is the whole policy: what it does not name is denied when a statement is
// compiled.
func allow(action sqlite.AuthorizerActionCode, _, function, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if !refusedFunctions[function] {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}

// refusedFunctions reach outside the database.
var refusedFunctions = map[string]bool{"load_extension": true, "readfile": true, "writefile": true, "edit": true, "fts3_tokenizer": true}

// The connections to a file, apart so that slow SQL of a model's own does not take
// the place of lookups.
const (
	ownConns     = 8
	foreignConns = 4
)

// connect makes the pools once: one for introspection, whose text is ours, and
// two, watched, for everything else.
func (e *engine) connect() error {
	e.once.Do(func() {
		if e.script != "" {
			e.opened = e.unpack(context.Background())
		} else {
			e.opened = e.find()
		}
		if e.opened != nil {
			return
		}
		base, err := sqlite.NewConnector(e.dsn())
		if err != nil {
			e.opened = fmt.Errorf("open %s: %w", e.path, err)
			return
		}
		e.catalogs, e.rows, e.foreign = sql.OpenDB(base), sql.OpenDB(guarded{base}), sql.OpenDB(guarded{base})
		e.catalogs.SetMaxOpenConns(1)
		e.rows.SetMaxOpenConns(ownConns)
		e.foreign.SetMaxOpenConns(foreignConns)
	})
	return e.opened
}
