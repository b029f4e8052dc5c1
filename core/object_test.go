package core

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"
	"unicode/utf8"
)

// FuzzObject holds readObject against encoding/json.
func FuzzObject(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, "\t{ \"a\" : [ { \"b\" : \"}\" } ] ,\r\n \"c\":\"\\\"\" , \"\\u0061\" : null }\n", `{"a":{},"a":-1.5e+7}`, `{"":"\\"}`,
		`{"a":"x,y","b":true,"c":[1,"]",[]]}`, `[]`, `1`, `"{"`, `null`, `{"é":"\u00e9"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Skip()
		}
		var want map[string]json.RawMessage
		failed := json.Unmarshal(text, &want) != nil || string(bytes.TrimSpace(text)) == "null"
		read, ok := readObject(text)
		if ok == failed {
			t.Fatalf("%q is an object: %v", text, ok)
		}
		got := map[string]json.RawMessage{}
		for _, m := range read {
			got[string(m.name)] = read.get(string(m.name))
		}
		if ok && !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	})
}
