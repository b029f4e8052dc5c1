package clients

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// tourConfig serves the demo API, asks before it destroys anything, and also
// serves a document whose operation is called otherwise after each edit.
const tourConfig = `{
	"name": "demo",
	"sources": {
		"shop": {"kind": "demo-api", "prefix": ""},
		"notes": {"kind": "openapi", "location": %q, "baseURL": "http://127.0.0.1:9", "prefix": ""}
	},
	"rules": {"confirm": ["effect:destroys"]},
	"http": {"sse": true}
}`

const (
	notesDocument = `{"openapi": "3.1.0", "info": {"title": "Notes", "version": "1"}, "paths": {"/notes": {"get": {
		"operationId": "note_{n}", "summary": "Read the notes.", "responses": {"200": {"description": "The notes."}}}}}}`
	firstNote = "note_0"
)

// isNewNote reports whether a tool came by an edit.
func isNewNote(name string) bool { return strings.HasPrefix(name, "note_") && name != firstNote }

// tour is one call or read of each kind.
func tour() plan {
	return plan{
		Calls: []call{
			{"get_product", map[string]any{"sku": "TENT-2P"}},
			{"set_stock", map[string]any{"sku": "MUG-01", "quantity": 25}},
			{"get_product", map[string]any{"sku": "MUG-01"}},
			{"get_order", map[string]any{"order_id": "9007199254740993"}},
			{"get_product_image", map[string]any{"sku": "TENT-2P"}},
			{"get_product", map[string]any{"sku": "TENT-99P"}},
			{"get_product", map[string]any{"size": "large"}},
			{"no_such_tool", map[string]any{}},
			{"delete_product", map[string]any{"sku": "TARP-01"}},
			{"get_product", map[string]any{"sku": "TARP-01"}},
		},
		Reads: []string{
			"api://shop/products/TENT-2P",
			"api://shop/products/TENT-2P/image",
			"api://shop/products/TENT-99P",
			"api://nobody/products",
		},
	}
}

// checkTour compares what a client saw on the tour with what the shop is known
// to hold. Code notFound is that of a missing resource in this revision.
func checkTour(t *testing.T, v visit, protocol string, notFound int) {
	t.Helper()
	if v.Protocol != protocol {
		t.Errorf("negotiated %q, want %q", v.Protocol, protocol)
	}
	if v.Server.Name != "demo" {
		t.Errorf("the server is called %q, want demo", v.Server.Name)
	}
	checkLists(t, v)
	if len(v.Calls) != 10 || len(v.Reads) != 4 {
		t.Fatalf("got %d answers to calls and %d to reads, want 10 and 4", len(v.Calls), len(v.Reads))
	}
	// set_stock overwrites something, so it counts as destroying.
	if len(v.Asked) != 2 || !strings.HasPrefix(v.Asked[1], "Run delete_product on shop with ") {
		t.Errorf("the user was asked %q, want about set_stock and delete_product", v.Asked)
	}
	checkCalls(t, v.Calls)
	checkReads(t, v.Reads, notFound)
}

func checkLists(t *testing.T, v visit) {
	t.Helper()
	named := func(name string) func(tool) bool { return func(x tool) bool { return x.Name == name } }
	for _, c := range []struct {
		name     string
		readOnly bool
	}{{"list_products", true}, {"get_product", true}, {"delete_product", false}, {"place_order", false}} {
		i := slices.IndexFunc(v.Tools, named(c.name))
		if i < 0 {
			t.Errorf("the list has no tool %s", c.name)
			continue
		}
		got := v.Tools[i]
		if got.Description == "" || got.Annotations["readOnlyHint"] != c.readOnly {
			t.Errorf("%s: got description %q and readOnlyHint %v, want a description and %v", c.name, got.Description, got.Annotations["readOnlyHint"], c.readOnly)
		}
	}
	if !slices.Contains(v.Templates, address{URITemplate: "api://shop/products/{sku}"}) {
		t.Errorf("the templates %v lack api://shop/products/{sku}", v.Templates)
	}
}

func checkCalls(t *testing.T, calls []answer) {
	t.Helper()
	for i, want := range []string{`"name":"Ridge 2 trail tent"`, `"stock":25`, `"stock":25`, `9007199254740993`} {
		a := calls[i]
		if a.Code != 0 || a.Result.IsError || len(a.Result.Content) == 0 {
			t.Errorf("call %d failed: %+v", i, a)
		} else if got := compact(a.Result.Content[0].Text); !strings.Contains(got, want) {
			t.Errorf("call %d answered %s, want %s in it", i, got, want)
		}
	}
	if got := compact(string(calls[0].Result.StructuredContent)); !strings.Contains(got, `"price_cents":18900`) {
		t.Errorf("structuredContent is %s, want the product", got)
	}
	image := calls[4].Result.Content
	if !slices.ContainsFunc(image, func(c content) bool { return c.Type == "image" && c.MIMEType == "image/png" && isPNG(c.Data) }) {
		t.Errorf("get_product_image answered no PNG image: %+v", image)
	}
	if deleted := calls[8]; deleted.Code != 0 || deleted.Result.IsError {
		t.Errorf("delete_product, confirmed, answered %+v", deleted)
	}
	for i, want := range map[int]string{5: "404", 6: "sku", 9: "404"} {
		a := calls[i]
		if !a.Result.IsError || len(a.Result.Content) == 0 || !strings.Contains(a.Result.Content[0].Text, want) {
			t.Errorf("call %d answered %+v, want isError with a text that names %s", i, a, want)
		}
	}
	if got := calls[7].Code; got != -32602 {
		t.Errorf("an unknown tool answered code %d, want -32602", got)
	}
}

func checkReads(t *testing.T, reads []answer, notFound int) {
	t.Helper()
	text := reads[0].Result.Contents
	if len(text) != 1 || text[0].URI != "api://shop/products/TENT-2P" || !strings.Contains(compact(text[0].Text), `"name":"Ridge 2 trail tent"`) {
		t.Errorf("reading the product gave %+v", reads[0])
	}
	image := reads[1].Result.Contents
	if len(image) != 1 || image[0].MIMEType != "image/png" || !isPNG(image[0].Blob) {
		t.Errorf("reading the image gave %+v", reads[1])
	}
	for i, uri := range []string{2: "api://shop/products/TENT-99P", 3: "api://nobody/products"} {
		if a := reads[i]; uri != "" && (a.Code != notFound || a.Data.URI != uri) {
			t.Errorf("reading %s gave code %d (%s) and data.uri %q, want %d and the URI", uri, a.Code, a.Message, a.Data.URI, notFound)
		}
	}
}

// compact removes what is only layout from JSON; other text stays.
func compact(text string) string {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		return text
	}
	return out.String()
}

func isPNG(data []byte) bool { return bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) }
