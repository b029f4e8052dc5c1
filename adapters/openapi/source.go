package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Document says where an OpenAPI document is. The zero Document is an empty one.
type Document struct {
	path, url string
	bytes     []byte
	stream    *stream
}

// File is a document on disk. It is read again at every Catalog, and may refer to
// other files below its folder.
func File(path string) Document { return Document{path: path} }

// URL is a document on the web, fetched again at every Catalog. It may refer to
// other files on its own host.
func URL(url string) Document { return Document{url: url} }

// Reader is a document that is read once, at the first Catalog: standard input,
// say.
func Reader(r io.Reader) Document { return Document{stream: &stream{from: r}} }

// Bytes is a document in memory, which must not change afterwards.
func Bytes(b []byte) Document { return Document{bytes: b} }

// A stream is a reader whose bytes are kept for the next time.
type stream struct {
	once sync.Once
	from io.Reader
	data []byte
	err  error
}

func (s *stream) read() ([]byte, error) {
	s.once.Do(func() {
		s.data, s.err = io.ReadAll(io.LimitReader(s.from, maxDocument+1))
	})
	return s.data, s.err
}

// name is the document in an operator's words.
func (s Document) name() string {
	switch {
	case s.path != "":
		return s.path
	case s.url != "":
		return withoutSecrets(s.url)
	}
	return "the document"
}

// failure says which document an error is about. One that has a code keeps it.
func (s Document) failure(code mapping.Code, err error) error {
	var e *mapping.Error
	if errors.As(err, &e) {
		code = e.Code
	}
	return &mapping.Error{Code: code, Problem: s.name() + ": " + err.Error(), Err: err}
}

// open opens the document on disk.
func (s Document) open() (*os.File, error) { return os.Open(s.path) }

// folder opens the folder of a document on disk. What is opened below it cannot
// lead outside, by links or otherwise.
func (s Document) folder() (*os.Root, error) { return os.OpenRoot(filepath.Dir(s.path)) }

// readFile reads at most limit bytes of a file, and closes it.
func readFile(f *os.File, err error, limit int) ([]byte, error) {
	if err != nil {
		return nil, openError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, openError(err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a directory; name the document in it")
	}
	if info.Size() > int64(limit) {
		return nil, fmt.Errorf("it is larger than %d MB", limit>>20)
	}
	// A pipe or a device has no size, so the limit holds while reading too.
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(f, int64(limit)+1)); err != nil {
		return nil, openError(err)
	}
	return data.Bytes(), nil
}

// openError says why a file cannot be read, without its path.
func openError(err error) error {
	code, text := mapping.Invalid, err.Error()
	var e *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code, text = mapping.NotFound, "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		code, text = mapping.Denied, "this process may not read it"
	case errors.As(err, &e):
		text = e.Err.Error()
	}
	return &mapping.Error{Code: code, Problem: text, Err: err}
}
