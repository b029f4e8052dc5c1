package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A document is one OpenAPI document as it was read. It never changes, but for
// what it remembers of work done; any number of goroutines may use it.
type document struct {
	// base is where the document came from if that was a URL; relative servers
	// are below it. nil otherwise.
	base *url.URL

	options Options
	name    string // the document's own file name, "" if it has none
	self    string // 3.2's $self: the URL that the document calls its own
	root    *docFile
	files   map[string]*docFile // by name, the root among them
	unread  map[string]string   // why a file that is referred to is not among files
	swagger bool                // version 2.0; anything else is 3.x
	// siblings says that keywords beside a $ref of a schema hold: 3.1 and later.
	siblings bool

	entries []entry        // in the order of the document
	byKey   map[string]int // places in entries
	// collections are the paths that go on with one variable.
	collections map[string]bool
	lost        []mapping.Decision

	schemes  map[string]*openapi3.SecurityScheme
	servers  openapi3.Servers
	security openapi3.SecurityRequirements

	mu         sync.Mutex // guards what follows
	operations map[string]*operation
	schemas    map[string]*openapi3.Schema // by place
}

// newDocument makes a document of a text that decode has read. Other files come
// next, then index.
func newDocument(root node, lost []mapping.Decision) (*document, error) {
	swagger, err := version(root)
	if err != nil {
		return nil, err
	}
	d := &document{
		lost: lost, swagger: swagger, root: newDocFile("", root), unread: map[string]string{},
		operations: map[string]*operation{}, schemas: map[string]*openapi3.Schema{},
	}
	d.files = map[string]*docFile{"": d.root}
	d.siblings = !swagger && !strings.HasPrefix(root.get("openapi").text(), "3.0")
	d.self = root.get("$self").str()
	return d, nil
}

// index finds the operations, and what holds for all of them.
func (d *document) index() {
	d.readSecurity()
	d.servers = d.serverList(d.root.whole().member("servers"))
	if d.swagger {
		d.servers = serversFromV2(d.root.root, d.root.whole().member("schemes").raw)
	}
	d.indexOperations()
	d.findCollections()
}

// version tells Swagger 2.0 from OpenAPI 3.x, and both from everything else.
func version(root node) (swagger bool, err error) {
	if !root.isObject() {
		return false, fmt.Errorf("it is not an OpenAPI document: it holds no object with a field openapi or swagger")
	}
	if v := root.get("openapi").text(); v != "" {
		if major, _, _ := strings.Cut(v, "."); major != "3" {
			return false, fmt.Errorf("OpenAPI %s is not supported: 3.0, 3.1, 3.2 and Swagger 2.0 are", v)
		}
		return false, nil
	}
	if v := root.get("swagger").text(); v != "" {
		if major, _, _ := strings.Cut(v, "."); major != "2" {
			//lint:ignore ST1005 Swagger is a name
			return false, fmt.Errorf("Swagger %s is not supported: 2.0 and OpenAPI 3.0, 3.1 and 3.2 are", v)
		}
		return true, nil
	}
	for _, other := range [][2]string{
		{"swaggerVersion", "a Swagger 1.x"}, {"asyncapi", "an AsyncAPI"}, {"arazzo", "an Arazzo"}, {"overlay", "an Overlay"}, {"$schema", "a JSON Schema"},
	} {
		if root.get(other[0]) != nil {
			return false, fmt.Errorf("it is %s document, not an OpenAPI document", other[1])
		}
	}
	if root.get("item") != nil && root.get("info") != nil {
		return false, errors.New("it is a Postman collection, not an OpenAPI document; export it as OpenAPI")
	}
	return false, fmt.Errorf("it is not an OpenAPI document: it has no field openapi or swagger")
}
