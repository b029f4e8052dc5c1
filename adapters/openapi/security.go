package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// securitySchemes returns the document's security schemes by name, references
// resolved. No value is nil.
func (d *document) securitySchemes() map[string]*openapi3.SecurityScheme { return d.schemes }

// readSecurity reads the schemes and what holds for operations that say nothing
// of their own.
func (d *document) readSecurity() {
	list := d.root.whole().member("components").member("securitySchemes")
	if d.swagger {
		list = d.root.whole().member("securityDefinitions")
	}
	d.schemes = map[string]*openapi3.SecurityScheme{}
	for name, raw := range list.raw.members() {
		scheme, err := d.scheme(list.child(name, raw))
		if err != nil {
			d.note(mapping.Cut, "", list.child(name, raw), "the security scheme %q cannot be used: %v", name, err)
			continue
		}
		d.schemes[name] = scheme
	}
	d.security = requirements(d.root.whole().member("security").raw)
}

func (d *document) scheme(p place) (*openapi3.SecurityScheme, error) {
	p, err := d.follow(p)
	if err != nil {
		return nil, err
	}
	if d.swagger {
		return schemeFromV2(p.raw)
	}
	scheme := &openapi3.SecurityScheme{}
	return scheme, scheme.UnmarshalJSON(p.raw)
}

// securityOf returns what holds for an operation.
func (d *document) securityOf(e *described) openapi3.SecurityRequirements {
	if own := e.own.field("security"); own.raw.isArray() {
		return requirements(own.raw)
	}
	return d.security
}

// requirements reads a list of Security Requirement Objects.
func requirements(list node) openapi3.SecurityRequirements {
	var all openapi3.SecurityRequirements
	for _, v := range list.items() {
		r := openapi3.SecurityRequirement{}
		for name, scopes := range v.members() {
			r[name] = texts(scopes)
		}
		all = append(all, r)
	}
	return all
}

// serversOf returns the servers that hold for an operation, and whether they are
// its own or its path item's.
func (d *document) serversOf(e *described) (servers openapi3.Servers, own bool) {
	for _, o := range []*object{e.own, e.shared} {
		if servers := d.serverList(o.field("servers")); len(servers) > 0 {
			return servers, true
		}
	}
	if schemes := e.own.get("schemes"); d.swagger && schemes != nil {
		return serversFromV2(d.root.root, schemes), false
	}
	return d.servers, false
}

// serverList reads a list of Server Objects, and leaves out what is none.
func (d *document) serverList(list place) openapi3.Servers {
	var all openapi3.Servers
	for _, raw := range list.raw.items() {
		server := &openapi3.Server{URL: raw.get("url").str(), Variables: openapi3.ServerVariables{}}
		for name, v := range raw.get("variables").members() {
			server.Variables[name] = &openapi3.ServerVariable{Default: v.get("default").text(), Enum: scalars(v.get("enum"))}
		}
		if server.URL != "" {
			all = append(all, server)
		}
	}
	return all
}

// scalars are the scalars of a list as texts.
func scalars(list node) []string {
	var all []string
	for _, v := range list.items() {
		all = append(all, v.text())
	}
	return all
}
