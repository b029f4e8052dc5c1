package mapping

import (
	"bytes"
	"encoding/json"
	"testing"
)

// What is decoded and written again is the same JSON: encoding/json reads both
// alike, and numbers keep their digits.
func FuzzTree(f *testing.F) {
	for _, seed := range []string{
		`{"b":1,"a":[true,false,null,{}],"":"\u00e9\n\"\\/\u2028"}`, `[1.50,-0,1e400,9007199254740993]`, ` "x" `, `"\ud83d\ude00\ud800"`, "\"\x7f\"", `[`, `{"a":1,"a":2}`, "\xff", `nul`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := parseJSON(text)
		if err != nil {
			if json.Valid(text) && bytes.Equal(bytes.ToValidUTF8(text, nil), text) {
				t.Errorf("%q is refused: %v", text, err)
			}
			return
		}
		again := appendJSON(nil, v)
		var want, got any
		for _, side := range []struct {
			text []byte
			into *any
		}{{text, &want}, {again, &got}} {
			d := json.NewDecoder(bytes.NewReader(side.text))
			d.UseNumber()
			if err := d.Decode(side.into); err != nil {
				t.Fatalf("%q of %q: %v", side.text, text, err)
			}
		}
		if a, b := marshal(t, want), marshal(t, got); a != b {
			t.Errorf("%q is written as %q: %s, want %s", text, again, b, a)
		}
	})
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTreeKeepsOrderAndTellsRepeatedNames(t *testing.T) {
	v, err := parseJSON([]byte(`{"z":1,"a":{"k":1,"k":2},"z":3}`))
	if err != nil {
		t.Fatal(err)
	}
	o := v.(*object)
	if got, want := string(appendJSON(nil, v)), `{"z":3,"a":{"k":2}}`; got != want {
		t.Errorf("written as %s, want %s", got, want)
	}
	if len(o.repeated) != 1 || o.repeated[0] != "z" {
		t.Errorf("repeated names %q, want z", o.repeated)
	}
}
