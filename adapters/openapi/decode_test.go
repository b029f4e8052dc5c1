package openapi

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestDecodeYAML(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"digits", "a: 1.10\nb: 9007199254740993\nc: 1e400", `{"a":1.10,"b":9007199254740993,"c":1e400}`},
		{"numbers JSON cannot write", "a: +1\nb: .5\nc: 1.\nd: 007\ne: 0x1F\nf: 0o17\ng: -.5e+3", `{"a":1,"b":0.5,"c":1,"d":7,"e":31,"f":15,"g":-0.5e+3}`},
		{"texts in the core schema", "a: yes\nb: on\nc: 2024-01-01\nd: 1_000\ne: =\nf: .inf\ng: 12:30", `{"a":"yes","b":"on","c":"2024-01-01","d":"1_000","e":"=","f":".inf","g":"12:30"}`},
		{"null and booleans", "a:\nb: ~\nc: True\nd: 'true'\ne: !!str 1", `{"a":null,"b":null,"c":true,"d":"true","e":"1"}`},
		{"keys", "200: a\ntrue: b\n'': c", `{"200":"a","true":"b","":"c"}`},
		{"alias", "a: &x {b: [1]}\nc: *x", `{"a":{"b":[1]},"c":{"b":[1]}}`},
		{"merge", "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x", `{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}`},
		{"merge of two", "a:\n  <<: [{b: 1}, {b: 2, c: 3}]", `{"a":{"b":1,"c":3}}`},
		{"repeated key", "a: 1\nb: 2\na: 3", `{"a":3,"b":2}`},
		{"directive and second document", "%YAML 1.2\n---\na: 1\n---\nb: 2", `{"a":1}`},
		{"block texts", "a: |\n  x\ty\n  \"z\"\nb: >-\n  one\n  two", `{"a":"x\ty\n\"z\"\n","b":"one two"}`},
		{"JSON with comments and a trailing comma", "{\n  # no\n  \"a\": [1,],\n}", `{"a":[1]}`},
		{"tabs between tokens of JSON", "{\t\"a\":\t1 }", `{	"a":	1 }`},
		{"carriage returns only", "a: 1\rb: 2\r", `{"a":1,"b":2}`},
		{"UTF-8 with a mark", "\xef\xbb\xbfa: é", `{"a":"é"}`},
		{"UTF-16, little end first", "\xff\xfea\x00:\x00 \x00=\xd8\x00\xde", `{"a":"😀"}`},
		{"UTF-16, big end first", "\xfe\xff\x00a\x00:\x00 \x001", `{"a":1}`},
		{"not UTF-8", "a: \"caf\xe9\"", `{"a":"caf` + "\ufffd" + `"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := decode([]byte(c.yaml))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestDecodeSaysRepeatedKeys(t *testing.T) {
	_, lost, err := decode([]byte("a:\n  b/c: 1\n  b/c: 2\n"))
	if err != nil || len(lost) != 1 {
		t.Fatalf("decisions %v, error %v, want one decision", lost, err)
	}
	if lost[0].Where != "/a/b~1c" || !strings.Contains(lost[0].Why, "line 3") {
		t.Errorf("decision %+v, want /a/b~1c and line 3 in it", lost[0])
	}
}

func TestDecodeErrors(t *testing.T) {
	laughs := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'k'; c++ {
		p := string(c - 1)
		laughs += string(c) + ": &" + string(c) + " [*" + strings.TrimSuffix(strings.Repeat(p+",*", 10), ",*") + "]\n"
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", " \n", "it is empty"},
		{"HTML", "<!doctype html><title>Sign in</title>", "it is HTML, not an OpenAPI document; perhaps a page that asks who you are, or one about the document"},
		{"XML", "<?xml version='1.0'?><wsdl/>", "it is XML, not an OpenAPI document"},
		{"gRPC", "syntax = \"proto3\";\npackage x;", "it is a gRPC service definition (protobuf), not an OpenAPI document"},
		{"binary", "PK\x03\x04\x00\x00", "it is a binary file, not an OpenAPI document"},
		{"JSON", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: there should be a comma or '}' instead of '\"'"},
		{"JSON cut off", "{\"a\": [1, ", "line 1, column 10: the document stops in the middle"},
		{"YAML tab", "a:\n\tb: 1\n", "line 2, column 1: a value cannot begin with this character"},
		{"YAML", "a: b: c\n", "line 1, column 5: mapping values are not allowed"},
		{"billion laughs", laughs, "anchors are repeated more than 10000 times"},
		{"cycle", "a: &x [*x]\n", "deep"},
		{"merge cycle", "a: &x\n  <<: *x\n", "anchors are repeated"},
		{"deep YAML", strings.Repeat("[", 2000) + "x" + strings.Repeat("]", 2000), "values nest more than 500 deep"},
		{"deep JSON", strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), "values nest more than 500 deep"},
		{"list as key", "? [a]\n: 1\n", "line 1: a key must be a text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, _, err := decode([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "a\"b\\c", "\x00\x1f\n\t\r", "é😀\u2028<&>", "\ufffd"} {
		var got string
		if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != s {
			t.Errorf("%q came back as %q, %v", s, got, err)
		}
	}
	if got := string(appendString(nil, "a\xffb")); got != `"a\ufffdb"` {
		t.Errorf("a stray byte is written %s", got)
	}
}
