package mapping

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readTarget is a resource with a plain text type, in a surface that passes on
// 200 bytes of text and 4 of anything else.
func readTarget(t *testing.T) *Target {
	t.Helper()
	s := Build(map[string]*Catalog{"docs": {Scheme: "api", Resources: []Resource{{Path: "readme", Name: "readme", MIME: "text/markdown"}}}},
		Rules{ResultBytes: 200, BlobBytes: 4})
	target, err := s.Resolve("api://docs/readme")
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestContents(t *testing.T) {
	const uri = "api://docs/readme"
	for _, c := range []struct {
		about  string
		result Result
		want   []Block
	}{
		{"nothing is an empty text", Result{},
			[]Block{{Kind: TextResource, URI: uri, MIME: "text/markdown"}}},
		{"an empty text stays one", Result{Blocks: []Block{{Kind: Text}}},
			[]Block{{Kind: TextResource, URI: uri, MIME: "text/markdown"}}},
		{"a text has the resource's type", Result{Blocks: []Block{{Kind: Text, Text: "# x"}}},
			[]Block{{Kind: TextResource, URI: uri, MIME: "text/markdown", Text: "# x"}}},
		{"a block's own type and URI win", Result{Blocks: []Block{{Kind: TextResource, Text: "x", MIME: "text/x", URI: "other"}}},
			[]Block{{Kind: TextResource, URI: "api://docs/other", MIME: "text/x", Text: "x"}}},
		{"latin text becomes valid", Result{Blocks: []Block{{Kind: Text, Text: "gr\xfc\xdfe"}}},
			[]Block{{Kind: TextResource, URI: uri, MIME: "text/markdown", Text: "gr\uFFFDe"}}},
		{"JSON is a text, digits and all", Result{JSON: []byte(`[1.0, 9007199254740993]`)},
			[]Block{{Kind: TextResource, URI: uri, MIME: "application/json", Text: "[1.0,9007199254740993]"}}},
		{"an image is a blob", Result{Blocks: []Block{{Kind: Image, Data: []byte("\x89PNG"), MIME: "image/png"}}},
			[]Block{{Kind: Blob, URI: uri, MIME: "image/png", Data: []byte("\x89PNG")}}},
		{"a link is a text", Result{Blocks: []Block{{Kind: Link, Text: "More", URI: "more"}}},
			[]Block{{Kind: TextResource, URI: uri, MIME: "text/plain", Text: "More api://docs/more"}}},
		{"a list is cut and stays a list", Result{JSON: []byte(`["` + strings.Repeat("a", 100) + `","` + strings.Repeat("b", 100) + `"]`)},
			[]Block{
				{Kind: TextResource, URI: uri, MIME: "application/json", Text: `["` + strings.Repeat("a", 100) + `"]`},
				{Kind: TextResource, URI: uri, MIME: "text/plain", Text: "This answer is truncated: the list has its first 1 of 2 items."},
			}},
		{"a text is cut", Result{Blocks: []Block{{Kind: Text, Text: strings.Repeat("ä", 200)}}},
			[]Block{
				{Kind: TextResource, URI: uri, MIME: "text/markdown", Text: strings.Repeat("ä", 75)},
				{Kind: TextResource, URI: uri, MIME: "text/plain", Text: "This answer is truncated: the text has its first 1"},
			}},
	} {
		t.Run(c.about, func(t *testing.T) {
			got, err := readTarget(t).Shape(&c.result)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("contents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestContentsRefuseLargeBytes(t *testing.T) {
	_, err := readTarget(t).Shape(&Result{Blocks: []Block{{Kind: Blob, Data: []byte("12345")}}})
	var e *Error
	if !errors.As(err, &e) || e.Code != Exhausted {
		t.Errorf("five bytes of four: %v, want code %s", err, Exhausted)
	}
}

func TestReadFailuresKeepTheirCode(t *testing.T) {
	target := readTarget(t)
	got := target.ShapeError(&Error{Code: NotFound, Problem: "there is no readme", Next: "call [[gone]]"})
	if got.Code != NotFound || got.Error() != "there is no readme" {
		t.Errorf("a worded failure: %s %q", got.Code, got.Error())
	}
	got = target.ShapeError(errors.New("dial tcp 10.0.0.1: refused"))
	if got.Code != Internal || strings.Contains(got.Error(), "10.0.0.1") {
		t.Errorf("a plain failure: %s %q", got.Code, got.Error())
	}
}
