//go:build unix

package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody reads, or not to its end, keeps nobody waiting, and a line
// that was cut off does not run into the next.
func TestLinesIntoAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openLines(name); err == nil || err.Error() != "this is a pipe that nobody reads" {
		t.Fatalf("without a reader: %v", err)
	}
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	lines, err := openLines(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := lines.settle(); err != nil {
		t.Errorf("a pipe, which has no disk to wait for, fails to settle: %v", err)
	}
	if err := lines.add(bytes.Repeat([]byte("x"), 1<<20)); err == nil { // more than a pipe holds
		t.Fatal("nobody has read, and the line is said to be written")
	}
	drain := func() string {
		var all []byte
		part := make([]byte, 64<<10)
		for {
			n, err := syscall.Read(fd, part)
			if n <= 0 || err != nil {
				return string(all)
			}
			all = append(all, part[:n]...)
		}
	}
	if torn := drain(); torn == "" || strings.Trim(torn, "x") != "" {
		t.Fatalf("the pipe held %.20q", torn)
	}
	for range 2 {
		if err := lines.add([]byte("whole")); err != nil {
			t.Error(err)
		}
	}
	if got := drain(); got != "\nwhole\nwhole\n" {
		t.Errorf("then it held %q", got)
	}
}

// The start says what is wrong with such a file, and does not wait for ever.
func TestServeWithAPipeThatNobodyReads(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	config := write(t, dir, "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "audit": {"file": "pipe"}}`)
	for _, c := range []struct{ about, flag, value string }{
		{"audit.file: " + pipe, "--log-level", "info"},
		{"--trace " + pipe, "--trace", pipe},
	} {
		file := config
		if c.flag == "--trace" {
			file = write(t, dir, "plain.json", `{"sources": {"shop": {"kind": "demo-api"}}}`)
		}
		var said strings.Builder
		p := &process{in: strings.NewReader(""), out: io.Discard, err: &said, lookup: func(string) (string, bool) { return "", false }}
		code := p.run([]string{"serve", "--config", file, c.flag, c.value})
		if want := c.about + ": this is a pipe that nobody reads"; code != 1 || !strings.Contains(said.String(), want) {
			t.Errorf("ends with %d and says %q, want %q", code, said.String(), want)
		}
	}
}
