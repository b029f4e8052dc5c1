package strictjson

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Decode fills what into points at. It takes structs (by their json tags, exact
// case, embedded ones flattened), maps with string keys, slices, pointers,
// strings, booleans, integers, encoding.TextUnmarshaler from a string (a slice
// that is one from a list, too), and *Value, which keeps the value for later. null fits nothing else. A type
// with a method Check() error is asked when it has been filled. The error holds
// an [*Error] for each mistake.
func (v *Value) Decode(into any) error {
	d := &decoder{}
	d.value(v, reflect.ValueOf(into).Elem())
	return errors.Join(d.problems...)
}

// Member returns the value of a key of an object, or nil.
func (v *Value) Member(key string) *Value {
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// Text returns the content of a string; ok is false for anything else.
func (v *Value) Text() (s string, ok bool) { return v.text, v.kind == text }

// Replace passes every string below v through f and keeps what it returns. A
// changed string never shows in an error afterwards. The error holds an
// [*Error] for each that f returned.
func (v *Value) Replace(f func(string) (string, error)) error {
	var problems []error
	if v.kind == text {
		s, err := f(v.text)
		if err != nil {
			return v.Errorf("%v", err)
		}
		v.private = v.private || s != v.text
		v.text = s
	}
	for _, m := range v.members {
		problems = append(problems, m.value.Replace(f))
	}
	for _, item := range v.items {
		problems = append(problems, item.Replace(f))
	}
	return errors.Join(problems...)
}

type decoder struct{ problems []error }

func (d *decoder) complain(v *Value, format string, args ...any) {
	d.problems = append(d.problems, v.Errorf(format, args...))
}

// want reports whether v is of a kind, and complains if it is not.
func (d *decoder) want(v *Value, k kind) bool {
	if v.kind != k {
		d.complain(v, "must be %s, not %s", k, v.show())
	}
	return v.kind == k
}

// show describes a value in few words, without what must not be seen.
func (v *Value) show() string {
	switch {
	case v.kind == text && !v.private && len(v.text) <= 40:
		return fmt.Sprintf("the string %q", v.text)
	case v.kind == number:
		return v.text
	case v.kind == boolean:
		return v.text
	}
	return string(v.kind)
}

func (d *decoder) value(v *Value, to reflect.Value) {
	before := len(d.problems)
	if u, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok && (to.Kind() != reflect.Slice || v.kind != array) {
		d.unmarshal(v, u)
	} else {
		d.fill(v, to)
	}
	if c, ok := to.Interface().(interface{ Check() error }); ok && len(d.problems) == before {
		if err := c.Check(); err != nil {
			d.complain(v, "%v", err)
		}
	}
}

func (d *decoder) fill(v *Value, to reflect.Value) {
	if to.Type() == reflect.TypeFor[*Value]() {
		to.Set(reflect.ValueOf(v))
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		d.value(v, to.Elem())
	case reflect.Struct:
		d.fields(v, to)
	case reflect.Map:
		d.entries(v, to)
	case reflect.Slice:
		d.list(v, to)
	case reflect.String:
		if d.want(v, text) {
			to.SetString(v.text)
		}
	case reflect.Bool:
		if d.want(v, boolean) {
			to.SetBool(v.text == "true")
		}
	case reflect.Int, reflect.Int64:
		d.integer(v, to)
	default:
		d.complain(v, "nothing can be read into a Go %s", to.Type())
	}
}

func (d *decoder) unmarshal(v *Value, to encoding.TextUnmarshaler) {
	if !d.want(v, text) {
		return
	}
	if err := to.UnmarshalText([]byte(v.text)); err != nil {
		if v.private {
			d.complain(v, "the value that stands in for this one does not fit")
			return
		}
		d.complain(v, "%v", err)
	}
}

func (d *decoder) integer(v *Value, to reflect.Value) {
	if !d.want(v, number) {
		return
	}
	n, err := strconv.ParseInt(v.text, 10, to.Type().Bits())
	if err != nil {
		d.complain(v, "must be a whole number of at most %d bits, not %s", to.Type().Bits(), v.text)
		return
	}
	to.SetInt(n)
}

func (d *decoder) entries(v *Value, to reflect.Value) {
	if !d.want(v, object) {
		return
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(v.members)))
	for _, m := range v.members {
		entry := reflect.New(to.Type().Elem()).Elem()
		d.value(m.value, entry)
		to.SetMapIndex(reflect.ValueOf(m.key), entry)
	}
}

func (d *decoder) list(v *Value, to reflect.Value) {
	if !d.want(v, array) {
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), len(v.items), len(v.items)))
	for i, item := range v.items {
		d.value(item, to.Index(i))
	}
}

func (d *decoder) fields(v *Value, to reflect.Value) {
	if !d.want(v, object) {
		return
	}
	fields := map[string]reflect.Value{}
	names := collect(to, fields, nil)
	for _, m := range v.members {
		if field, known := fields[m.key]; known {
			d.value(m.value, field)
			continue
		}
		d.problems = append(d.problems, v.doc.errorf(m.offset, v.path, "unknown key %q%s", m.key, hint(m.key, names)))
	}
}

// collect gathers the fields of a struct by their keys, in order.
func collect(of reflect.Value, fields map[string]reflect.Value, names []string) []string {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		if f.Anonymous {
			names = collect(of.Field(i), fields, names)
			continue
		}
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		fields[key] = of.Field(i)
		names = append(names, key)
	}
	return names
}

// hint ends a complaint about a word that is not one of the known ones.
func hint(word string, known []string) string {
	if near := mapping.Nearest(word, known, 1); near != nil {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	known = slices.DeleteFunc(slices.Clone(known), func(s string) bool { return strings.HasPrefix(s, "$") })
	return "; the keys here are " + strings.Join(known, ", ")
}
