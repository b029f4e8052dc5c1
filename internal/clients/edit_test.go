package clients

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An edit writes one text after another into a file. {n} in the text is the
// number of the edit.
type edit struct{ file, text string }

// patience is how long a change may take to be told before it is made again: a
// client of older revisions may begin to listen only after it has connected.
// Files are looked at every second, and told of when they have kept still.
const patience = 5 * time.Second

func (e edit) folder() string { return filepath.Dir(e.file) }

func (e edit) at(n int) string { return strings.ReplaceAll(e.text, "{n}", strconv.Itoa(n)) }

func (e edit) write(t *testing.T, n int) {
	t.Helper()
	if err := os.WriteFile(e.file, []byte(e.at(n)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// untilTold writes until the client has been told.
func (e edit) untilTold(t *testing.T, told <-chan string) (what string) {
	t.Helper()
	again := time.NewTicker(patience)
	defer again.Stop()
	for n := 1; ; n++ {
		e.write(t, n)
		select {
		case what = <-told:
			return what
		case <-again.C:
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
