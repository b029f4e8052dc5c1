package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"nobody wants this\n"}
{"Action":"pass","Package":"p","Test":"TestGood","Elapsed":0}
{"Action":"output","Package":"p","Test":"TestBad","Output":"    p_test.go:7: got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestBad","Elapsed":0}
{"Action":"output","Package":"p","Test":"TestLater","Output":"=== RUN   TestLater\n"}
{"Action":"output","Package":"p","Test":"TestLater","Output":"    p_test.go:9: no corpus\n"}
{"Action":"output","Package":"p","Test":"TestLater","Output":"--- SKIP: TestLater (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestLater","Elapsed":0}
{"Action":"output","Package":"p","Output":"panic: by the way\n"}
{"Action":"fail","Package":"p","Elapsed":1.25}
go: something else
`
	var out strings.Builder
	file := filepath.Join(t.TempDir(), "counts")
	if err := run(strings.NewReader(events), &out, file); err != nil {
		t.Fatal(err)
	}
	const want = `FAIL p TestBad
    p_test.go:7: got 1, want 2
skip p TestLater: p_test.go:9: no corpus
FAIL p 1.2s
panic: by the way
go: something else
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	counts, err := os.ReadFile(file)
	if err != nil || string(counts) != "1 1 1\n" {
		t.Errorf("got counts %q, %v, want 1 1 1", counts, err)
	}
}
