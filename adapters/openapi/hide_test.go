package openapi

import "testing"

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
