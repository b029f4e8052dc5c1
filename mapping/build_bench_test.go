package mapping

import (
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkBuild builds surfaces of the sizes of GitHub's (1,223 operations) and
// Microsoft Graph's (11,422) documents.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1_223, 11_422} {
		catalogs := map[string]*Catalog{"src": synthetic(n)}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if s := Build(catalogs, Rules{}); len(s.Tools()) != n {
					b.Fatalf("%d tools, want %d", len(s.Tools()), n)
				}
			}
		})
	}
}

// BenchmarkResolve resolves the last URI of a large surface.
func BenchmarkResolve(b *testing.B) {
	s := Build(map[string]*Catalog{"src": synthetic(11_422)}, Rules{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Resolve("api://src/group20/things11420/17?page=2"); err != nil {
			b.Fatal(err)
		}
	}
}

// synthetic returns a catalog of n operations as real documents have them: four
// on each thing, with five arguments, a body with a shared schema, and text.
func synthetic(n int) *Catalog {
	c := &Catalog{Scheme: "api", Defs: map[string]json.RawMessage{
		"Thing": json.RawMessage(`{"type":"object","required":["name"],"properties":{"name":{"type":"string","description":"What it is called."},"size":{"type":"integer"},"parent":{"$ref":"#/$defs/Thing"}}}`),
	}}
	integer, text := json.RawMessage(`{"type":"integer","minimum":1}`), json.RawMessage(`{"type":"string"}`)
	for i := 0; len(c.Operations) < n; i += 4 {
		path := fmt.Sprintf("group%d/things%d", i%50, i)
		id := Param{In: "path", Name: "id", Text: "The number of the thing.", Required: true, Schema: integer}
		page := Param{In: "query", Name: "page", Text: "The page of results to fetch, from 1.", Schema: integer}
		sort := Param{In: "query", Name: "sort", Text: "What to sort by.", Schema: text}
		op := func(method, path, name, summary string, effect Effect, body bool, params ...Param) {
			if len(c.Operations) == n {
				return
			}
			o := Operation{Key: method + " /" + path, Name: name, Group: "things", Summary: summary, Effect: effect, Params: params,
				Text: "Works on things of one group. The authenticated user must be a member of it, and [learn more](https://docs.test/things) about **groups** before calling this.\n\n- one\n- two"}
			if body {
				o.Body = &Body{Required: true, Schema: json.RawMessage(`{"$ref":"#/$defs/Thing"}`)}
			}
			c.Operations = append(c.Operations, o)
			if effect == Reads {
				c.Resources = append(c.Resources, Resource{Path: path + "{?page,sort}", Name: name, MIME: "application/json", Operation: o.Key})
			}
		}
		op("GET", path, fmt.Sprintf("things/list-in-group%d", i), "List things of a group", Reads, false, page, sort)
		op("GET", path+"/{id}", fmt.Sprintf("things/get-in-group%d", i), "Get a thing of a group", Reads, false, id, page, sort)
		op("POST", path, fmt.Sprintf("things/create-in-group%d", i), "Create a thing in a group", Writes, true)
		op("DELETE", path+"/{id}", fmt.Sprintf("things/delete-in-group%d", i), "Delete a thing of a group", Destroys, false, id)
	}
	return c
}
