package mapping

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// reads builds a surface of one source "src" whose resources are answered by
// Read.
func reads(scheme string, paths ...string) *Surface {
	catalog := &Catalog{Scheme: scheme}
	for _, path := range paths {
		catalog.Resources = append(catalog.Resources, Resource{Path: path, Name: path})
	}
	return Build(map[string]*Catalog{"src": catalog}, Rules{})
}

func TestResolve(t *testing.T) {
	s := reads("x",
		"", "pets", "pets/", "pets/mine", "pets/{id}", "pets/{id}.json", "pets/{id}/photos/{photo}",
		"files/{a}:{b}", "tree{/path*}{?ref}", "raw/{+path}", "raw/{+path}/size", "search{?q,limit,sort-by}",
		"größe/{straße}", "my table/{id}",
	)
	for _, c := range []struct{ uri, path, vars string }{
		{"x://src/", "", `{}`},
		{"x://src", "", `{}`},
		{"x://src/pets", "pets", `{}`},
		{"x://src/pets/", "pets/", `{}`},
		{"X://SRC/pets", "pets", `{}`},
		{"x://src/Pets", "", ``},
		{"x://src/pets/mine", "pets/mine", `{}`},
		{"x://src/pets/m%69ne", "pets/mine", `{}`},
		{"x://src/pets/3", "pets/{id}", `{"id":"3"}`},
		{"x://src/pets/3.json", "pets/{id}.json", `{"id":"3"}`},
		{"x://src/pets/.json", "pets/{id}", `{"id":".json"}`},
		{"x://src/pets/a.json.json", "pets/{id}.json", `{"id":"a.json"}`},
		{"x://src/pets/3/photos/4", "pets/{id}/photos/{photo}", `{"id":"3","photo":"4"}`},
		{"x://src/pets/3/photos", "", ``},
		{"x://src/pets/3/photos/", "", ``},
		{"x://src/pets/a%2Fb", "pets/{id}", `{"id":"a/b"}`},
		{"x://src/pets/a/b", "", ``},
		{"x://src/pets/..", "pets/{id}", `{"id":".."}`},
		{"x://src/pets/%2e%2e%2fmine", "pets/{id}", `{"id":"../mine"}`},
		{"x://src/pets/a+b", "pets/{id}", `{"id":"a+b"}`},
		{"x://src/pets/café", "pets/{id}", `{"id":"café"}`},
		{"x://src/pets/caf%C3%A9", "pets/{id}", `{"id":"café"}`},
		{"x://src/pets/a b", "pets/{id}", `{"id":"a b"}`},
		{"x://src/pets/3?x=1", "", ``},
		{"x://src/files/a:b", "files/{a}:{b}", `{"a":"a","b":"b"}`},
		{"x://src/files/a%3ab:c", "files/{a}:{b}", `{"a":"a:b","b":"c"}`},
		{"x://src/files/ab", "", ``},
		{"x://src/tree", "tree{/path*}{?ref}", `{}`},
		{"x://src/tree/a/b%2Fc", "tree{/path*}{?ref}", `{"path":"a/b/c"}`},
		{"x://src/tree/a?ref=v%231", "tree{/path*}{?ref}", `{"path":"a","ref":"v#1"}`},
		{"x://src/tree?ref=", "tree{/path*}{?ref}", `{"ref":""}`},
		{"x://src/raw/a/b", "raw/{+path}", `{"path":"a/b"}`},
		{"x://src/raw/a/b/size", "raw/{+path}/size", `{"path":"a/b"}`},
		{"x://src/raw/size", "raw/{+path}", `{"path":"size"}`},
		{"x://src/raw/", "", ``},
		{"x://src/raw", "", ``},
		{"x://src/search?limit=3&q=a%26b", "search{?q,limit,sort-by}", `{"limit":"3","q":"a&b"}`},
		{"x://src/search?q=%C3%A9&sort_by=n", "search{?q,limit,sort-by}", `{"q":"é","sort-by":"n"}`},
		{"x://src/search?q=é&other=1", "", ``},
		{"x://src/search", "search{?q,limit,sort-by}", `{}`},
		{"x://src/gr%C3%B6%C3%9Fe/1", "größe/{straße}", `{"straße":"1"}`},
		{"x://src/größe/1", "größe/{straße}", `{"straße":"1"}`},
		{"x://src/my%20table/1", "my table/{id}", `{"id":"1"}`},
		{"x://other/pets", "", ``},
		{"y://src/pets", "", ``},
		{"x://src/~call/pets", "", ``},
	} {
		target, err := s.Resolve(c.uri)
		if c.vars == "" {
			if CodeOf(err) != NotFound {
				t.Errorf("Resolve(%q) = %+v, %v, want not found", c.uri, target, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("Resolve(%q): %v", c.uri, err)
			continue
		}
		var vars map[string]string
		if err := json.Unmarshal([]byte(c.vars), &vars); err != nil {
			t.Fatal(err)
		}
		if target.Read.Path != c.path || !maps.Equal(target.Read.Vars, vars) {
			t.Errorf("Resolve(%q) reads %q with %v, want %q with %v", c.uri, target.Read.Path, target.Read.Vars, c.path, vars)
		}
	}
}

func TestResolveMalformed(t *testing.T) {
	s := reads("x", "pets/{id}", "search{?q}")
	for _, uri := range []string{
		"", "pets/1", "x:/src/pets/1", "x://src/pets/%", "x://src/pets/%zz", "x://src/pets/%ff",
		"x://src/pets/1#top", "x://src/search?q=%", "x://src/search?q=1&q=2",
	} {
		if target, err := s.Resolve(uri); CodeOf(err) != Invalid {
			t.Errorf("Resolve(%q) = %+v, %v, want invalid", uri, target, err)
		}
	}
}

// Neither the order of a catalog nor a template's neighbours change what a URI
// leads to.
func TestResolveDoesNotDependOnOrder(t *testing.T) {
	paths := []string{"a/{x}", "a/b", "a/{x}.txt", "a/b{x}", "{x}/b", "{+all}", "a{/rest*}", "a/{x}/{y}", "a/b/{y}", "{x}/b/c"}
	uris := []string{"x://src/a/b", "x://src/a/c", "x://src/a/c.txt", "x://src/a/bc", "x://src/z/b", "x://src/z", "x://src/a", "x://src/a/b/c", "x://src/a/c/d", "x://src/a/b/c/d"}
	want := resolved(t, reads("x", paths...), uris)
	slices.Reverse(paths)
	if got := resolved(t, reads("x", paths...), uris); !maps.Equal(got, want) {
		t.Errorf("the reversed catalog differs:\n%s", cmp.Diff(want, got))
	}
	for uri, path := range map[string]string{
		"x://src/a/b":     "a/b",
		"x://src/a/bc":    "a/b{x}",
		"x://src/a/c.txt": "a/{x}.txt",
		"x://src/a/b/c":   "a/b/{y}",
		"x://src/a":       "a{/rest*}",
		"x://src/a/b/c/d": "a{/rest*}",
		"x://src/z":       "{+all}",
	} {
		if want[uri] != path {
			t.Errorf("%s leads to %q, want %q", uri, want[uri], path)
		}
	}
}

func resolved(t *testing.T, s *Surface, uris []string) map[string]string {
	t.Helper()
	paths := map[string]string{}
	for _, uri := range uris {
		target, err := s.Resolve(uri)
		if err != nil {
			t.Fatalf("Resolve(%q): %v", uri, err)
		}
		paths[uri] = target.Address.Path
	}
	return paths
}

func TestPublishedTemplates(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"pets/{id}", "x://src/pets/{id}"},
		{"pets/{pet-id}/{pet_id}", "x://src/pets/{pet_id}/{pet_id_2}"},
		{"pets/{pet%2Did}", "x://src/pets/{pet_id}"},
		{"search{?filter[name],q}", "x://src/search{?filter_name_,q}"},
		{"a{/b*}{?c}", "x://src/a{/b*}{?c}"},
		{"my table/ä/{+x}", "x://src/my%20table/%C3%A4/{+x}"},
		{"a%2fb/c%41", "x://src/a%2Fb/cA"},
		{"{a}-{b}.txt", "x://src/{a}-{b}.txt"},
	} {
		s := reads("x", c.path)
		if len(s.Addresses()) != 1 {
			t.Errorf("%q is not published: %v", c.path, s.Decisions())
			continue
		}
		if got := s.Addresses()[0].URI; got != c.want {
			t.Errorf("%q is published as %q, want %q", c.path, got, c.want)
		}
		if s.Address(c.want) == nil {
			t.Errorf("Address(%q) = nil", c.want)
		}
	}
}

