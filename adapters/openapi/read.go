package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// document returns the newest document, and reads it if there is none.
func (a *Adapter) document(ctx context.Context) (*document, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.doc != nil {
		return a.doc, nil
	}
	doc, err := a.source.read(ctx)
	if err != nil {
		return nil, err
	}
	a.doc = doc
	return doc, nil
}

// read reads and indexes the document. The error is one sentence that names it.
func (s Document) read(ctx context.Context) (*document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, err := s.load()
	if err != nil {
		return nil, s.failure(mapping.NotFound, err)
	}
	root, lost, err := decode(data)
	if err != nil {
		return nil, s.failure(mapping.Invalid, err)
	}
	doc, err := newDocument(root, lost)
	if err != nil {
		return nil, s.failure(mapping.Invalid, err)
	}
	return doc, nil
}

// load returns the bytes of the document.
func (s Document) load() ([]byte, error) {
	if s.path == "" {
		return s.bytes, nil
	}
	f, err := os.Open(s.path)
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
	if info.Size() > maxDocument {
		return nil, fmt.Errorf("it is larger than %d MB", maxDocument>>20)
	}
	// A pipe or a device has no size, so the limit holds while reading too.
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(f, maxDocument+1)); err != nil {
		return nil, openError(err)
	}
	return data.Bytes(), nil
}

// openError says why a file cannot be read, without its path.
func openError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("this process may not read it")
	}
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// failure names the document that an error is about.
func (s Document) failure(code mapping.Code, err error) error {
	name := s.path
	if name == "" {
		name = "the document"
	}
	return &mapping.Error{Code: code, Problem: name + ": " + err.Error(), Err: err}
}
