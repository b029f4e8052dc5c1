package openapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestRedirects follows what stays what it was, and leaves everything secret
// behind where the origin changes.
func TestRedirects(t *testing.T) {
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.Header {
			elsewhere = append(elsewhere, name+": "+strings.Join(values, ","))
		}
		fmt.Fprint(w, "other")
	}))
	defer other.Close()
	var seen []string
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Api-Key"))
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/same/%d/x", &status); err == nil {
			http.Redirect(w, r, "/there", status)
			return
		}
		if _, err := fmt.Sscanf(r.URL.Path, "/other/%d/x", &status); err == nil {
			http.Redirect(w, r, other.URL+"/there", status)
			return
		}
		if r.URL.Path == "/file/x" {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
			return
		}
		if r.URL.Path == "/loop/x" {
			http.Redirect(w, r, "/loop/x", http.StatusFound)
			return
		}
		fmt.Fprint(w, "here")
	}))
	defer api.Close()
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/same/302", "here"},
		{"GET", "/same/307", "here"},
		{"GET", "/other/302", "other"},
		{"POST", "/same/303", "here"}, // see other: a read
		{"POST", "/same/307", "here"},
		{"POST", "/same/308", "here"},
		{"POST", "/same/302", "302"}, // would turn the write into a read of the same place
		{"POST", "/same/301", "301"},
		{"POST", "/other/307", "307"}, // would send the body to somebody else
		{"POST", "/other/303", "303"},
		{"DELETE", "/other/307", "307"},
		{"GET", "/loop", "302"},
		{"GET", "/file", "302"}, // not of the web
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			seen, elsewhere = nil, nil
			o := Options{BaseURL: api.URL + c.path, Headers: http.Header{"X-Api-Key": {"hunter22"}, "Authorization": {"Bearer hunter22"}, "Cookie": {"s=hunter22"}}}
			a := New(Bytes(nil), o)
			defer a.Close()
			a.trusted.Store(strings.TrimPrefix(other.URL, "http://"), true)
			r, err := sendBy(t.Context(), t, a, c.method, mapping.Call{Body: []byte(`{}`)})
			got := resultText(t, r, err)
			if len(c.want) == 3 {
				if !strings.Contains(got, "the API answered "+c.want) || len(elsewhere) != 0 {
					t.Errorf("got %s", got)
				}
				return
			}
			if got != "text "+c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if slices.ContainsFunc(elsewhere, func(h string) bool { return strings.Contains(h, "hunter22") || strings.HasPrefix(h, "Referer") }) {
				t.Errorf("the other origin saw %q", elsewhere)
			}
			if c.want == "here" && !strings.HasSuffix(seen[len(seen)-1], " /there hunter22") {
				t.Errorf("the API saw %q", seen)
			}
		})
	}
}

// TestRedirectOfAHandler goes to no other origin: there is no socket.
func TestRedirectOfAHandler(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.test/x", http.StatusFound)
	})
	r, err := sendTo(t.Context(), t, "GET", Options{Handler: api}, mapping.Call{})
	want := "error unavailable: the API answered 302 Found. it points to another place, which the bridge does not follow; do not retry\ndetail: Location: http://elsewhere.test/x"
	if got := resultText(t, r, err); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestPrivateAddresses keeps a document from elsewhere from naming an address
// inside, and lets an operator's document and base URL name any.
func TestPrivateAddresses(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "inside") }))
	defer api.Close()
	elsewhere, err := url.Parse("https://specs.test/api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	host, err := url.Parse(api.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		base    *url.URL // of the document
		baseURL string
		want    string
	}{
		{"an operator's document", nil, "", "text inside"},
		{"a document from elsewhere", elsewhere, "", "error denied: the address that this call leads to is not public, and the operator did not name it, so nothing was sent there. do not retry; ask the operator to set the base URL of this API"},
		{"a document from there", host, "", "text inside"},
		{"a base URL", elsewhere, api.URL, "text inside"},
	} {
		a := New(Bytes(nil), Options{BaseURL: c.baseURL})
		defer a.Close()
		op := &operation{key: "GET /x", method: "GET", path: "/x", doc: &document{base: c.base}, servers: openapi3.Servers{{URL: api.URL}}}
		call := testCall(t, op.key, "")
		req, err := a.request(t.Context(), op, call)
		if err != nil {
			t.Fatal(err)
		}
		var result *mapping.Result
		r, err := a.send(req, op, call)
		if err == nil {
			result, err = a.result(op, r, call)
		}
		if got := resultText(t, result, err); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}