// Each of these would answer for more or less than it says; it costs itself and
// leaves the other resource.
func TestIllegalTemplatesCostThemselves(t *testing.T) {
	for _, path := range []string{
		"a/{", "a/}", "a/{}", "a/{x", "a/{x}{y}", "a/{x,y}", "a/{x:3}", "a/{x*}", "a/{#x}", "a/{;x}", "a{.x}", "a/{&x}",
		"a/{/x}", "a/b{+x}", "a/{+x}b", "{+x}/{+y}", "a{/x*}/b{/y*}", "{x}/{x}", "a{?x}/b", "a{?x}{?y}", "a{?}", "a?x=1", "a#b",
		"a/%", "a/%zz", "a/%ff", "a/\xff",
	} {
		s := reads("x", path, "ok")
		if len(s.Addresses()) != 1 || s.Addresses()[0].Path != "ok" {
			t.Errorf("%q is published", path)
		}
		if ds := s.Decisions(); len(ds) != 1 || ds[0].What != Dropped || ds[0].Key != path {
			t.Errorf("decisions about %q: %v", path, ds)
		}
	}
}

func FuzzResolve(f *testing.F) {
	s := reads("x", "", "pets", "pets/{id}", "pets/{id}.json", "a/{x}:{y}/b", "tree{/path*}{?ref}", "raw/{+path}/size", "search{?q,limit}")
	for _, uri := range []string{"x://src/pets/%", "x://src/a/:/b", "x://src/tree/?ref", "x://src/raw//size", "x://src/search?&&==&q", "://", "x://src/%2f"} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		target, err := s.Resolve(uri)
		if err == nil && target.Read == nil {
			t.Errorf("Resolve(%q) leads nowhere", uri)
		}
		if code := CodeOf(err); err != nil && code != NotFound && code != Invalid {
			t.Errorf("Resolve(%q): code %q", uri, code)
		}
	})
}

