// Package sqlite serves a SQLite database file, or one in memory, read-only.
//
// The file is opened read-only, and every connection that runs anything but the
// package's own introspection carries an authorizer that allows SELECT, reading
// columns and calling functions, and nothing else: no ATTACH, no PRAGMA, no
// VACUUM INTO.
package sqlite

import (
	"context"
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

// Script returns an adapter for the database that the SQL of script makes, in a
// temporary file that Close removes. Nothing is made before the first Catalog.
func Script(script string, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{script: script, timeout: timeout(o)}, o)
}

// unpack makes the file of a script. What it holds is only read afterwards.
func (e *engine) unpack() (err error) {
	f, err := os.CreateTemp("", "mcp-bridge-*.db")
	if err != nil {
		return fmt.Errorf("make database file: %w", err)
	}
	e.path = f.Name()
	if err := f.Close(); err != nil {
		return fmt.Errorf("make database file: %w", err)
	}
	db, err := sql.Open("sqlite", e.path)
	if err != nil {
		return fmt.Errorf("open database file: %w", err)
	}
	_, err = db.ExecContext(context.Background(), "PRAGMA synchronous=OFF; BEGIN; "+e.script+"; COMMIT")
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("run script: %w", err)
	}
	return nil
}

// dsn names the file read-only. A missing file is an error, not a new database.
func dsn(path string) string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: path}
	if u.Path == "" || u.Path[0] != '/' {
		u = url.URL{Scheme: "file", Opaque: url.PathEscape(path)}
	}
	return u.String() + "?mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(2000)"
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
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive, sqlite.AuthTransaction:
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

// connect opens both pools once: one for introspection, whose text is ours, and
// one, watched, for everything else.
func (e *engine) connect() error {
	e.once.Do(func() {
		if e.script != "" {
			if e.opened = e.unpack(); e.opened != nil {
				return
			}
		}
		if info, err := os.Stat(e.path); err != nil {
			e.opened = &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s cannot be opened", e.path), Next: "check the path", Err: err}
			if errors.Is(err, fs.ErrNotExist) {
				e.opened = &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s: there is no such file", e.path), Err: err}
			}
			return
		} else if info.IsDir() {
			e.opened = &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s is a folder, not a database file", e.path)}
			return
		}
		base, err := sqlite.NewConnector(dsn(e.path))
		if err != nil {
			e.opened = fmt.Errorf("open %s: %w", e.path, err)
			return
		}
		e.catalogs, e.rows = sql.OpenDB(base), sql.OpenDB(guarded{base})
		e.catalogs.SetMaxOpenConns(1)
		e.rows.SetMaxOpenConns(8)
	})
	return e.opened
}
