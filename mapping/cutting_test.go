package mapping

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCutJSON(t *testing.T) {
	long := strings.Repeat("x", 400)
	for _, c := range []struct {
		about, text string
		room        int
		want        string
	}{
		{"what fits stays", `{"a":[1,2,3]}`, 13, `{"a":[1,2,3]}`},
		{"the longest list goes first", `{"a":[1,2,3],"b":[10,20,30,40]}`, 25, `{"a":[1,2,3],"b":[10,20]}`},
		{"two long lists share", `[["aaaa","aaaa"],["bbbb","bbbb"]]`, 20, `[["aaaa","aaaa"]]`},
		{"one item is left", `{"a":["aaaaaaaaaa","b"]}`, 20, `{"a":["aaaaaaaaaa"]}`},
		{"texts go where lists give nothing", `{"a":[1,2],"b":"` + long + `"}`, 230, `{"a":[1,2],"b":"` + strings.Repeat("x", 230-17-3-1) + `…"}`},
		{"an escape is not split", `{"b":"` + strings.Repeat(`\n`, 200) + `"}`, 250, `{"b":"` + strings.Repeat(`\n`, (250-7-3-1)/2) + `…"}`},
		{"a pair of surrogates is not split", `"` + strings.Repeat(`\ud83d\ude00`, 40) + `"`, 210, `"` + strings.Repeat(`\ud83d\ude00`, 17) + `…"`},
		{"members go last, from the end", `{"a":1,"b":2,"c":3}`, 13, `{"a":1,"b":2}`},
		{"nothing fits", `{"abcdef":1}`, 2, `{}`},
		{"a number is not cut", `12345678901234567890`, 6, `null`},
	} {
		got := string(cutJSON([]byte(c.text), c.room).text)
		if got != c.want {
			t.Errorf("%s: %s in %d bytes = %s, want %s", c.about, c.text, c.room, got, c.want)
		}
	}
}

func TestCuttingSaysWhatIsLost(t *testing.T) {
	c := cutJSON([]byte(`{"data":{"rows":[1,2,3,4,5,6,7,8,9],"a b":[1]},"n":9}`), 45)
	if got, want := c.words(), "data.rows has its first 5 of 9 items"; got != want {
		t.Errorf("%s is said of %s, want %s", got, c.text, want)
	}
}

// A cut value is valid JSON, fits, and is a beginning of what there was.
func FuzzCutJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,{"b":"` + strings.Repeat("é", 300) + `"}],"c":null}`, `[[[1,2],[3]],"x"]`, `{"":{"":{}}}`, `"\ud800\\\""`, `-1e5`, `{"a":1,"a":[1,2]}`} {
		f.Add([]byte(seed), 40)
	}
	f.Fuzz(func(t *testing.T, text []byte, room int) {
		text = compactJSON(text)
		if text == nil || room < len("null") || room > 1<<16 {
			t.Skip()
		}
		got := cutJSON(text, room).text
		if len(got) > room {
			t.Errorf("%d bytes in a room of %d", len(got), room)
		}
		if !json.Valid(got) {
			t.Fatalf("not JSON: %s", got)
		}
		if len(text) <= room && !bytes.Equal(got, text) {
			t.Errorf("%s fits %d, and is %s", text, room, got)
		}
		whole, err := parseJSON(text)
		if err != nil {
			t.Skip()
		}
		part, err := parseJSON(got)
		if err != nil {
			t.Fatal(err)
		}
		if !begins(part, whole) {
			t.Errorf("%s is no beginning of %s", got, text)
		}
	})
}

// begins reports whether a value is a beginning of another at every depth.
func begins(part, whole any) bool {
	switch p := part.(type) {
	case *object:
		w, ok := whole.(*object)
		for _, m := range p.members {
			ok = ok && (len(w.repeated) > 0 || w.has(m.key) && begins(m.value, w.get(m.key)))
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		ok = ok && len(p) <= len(w)
		for i := range p {
			ok = ok && begins(p[i], w[i])
		}
		return ok
	case string:
		w, ok := whole.(string)
		return ok && (p == w || strings.HasSuffix(p, "…") && strings.HasPrefix(w, strings.TrimSuffix(p, "…")))
	case nil:
		switch whole.(type) {
		case *object, []any:
			return false
		}
		return true // in place of what cannot be cut
	}
	return equalJSON(part, whole)
}

func BenchmarkShapeLargeAnswer(b *testing.B) {
	item := `{"id":9007199254740993,"name":"something","tags":["a","b"],"owner":{"login":"octo","url":"https://example.test/octo"}},`
	answer := json.RawMessage("[" + strings.Repeat(item, 5<<20/len(item)) + `{}]`)
	s := Build(map[string]*Catalog{"src": {Scheme: "api", Operations: []Operation{{Key: "x", Name: "x"}}}}, Rules{})
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		if a := s.Tools()[0].Shape(&Call{}, &Result{JSON: answer}); !a.Truncated {
			b.Fatal("not truncated")
		}
	}
}

func BenchmarkShapeSmallAnswer(b *testing.B) {
	answer := json.RawMessage(`{"id":9007199254740993,"name":"something","tags":["a","b"]}`)
	s := Build(map[string]*Catalog{"src": {Scheme: "api", Operations: []Operation{{Key: "x", Name: "x"}}}}, Rules{})
	b.ReportAllocs()
	for b.Loop() {
		s.Tools()[0].Shape(&Call{}, &Result{JSON: answer})
	}
}