// A read that is a call has typed arguments, or an error that says why not.
func FuzzResolveCall(f *testing.F) {
	param := func(in, name, schema string) Param {
		return Param{In: in, Name: name, Required: in == "path", Schema: json.RawMessage(schema)}
	}
	s := Build(map[string]*Catalog{"src": {
		Scheme: "x",
		Operations: []Operation{{Key: "GET /pets/{id}", Name: "getPet", Effect: Reads, Params: []Param{
			param("path", "id", `{"type":"integer","minimum":1}`), param("query", "tags", `{"type":"array","items":{"type":"string"}}`),
			param("query", "deep", `{"type":"boolean"}`), param("query", "at", `{"anyOf":[{"type":"number"},{"type":"null"}]}`),
		}}},
		Resources: []Resource{{Path: "pets/{id}{?tags,deep,at}", Name: "pet", Operation: "GET /pets/{id}"}},
	}}, Rules{})
	f.Add("7", "a,b", "true", "1.50")
	f.Add("9007199254740993", "", "TRUE", "null")
	f.Add("0", "a%2Cb", "1", "1e999")
	f.Fuzz(func(t *testing.T, id, tags, deep, at string) {
		uri := "x://src/pets/" + id + "?tags=" + tags + "&deep=" + deep + "&at=" + at
		target, err := s.Resolve(uri)
		if err != nil {
			if code := CodeOf(err); code != NotFound && code != Invalid {
				t.Errorf("Resolve(%q): %v", uri, err)
			}
			return
		}
		if target.Call == nil || target.Call.Key != "GET /pets/{id}" {
			t.Fatalf("Resolve(%q) is no call: %+v", uri, target)
		}
		for _, arg := range target.Call.Args {
			if !json.Valid(arg.Value) {
				t.Errorf("Resolve(%q): the argument %s is %s", uri, arg.Name, arg.Value)
			}
		}
		if n := target.Call.Arg("path", "id"); len(n) == 0 || n[0] == '"' {
			t.Errorf("Resolve(%q): the id is %s, no integer", uri, n)
		}
	})
}

