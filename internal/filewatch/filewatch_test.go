package filewatch_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
)

// A watched is a folder of which some files are watched.
type watched struct {
	t       *testing.T
	dir     string
	mu      sync.Mutex
	files   filewatch.Files
	changed int
}

// watching runs f while the files a and b of a folder are watched. Time is that
// of a bubble, which begins in 2000: to the files everything is in the future.
func watching(t *testing.T, f func(w *watched)) {
	synctest.Test(t, func(t *testing.T) {
		w := &watched{t: t, dir: t.TempDir()}
		for _, name := range []string{"a", "b"} {
			w.write(name, name, time.Unix(1000, 0))
			w.files.Names = append(w.files.Names, filepath.Join(w.dir, name))
		}
		w.files.Read = time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			filewatch.Watch(ctx, func() filewatch.Files {
				w.mu.Lock()
				defer w.mu.Unlock()
				return w.files
			}, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.changed++
			})
		}()
		synctest.Wait()
		f(w)
		cancel()
		<-ended
	})
}

func (w *watched) write(name, text string, at time.Time) {
	w.t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Chtimes(file, at, at); err != nil {
		w.t.Fatal(err)
	}
}

// after lets time pass and says how often a change was told.
func (w *watched) after(d time.Duration) int {
	time.Sleep(d)
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.changed
	w.changed = 0
	return n
}

func TestWatch(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *watched)
		times  int
	}{
		{"nothing", func(*watched) {}, 0},
		{"another size", func(w *watched) { w.write("a", "longer", time.Unix(1000, 0)) }, 1},
		{"another time", func(w *watched) { w.write("b", "b", time.Unix(1001, 0)) }, 1},
		{"both", func(w *watched) { w.write("a", "x", time.Unix(5, 0)); w.write("b", "y", time.Unix(5, 0)) }, 1},
		{"another file", func(w *watched) { w.write("c", "c", time.Unix(1001, 0)) }, 0},
		{"removed", func(w *watched) { os.Remove(w.files.Names[0]) }, 1},
		{"replaced by one of the same size and time", func(w *watched) {
			w.write("c", "c", time.Unix(1000, 0))
			if err := os.Rename(filepath.Join(w.dir, "c"), w.files.Names[0]); err != nil {
				t.Fatal(err)
			}
		}, 1},
		{"replaced by a link", func(w *watched) {
			w.write("c", "cc", time.Unix(1000, 0))
			if err := os.Symlink("c", filepath.Join(w.dir, "link")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(w.dir, "link"), w.files.Names[0]); err != nil {
				t.Fatal(err)
			}
		}, 1},
		{"removed and written again", func(w *watched) {
			os.Remove(w.files.Names[0])
			if n := w.after(10 * time.Second); n != 1 {
				t.Errorf("a file that is removed is told %d times", n)
			}
			w.write("a", "a", time.Unix(1000, 0))
		}, 1},
		{"read later, and changed since", func(w *watched) {
			w.write("c", "c", time.Now())
			w.mu.Lock()
			w.files = filewatch.Files{Names: append(w.files.Names, filepath.Join(w.dir, "c")), Read: time.Now()}
			w.mu.Unlock()
		}, 1},
		{"read later, and not changed since", func(w *watched) {
			w.write("c", "c", time.Unix(1000, 0))
			w.mu.Lock()
			w.files = filewatch.Files{Names: append(w.files.Names, filepath.Join(w.dir, "c")), Read: time.Now()}
			w.mu.Unlock()
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			watching(t, func(w *watched) {
				c.change(w)
				if n := w.after(10 * time.Second); n != c.times {
					t.Errorf("told %d times, want %d", n, c.times)
				}
				if n := w.after(time.Hour); n != 0 {
					t.Errorf("told %d times of nothing", n)
				}
			})
		})
	}
}

// As long as a writer is at work nothing is told.
func TestWatchWaitsUntilFilesKeepStill(t *testing.T) {
	watching(t, func(w *watched) {
		for i := range 10 {
			w.write("a", "a", time.Unix(int64(i), 0))
			if n := w.after(time.Second); n != 0 {
				t.Errorf("told %d times while a file is written", n)
			}
		}
		if n := w.after(10 * time.Second); n != 1 {
			t.Errorf("told %d times, want once", n)
		}
	})
}
