// Package filewatch tells when files on disk have changed. It looks at them from
// time to time, which finds out about every change on every file system: network
// mounts, folders that a container shares, and files that are replaced by links
// or renames, of which the notices of an operating system tell little.
package filewatch

import (
	"context"
	"os"
	"time"
)

const (
	// every is how long it takes at most until a change is seen, and then as long
	// again until the files have kept still.
	every = time.Second
	// slack is by how much the clock of a file system may be behind ours.
	slack = 100 * time.Millisecond
)

// Files are the files to look at, as they were read at a moment.
type Files struct {
	Names []string
	// Read is when reading began: what changed after it may not have been seen.
	Read time.Time
}

// Watch calls changed whenever one of the files may be another than what was
// read, once all have kept still for a moment. Files is asked before each look,
// since what was read may lead to other files. Watch returns when ctx ends.
func Watch(ctx context.Context, files func() Files, changed func()) {
	w := &watch{seen: map[string]os.FileInfo{}}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if w.look(files()) {
			changed()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// A watch is what the last look saw; nil is a file that is not there.
type watch struct {
	seen    map[string]os.FileInfo
	differs bool // something is not as it was read
}

// look reports whether something differs and has been the same at two looks: a
// writer may be at work.
func (w *watch) look(files Files) bool {
	moved := false
	now := make(map[string]os.FileInfo, len(files.Names))
	for _, name := range files.Names {
		before, known := w.seen[name]
		after := stat(name)
		now[name] = after
		if known {
			moved = moved || !same(before, after)
			continue
		}
		// How it was when it was read nobody knows, only when it changed.
		moved = moved || after != nil && after.ModTime().After(files.Read.Add(-slack))
	}
	w.seen = now
	settled := w.differs && !moved
	w.differs = moved || w.differs && !settled
	return settled
}

// stat returns nil for what is no file that can be read again, such as a pipe.
func stat(name string) os.FileInfo {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}
