package openapi

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A server may write a credential that it echoes in any way that JSON allows (RFC
// 8259 section 7).
func TestEchoesAreHiddenHoweverTheyAreWritten(t *testing.T) {
	var s secrets
	s.add("ab/cd+ef<g>é'h")
	for _, c := range []struct{ body, want string }{
		{`{"a":"x ab/cd+ef<g>é'h y"}`, `{"a":"x [hidden] y"}`},
		{`{"a":"x ab\/cd+ef<g>é'h y", "b": 1.50}`, `{"a":"x [hidden] y", "b": 1.50}`},
		{`["\u0061b/cd\u002bef\u003Cg\u003e\u00e9\u0027h","\ud800","\/",2]`, `["[hidden]","\ud800","\/",2]`},
		{`{"ab\/cd+ef<g>é'h":"\n"}`, `{"[hidden]":"\n"}`},
		{`{"a":"{\"t\":\"ab\\\/cd+ef<g>\\u00e9'h\"}"}`, `{"a":"{\"t\":\"[hidden]\"}"}`},
		{"{\"a\":\"ab\\/cd+ef<g>é'h\"}\n{\"b\":\"\\t\"}\n", "{\"a\":\"[hidden]\"}\n{\"b\":\"\\t\"}\n"},
		{`{"a":"ab\/cd+ef`, `{"a":"ab\/cd+ef`},
		{`\" "\`, `\" "\`},
		{`"`, `"`},
		{``, ``},
	} {
		if got := string(s.hide([]byte(c.body))); got != c.want {
			t.Errorf("hide(%s) = %s, want %s", c.body, got, c.want)
		}
	}
}

// An echo is hidden in what is shown, in whatever charset or markup it came.
func TestEchoesAreHiddenInWhatIsShown(t *testing.T) {
	const key = "ké&y<17>tail"
	wide := func(text string) string {
		out := []byte{0xfe, 0xff}
		for _, unit := range utf16.Encode([]rune(text)) {
			out = append(out, byte(unit>>8), byte(unit))
		}
		return string(out)
	}
	for _, c := range []struct {
		name, media, body string
		status            int
	}{
		{"JSON in UTF-16", "application/json; charset=utf-16", wide(`{"a":"` + key + `"}`), 200},
		{"a text in UTF-16", "text/plain; charset=utf-16", wide("it is " + key), 200},
		{"a text in Latin-1", "text/plain; charset=iso-8859-1", "it is k\xe9&y<17>tail", 200},
		{"a failure in UTF-16", "text/plain; charset=utf-16", wide("it is " + key), 400},
		{"a page", "text/html", "<p>it is k&#233;&amp;y&lt;17>tail</p>", 400},
		{"a page that is the answer", "text/html", "<p>it is ké&amp;y&lt;17&gt;tail</p>", 200},
		{"a URL in small letters", "text/plain", "it is /x?key=k%c3%a9%26y%3c17%3etail", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.media)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			a := New(Bytes([]byte(callerSpec)), Options{Handler: api, Credentials: map[string]string{"own": key}})
			if _, err := a.Catalog(t.Context()); err != nil {
				t.Fatal(err)
			}
			res, err := a.Call(t.Context(), mapping.Call{Key: "GET /own", Budget: 60_000, MaxBytes: 1 << 20})
			shown := ""
			var failed *mapping.Error
			if errors.As(err, &failed) {
				shown = failed.Detail
			}
			if res != nil {
				shown += string(res.JSON)
				for _, b := range res.Blocks {
					shown += b.Text
				}
			}
			if !strings.Contains(shown, hidden) || strings.Contains(shown, "tail") {
				t.Errorf("the answer shows %q", shown)
			}
		})
	}
}
