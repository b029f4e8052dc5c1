package openapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Check looks whether the API's server answers, and whether what the operator set
// fits the document. A credential that is not there is told, not complained of:
// public APIs declare more than they ask for. No secret is in a finding.
func (a *Adapter) Check(ctx context.Context) ([]mapping.Finding, error) {
	doc, err := a.document(ctx)
	if err != nil {
		return nil, err
	}
	findings := []mapping.Finding{a.checkServer(ctx, doc)}
	findings = append(findings, a.checkNames(doc)...)
	return append(findings, a.checkCredentials(doc)...), nil
}

// checkServer asks for the server's root; any answer will do.
func (a *Adapter) checkServer(ctx context.Context, doc *document) mapping.Finding {
	if a.options.Handler != nil {
		return mapping.Finding{OK: true, Text: "the API answers in this process"}
	}
	op := &operation{key: "the server", method: http.MethodHead, doc: doc, servers: doc.servers}
	server, err := a.server(op)
	if err != nil {
		return mapping.Finding{Text: "the API cannot be called: " + cause(err), Mend: "set the base URL of the API"}
	}
	a.trust(doc, server)
	where := server.Scheme + "://" + server.Host + server.Path
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, server.String(), nil)
	if err != nil {
		return mapping.Finding{Text: fmt.Sprintf("%s cannot be asked: %v", where, err), Mend: "mend the base URL of the API"}
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return mapping.Finding{Text: where + " does not answer: " + cause(sendFailure(ctx, op, err)), Mend: "start the API, or set its base URL"}
	}
	resp.Body.Close()
	return mapping.Finding{OK: true, Text: where + " answers"}
}

// cause is what an operator may know of a failure, beyond what a model does.
func cause(err error) string {
	var e *mapping.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Problem + " (" + e.Err.Error() + ")"
	}
	return err.Error()
}

// checkNames finds what the operator set under names that the document lacks.
func (a *Adapter) checkNames(doc *document) []mapping.Finding {
	var all []mapping.Finding
	schemes := slices.Sorted(maps.Keys(doc.securitySchemes()))
	for _, name := range slices.Sorted(maps.Keys(a.options.Credentials)) {
		if !slices.Contains(schemes, name) {
			all = append(all, mapping.Finding{
				Text: fmt.Sprintf("there is a credential %q, and the document has no security scheme of that name", name),
				Mend: "name it after one of the document's schemes: " + orNone(schemes),
			})
		}
	}
	if own := a.options.CallerScheme; own != "" && !slices.Contains(schemes, own) {
		all = append(all, mapping.Finding{
			Text: fmt.Sprintf("callers bring credentials for %q, and the document has no security scheme of that name", own),
			Mend: "name one of the document's schemes: " + orNone(schemes),
		})
	}
	for _, key := range slices.Sorted(maps.Keys(a.options.Media)) {
		switch op := doc.operation(key); {
		case op == nil:
			all = append(all, mapping.Finding{Text: fmt.Sprintf("there is a media type for %q, and the document has no such operation", key), Mend: doc.meant(key)})
		case op.mediaType != a.options.Media[key]:
			all = append(all, mapping.Finding{
				Text: fmt.Sprintf("%s is to be sent as %s, and the document offers no such body", key, a.options.Media[key]),
				Mend: "name a media type that the document has there",
			})
		}
	}
	return slices.Concat(all, a.checkFixed(doc), a.checkVariables(doc))
}

// meant proposes the key of an operation in place of one that is not there.
func (d *document) meant(key string) string {
	keys := slices.Sorted(maps.Keys(d.byKey))
	if near := mapping.Nearest(key, keys, 1); near != nil {
		return "did you mean " + near[0] + "?"
	}
	return "write method and path as the document does: POST /pets/{id}"
}

// checkFixed finds arguments with one value that nothing takes.
func (a *Adapter) checkFixed(doc *document) []mapping.Finding {
	var all []mapping.Finding
	for _, key := range slices.Sorted(maps.Keys(a.options.Fixed)) {
		if _, known := doc.byKey[key]; !known && key != "*" {
			all = append(all, mapping.Finding{Text: fmt.Sprintf("there are fixed arguments for %q, and the document has no such operation", key), Mend: doc.meant(key)})
			continue
		}
		known := doc.parameters(key)
		for _, name := range slices.Sorted(maps.Keys(a.options.Fixed[key])) {
			if slices.Contains(known, name) {
				continue
			}
			f := mapping.Finding{Text: fmt.Sprintf("%q is fixed for %s, and is the name of no parameter there", name, key), Mend: "write the name as the document does"}
			if near := mapping.Nearest(name, known, 1); near != nil {
				f.Mend = "did you mean " + near[0] + "?"
			}
			all = append(all, f)
		}
	}
	return all
}

// parameters are the names of an operation's parameters, or for * of all.
func (d *document) parameters(key string) []string {
	keys := []string{key}
	if key == "*" {
		keys = slices.Collect(maps.Keys(d.byKey))
	}
	names := map[string]bool{}
	for _, key := range keys {
		if op := d.operation(key); op != nil {
			for _, p := range op.params {
				names[p.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// checkVariables finds values of variables that no server has.
func (a *Adapter) checkVariables(doc *document) []mapping.Finding {
	if len(a.options.Variables) == 0 {
		return nil
	}
	known := map[string]bool{}
	note := func(servers openapi3.Servers) {
		for _, s := range servers {
			for name := range s.Variables {
				known[name] = true
			}
		}
	}
	note(doc.servers)
	for i := range doc.entries {
		if servers, own := doc.serversOf(doc.entries[i].describe()); own {
			note(servers)
		}
	}
	var all []mapping.Finding
	for _, name := range slices.Sorted(maps.Keys(a.options.Variables)) {
		if !known[name] {
			all = append(all, mapping.Finding{
				Text: fmt.Sprintf("the variable %q is set, and no server of the document has it", name),
				Mend: "name one of the document's variables: " + orNone(slices.Sorted(maps.Keys(known))),
			})
		}
	}
	return all
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "it has none"
	}
	return strings.Join(names, ", ")
}

// checkCredentials tells which schemes are asked for and have no credential.
func (a *Adapter) checkCredentials(doc *document) []mapping.Finding {
	asked := map[string]int{}
	for i := range doc.entries {
		_, missing := a.chosen(&operation{doc: doc, security: doc.securityOf(doc.entries[i].describe())}, mapping.Caller{Credential: "to be brought"})
		for _, name := range missing {
			asked[name]++
		}
	}
	var all []mapping.Finding
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		all = append(all, mapping.Finding{
			OK:   true,
			Text: fmt.Sprintf("the credential %q is not set; operations that ask for it, and are called without it: %d", name, asked[name]),
			Mend: "set it if the API refuses them",
		})
	}
	return all
}
