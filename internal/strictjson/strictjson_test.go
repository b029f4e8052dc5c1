package strictjson

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type pet struct {
	Name string        `json:"name"`
	Age  int           `json:"age,omitempty"`
	Wait word          `json:"wait,omitempty"`
	Tags []string      `json:"tags,omitempty"`
	Nick *string       `json:"nick,omitempty"`
	Tame bool          `json:"tame,omitempty"`
	Rest *Value        `json:"rest,omitempty"`
	Born time.Time     `json:"born,omitzero"`
	Food map[string]at `json:"food,omitempty"`
	at
}

type at struct {
	Place string `json:"place,omitempty"`
	Legs  legs   `json:"legs,omitempty"`
}

// legs come in pairs.
type legs int

func (l legs) Check() error {
	if l%2 != 0 {
		return fmt.Errorf("must be even, not %d", l)
	}
	return nil
}

// A word is short.
type word string

func (w *word) UnmarshalText(b []byte) error {
	if len(b) > 3 {
		return fmt.Errorf("%q has more than 3 letters", b)
	}
	*w = word(b)
	return nil
}

func TestDecode(t *testing.T) {
	v, err := Parse("pet.json", []byte("\xef\xbb\xbf"+`{"name": "Rex", "age": 9007199254740993, "wait": "abc", "tags": ["a", "b"], "nick": "",
		"tame": true, "born": "2026-11-30T00:00:00Z", "food": {"b.c": {"place": "bowl"}}, "place": "yard"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got pet
	if err := v.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := pet{
		Name: "Rex", Age: 9007199254740993, Wait: "abc", Tags: []string{"a", "b"}, Tame: true, Nick: new(string),
		Born: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Food: map[string]at{"b.c": {Place: "bowl"}}, at: at{Place: "yard"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(pet{}, at{})); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", " \n", `f:1:1: there is nothing here; the least is {}`},
		{"syntax", "{\n  \"name\": x}", `f:2:11: this is not JSON: invalid character 'x' looking for beginning of value`},
		{"comma at the end", "{\"tags\": [1,\n]}", `f:2:1: this is not JSON: a comma stands before this ]; take it out`},
		{"cut off", `{"name": "Rex"`, `f:1:15: this is not JSON: unexpected end of JSON input`},
		{"text after the end", "{}\n{}", `f:2:1: this is not JSON: invalid character '{' after top-level value`},
		{"not UTF-8", "{\"name\": \"é\xff\"}", `f:1:12: this is not UTF-8 text; save it as UTF-8`},
		{"UTF-16", "\xff\xfe{\x00}\x00", `f:1:1: this is UTF-16 text; save it as UTF-8`},
		{"unknown key", "{\n\t\"nmae\": \"Rex\"}", `f:2:2: unknown key "nmae"; did you mean "name"?`},
		{"wrong case", `{"Name": "Rex"}`, `f:1:2: unknown key "Name"; did you mean "name"?`},
		{"unknown key like none", `{"food": {"x": {"quantity": 1}}}`, `f:1:17: food.x: unknown key "quantity"; the keys here are place, legs`},
		{"key twice", "{\"name\": \"a\",\n \"name\": \"b\"}", `f:2:2: key "name" stands twice, the first time on line 1`},
		{"key twice below", `{"food": {"x": {"place": "1", "place": "2"}}}`, `f:1:31: food.x: key "place" stands twice, the first time on line 1`},
		{"wrong type", `{"food": {"a.b": {"place": 3}}}`, `f:1:28: food["a.b"].place: must be a string, not 3`},
		{"list for object", `[]`, `f:1:1: must be an object, not a list`},
		{"item", `{"tags": ["a", null]}`, `f:1:16: tags[1]: must be a string, not null`},
		{"fraction", `{"age": 1.5}`, `f:1:9: age: must be a whole number of at most 64 bits, not 1.5`},
		{"large", `{"age": 9223372036854775808}`, `f:1:9: age: must be a whole number of at most 64 bits, not 9223372036854775808`},
		{"number as text", `{"age": "7"}`, `f:1:9: age: must be a number, not the string "7"`},
		{"null", `{"tame": null}`, `f:1:10: tame: must be true or false, not null`},
		{"null for a pointer", `{"nick": null}`, `f:1:10: nick: must be a string, not null`},
		{"refused text", `{"wait": "long"}`, `f:1:10: wait: "long" has more than 3 letters`},
		{"checked", `{"legs": 3}`, `f:1:10: legs: must be even, not 3`},
		{"columns are characters", `{"name": "é", "agee": 1}`, `f:1:15: unknown key "agee"; did you mean "age"?`},
		{"all at once", "{\"a\": 1,\n\"age\": \"x\"}", "f:1:2: unknown key \"a\"; the keys here are name, age, wait, tags, nick, tame, rest, born, food, place, legs\n" +
			`f:2:8: age: must be a number, not the string "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := Parse("f", []byte(c.text))
			if err == nil {
				err = v.Decode(new(pet))
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestErrorHasItsPlace(t *testing.T) {
	_, err := Parse("f", []byte("{\n]"))
	var e *Error
	if !errors.As(err, &e) || e.Name != "f" || e.Line != 2 || e.Column != 1 {
		t.Errorf("got %#v, want an *Error at f:2:1", err)
	}
}

func TestReplace(t *testing.T) {
	v, err := Parse("f", []byte(`{"name": "N", "tags": ["keep", "T"], "food": {"N": {"place": "bad"}}, "wait": "W", "born": "W", "age": "W"}`))
	if err != nil {
		t.Fatal(err)
	}
	swap := map[string]string{"N": "new", "T": "tag", "W": "hidden secret"}
	err = v.Replace(func(s string) (string, error) {
		if s == "bad" {
			return "", os.ErrNotExist
		}
		if to, ok := swap[s]; ok {
			return to, nil
		}
		return s, nil
	})
	if want := `f:1:62: food.N.place: file does not exist`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	var got pet
	err = v.Decode(&got)
	if got.Name != "new" || strings.Join(got.Tags, " ") != "keep tag" {
		t.Errorf("got name %q and tags %q, want new and keep tag", got.Name, got.Tags)
	}
	if _, kept := got.Food["N"]; !kept {
		t.Errorf("a key was replaced: %v", got.Food)
	}
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("three values do not fit, and none must show: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"name": "Rex", "food": {"a.b": {"place": "bowl"}}, "tags": ["x", null]}`))
	f.Add([]byte("{\"name\": \"\\ud800\",\n\"name\": 1e400} x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse("f", data)
		if err != nil {
			return
		}
		_ = v.Decode(new(pet))
		_ = v.Replace(func(s string) (string, error) { return s + "x", nil })
	})
}