// What RFC 6570's own expansion writes is read back as it was.
func FuzzExpandResolve(f *testing.F) {
	s := reads("x", "pets/{id}", "pets/{id}/photos/{photo}{?size,alt-text}", "files{/path*}{?ref}", "mail/{user}@{host}")
	f.Add("3", "4", "large", "a/b")
	f.Add("..", ".", "a&b=c", "../..//x")
	f.Add("a/b?c#d", "%2F", "é 日本", "%")
	f.Add("\x00", "@", "+", "/")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, v := range []string{a, b, c, d} {
			if v == "" || !utf8.ValidString(v) {
				t.Skip("a variable of a path is never empty, a URI is never anything but UTF-8")
			}
		}
		for _, vars := range []map[string]string{
			{"id": a},
			{"id": a, "photo": b, "size": c, "alt-text": d},
			{"id": a, "photo": b, "alt-text": d},
			{"path": d, "ref": c},
			{"user": a, "host": b},
		} {
			uri := expand(t, s, vars)
			target, err := s.Resolve(uri)
			if err != nil {
				t.Fatalf("Resolve(%q): %v", uri, err)
			}
			if !maps.Equal(target.Read.Vars, vars) {
				t.Errorf("%q was expanded from %q and read back as %q", uri, vars, target.Read.Vars)
			}
		}
	})
}

// expand fills the variables into the only template that takes all of them, by
// RFC 6570 §3.2: everything but unreserved characters is encoded, as UTF-8.
// (uritemplate v3.0.2 encodes what is beyond ASCII as the bytes of its code
// point.)
func expand(t *testing.T, s *Surface, vars map[string]string) string {
	t.Helper()
	for _, a := range s.Addresses() {
		used := 0
		uri := expression.ReplaceAllStringFunc(a.URI, func(expr string) string {
			var b strings.Builder
			operator := expression.FindStringSubmatch(expr)[1]
			for name := range strings.SplitSeq(strings.Trim(expr, "{/?*}"), ",") {
				value, given := vars[a.Variable(name)]
				if !given {
					continue
				}
				used++
				switch {
				case operator == "/":
					for part := range strings.SplitSeq(value, "/") {
						b.WriteString("/" + encode(part))
					}
				case operator == "?" && b.Len() == 0:
					b.WriteString("?" + name + "=" + encode(value))
				case operator == "?":
					b.WriteString("&" + name + "=" + encode(value))
				default:
					b.WriteString(encode(value))
				}
			}
			return b.String()
		})
		if used == len(vars) {
			return uri
		}
	}
	t.Fatalf("no template takes %v", vars)
	return ""
}

var expression = regexp.MustCompile(`\{([/?]?)[^}]*\}`)

func encode(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

// A variable that RFC 6570 has no name for is published under another, and
// asked for under its own.
func TestVariable(t *testing.T) {
	a := reads("x", "pets/{pet-id}{?filter[name]}").Addresses()[0]
	for public, own := range map[string]string{"pet_id": "pet-id", "filter_name_": "filter[name]", "pet-id": "", "other": ""} {
		if got := a.Variable(public); got != own {
			t.Errorf("Variable(%q) = %q, want %q", public, got, own)
		}
	}
}
