package openapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzNode compares the scanner and the walk with encoding/json.
func FuzzNode(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,"x\\\"y",{"b":null}],"a":true}`, ` [ ] `, `"\ud83d\ude00"`, `{"a" : {} , "b":[[]]}`,
		`01`, `{"a":}`, `[1,]`, `"\u12g4"`, `tru`, "\"a\nb\"", `{"a":1}x`, `-`, `"\\"`, `1.`, `0e`, `{"":0}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		deep := bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxDepth
		if !utf8.Valid(data) {
			t.Skip("decode makes it UTF-8 first")
		}
		if got, want := checkJSON(data) == nil, json.Valid(data); got != want && !deep {
			t.Fatalf("checkJSON(%q) passes: %v, encoding/json: %v", data, got, want)
		}
		if checkJSON(data) != nil {
			return
		}
		var want any
		if json.Unmarshal(data, &want) != nil {
			t.Skip("no Go value, as a number out of range")
		}
		if got := decoded(bytes.TrimSpace(data)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q reads as %#v, want %#v", data, got, want)
		}
	})
}

// decoded is what a node holds, as encoding/json would give it.
func decoded(n node) any {
	switch n.kind() {
	case '{':
		m := map[string]any{}
		for k := range n.members() {
			m[k] = decoded(n.get(k))
		}
		return m
	case '[':
		a := []any{}
		for _, v := range n.items() {
			a = append(a, decoded(v))
		}
		return a
	}
	var v any
	if json.Unmarshal(n, &v) != nil {
		return "not JSON: " + string(n)
	}
	return v
}

func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	err := checkJSON([]byte(deep))
	if err == nil || !strings.Contains(err.Error(), "500 deep") {
		t.Errorf("2,000 levels: %v, want a sentence about the depth", err)
	}
}
