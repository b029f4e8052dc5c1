// Command tally reads the events of go test -json and shows what a person wants
// of them: each package, what failed with all that it printed, and what was
// skipped and why. Into the file that is its argument it writes how many tests
// passed, failed and were skipped.
//
//	go test -json ./... | tally counts.txt
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ./... | tally FILE")
		os.Exit(2)
	}
	if err := run(os.Stdin, os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, file string) error {
	t := &tally{out: out, printed: map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			t.line(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile(file, fmt.Appendf(nil, "%d %d %d\n", t.passed, t.failed, t.skipped), 0o644)
}

// An event is one line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string
	Elapsed    float64
	Output     string
}

// A tally is what the events so far amount to.
type tally struct {
	out                     io.Writer
	printed                 map[string]*strings.Builder // by package and test
	passed, failed, skipped int
}

func (t *tally) line(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		fmt.Fprintf(t.out, "%s", line) // what the go command itself says
		return
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		t.keep(key, e.Output)
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.endPackage(e)
		} else {
			t.endTest(e)
		}
		delete(t.printed, key)
	}
}

func (t *tally) keep(key, text string) {
	if t.printed[key] == nil {
		t.printed[key] = &strings.Builder{}
	}
	t.printed[key].WriteString(text)
}

func (t *tally) endTest(e event) {
	switch e.Action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
		fmt.Fprintf(t.out, "FAIL %s %s\n%s", e.Package, e.Test, t.said(e))
	case "skip":
		t.skipped++
		fmt.Fprintf(t.out, "skip %s %s: %s\n", e.Package, e.Test, reason(t.said(e)))
	}
}

func (t *tally) endPackage(e event) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(t.out, "ok   %s %.1fs\n", e.Package, e.Elapsed)
	case "fail":
		fmt.Fprintf(t.out, "FAIL %s %.1fs\n%s", e.Package, e.Elapsed, t.said(e))
	}
}

func (t *tally) said(e event) string {
	if b := t.printed[e.Package+" "+e.Test]; b != nil {
		return b.String()
	}
	return ""
}

// reason is what a skipped test printed, without the lines that go test adds.
func reason(said string) string {
	var kept []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " ")
}
