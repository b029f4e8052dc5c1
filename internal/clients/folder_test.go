package clients

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// folderCommand makes the test binary a server whose resources change as soon as
// a test wants it: of the kinds of the command only GitHub's resources tell of
// changes, and GitHub is asked once a minute.
const folderCommand = "serve-folder"

// serveFolder serves the files of a folder, over stdio or, with --http, at an
// address which it writes to stderr.
func serveFolder(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	files := &folder{dir: args[0]}
	files.Fake = &adaptertest.Fake{
		Offer: mapping.Catalog{Scheme: "folder", Resources: []mapping.Resource{{Path: "{name}", Name: "file", Text: "A file."}}},
		Reads: map[string]adaptertest.ReadFunc{"{name}": files.read},
	}
	bridge, err := core.New(core.Options{Name: "folder"}, core.Sources{"notes": files})
	if err != nil {
		return err
	}
	defer bridge.Close()
	if len(args) == 1 {
		return bridge.RunStdio(ctx)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", args[2])
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", bridge.Handler())
	mux.Handle("/sse", bridge.SSEHandler())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() {
		bridge.Close() // which ends the streams
		server.Close()
	})
	fmt.Fprintf(os.Stderr, "http://%s/mcp\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// A folder is a source whose files are resources that can be watched.
type folder struct {
	*adaptertest.Fake
	dir string
}

func (f *folder) read(_ context.Context, r mapping.Read) (*mapping.Result, error) {
	text, err := os.ReadFile(filepath.Join(f.dir, filepath.Base(r.Vars["name"])))
	if err != nil {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such file", Err: err}
	}
	return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: string(text)}}}, nil
}

// Watch calls changed when one file has changed.
func (f *folder) Watch(ctx context.Context, path string, _ mapping.Caller, changed func()) error {
	if path == "" {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "the catalog never changes"}
	}
	files := filewatch.Files{Names: []string{filepath.Join(f.dir, filepath.Base(path))}, Read: time.Now()}
	filewatch.Watch(ctx, func() filewatch.Files { return files }, changed)
	return ctx.Err()
}
