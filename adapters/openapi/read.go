package openapi

import (
	"context"
	"net/url"
	"path/filepath"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// document returns the newest document, and reads it if there is none.
func (a *Adapter) document(ctx context.Context) (*document, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.doc != nil {
		return a.doc, nil
	}
	a.began = time.Now()
	doc, err := a.read(ctx)
	if err != nil {
		return nil, err
	}
	a.doc = doc
	return doc, nil
}

// read reads the document with the files that it refers to, and indexes it. The
// error is one sentence that names the document.
func (a *Adapter) read(ctx context.Context) (*document, error) {
	l, err := newLoader(a.source, a.options)
	if err != nil {
		return nil, a.source.failure(mapping.Invalid, err)
	}
	defer l.close()
	data, base, err := l.first(ctx)
	if err != nil {
		return nil, a.source.failure(mapping.Invalid, err)
	}
	root, lost, err := decode(data)
	if err != nil {
		return nil, a.source.failure(mapping.Invalid, err)
	}
	doc, err := newDocument(root, lost)
	if err != nil {
		return nil, a.source.failure(mapping.Invalid, err)
	}
	doc.base, doc.options = base, a.options
	if a.source.path != "" {
		doc.name = filepath.Base(a.source.path)
	}
	if err := l.others(ctx, doc); err != nil {
		return nil, a.source.failure(mapping.Invalid, err)
	}
	doc.index()
	return doc, nil
}

// first returns the bytes of the document itself, and its URL if it has one.
func (l *loader) first(ctx context.Context) ([]byte, *url.URL, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, contextError(err)
	}
	switch s := l.source; {
	case s.url != "":
		return l.fetch(ctx, s.url)
	case s.path != "":
		f, err := s.open()
		data, err := readFile(f, err, maxDocument)
		return data, nil, err
	case s.stream != nil:
		data, err := s.stream.read()
		return data, nil, err
	default:
		return s.bytes, nil, nil
	}
}
