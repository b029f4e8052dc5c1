package openapi

import (
	"context"
	"path/filepath"

	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Watch calls changed when a document on disk or a file that it refers to may
// have changed. What is answered by the API or comes from the web is not watched.
func (a *Adapter) Watch(ctx context.Context, path string, _ mapping.Caller, changed func()) error {
	if path != "" || a.source.path == "" {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "changes of this are not announced"}
	}
	filewatch.Watch(ctx, a.watched, changed)
	return ctx.Err()
}

// watched returns the files that the newest document was read from, and those
// that it refers to and that could not be read.
func (a *Adapter) watched() filewatch.Files {
	a.mu.Lock()
	defer a.mu.Unlock()
	files := filewatch.Files{Names: []string{a.source.path}, Read: a.began}
	if a.doc == nil {
		return files
	}
	for name := range a.doc.files {
		files.Names = append(files.Names, a.source.onDisk(name)...)
	}
	for name := range a.doc.unread {
		files.Names = append(files.Names, a.source.onDisk(name)...)
	}
	return files
}

// onDisk returns the path of a file that a document refers to, none if that is
// the document itself or on the web.
func (s Document) onDisk(name string) []string {
	if name == "" || isURL(name) {
		return nil
	}
	local := filepath.FromSlash(name)
	if !filepath.IsAbs(local) {
		local = filepath.Join(filepath.Dir(s.path), local)
	}
	return []string{local}
}
