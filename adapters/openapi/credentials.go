package openapi

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A grant is what one sending of a request carries of credentials.
type grant struct {
	secrets secrets
	tokens  []usedToken // fetched ones, which a 401 may have outlived
}

type usedToken struct {
	source *tokenSource
	token  *oauth2.Token
}

// authorize adds to a request what its operation's security asks for and the
// operator has, then what the embedder's hook adds. The request goes to a server
// of the document or to BaseURL, so a credential goes nowhere else.
func (a *Adapter) authorize(req *http.Request, op *operation, caller mapping.Caller) (grant, error) {
	var g grant
	g.secrets.addHeaders(a.options.Headers)
	for _, text := range a.options.Secrets {
		g.secrets.add(text)
	}
	if user := req.URL.User; user != nil { // of the base URL; net/http sends it as basic
		password, _ := user.Password()
		g.secrets.add(user.Username() + ":" + password)
		g.secrets.add(authorization("basic", user.Username()+":"+password))
	}
	schemes := op.doc.securitySchemes()
	names, _ := a.chosen(op, caller)
	for _, name := range names {
		if err := a.apply(req, op, secret{name, schemes[name], a.credential(name, caller), name == a.options.CallerScheme && caller.Credential != ""}, &g); err != nil {
			return g, err
		}
	}
	if a.options.Authorize == nil {
		return g, nil
	}
	before := req.Header.Clone()
	if err := a.options.Authorize(req, caller); err != nil {
		return g, hookError(err)
	}
	g.secrets.addChanges(before, req.Header)
	return g, nil
}

func hookError(err error) error {
	var e *mapping.Error
	if errors.As(err, &e) {
		return e
	}
	return &mapping.Error{Code: mapping.Unauthenticated, Problem: "this call has no credentials for the API", Err: err}
}

// credential returns the secret of a scheme: the caller's own where it is to bring
// one and did, else the operator's.
func (a *Adapter) credential(scheme string, caller mapping.Caller) string {
	if scheme == a.options.CallerScheme && caller.Credential != "" {
		return caller.Credential
	}
	return a.options.Credentials[scheme]
}

// chosen returns the schemes whose credentials an operation's requests carry, and
// those that it asks for and nobody has a credential of.
//
// Alternatives are tried in the order of the document. The first whose schemes all
// have credentials counts; else none are sent where the document allows that; else,
// because public servers ask for less than they declare, those that there are of
// the alternative with the most.
func (a *Adapter) chosen(op *operation, caller mapping.Caller) (names, missing []string) {
	schemes := op.doc.securitySchemes()
	has := func(name string) bool { return schemes[name] != nil && a.credential(name, caller) != "" }
	optional := len(op.security) == 0
	var part, lacking []string
	for i, requirement := range op.security {
		asked := slices.Sorted(maps.Keys(requirement))
		if len(asked) == 0 {
			optional = true
			continue
		}
		there := slices.DeleteFunc(slices.Clone(asked), func(n string) bool { return !has(n) })
		if len(there) == len(asked) {
			return there, nil
		}
		if i == 0 || len(there) > len(part) {
			part = there
			lacking = slices.DeleteFunc(asked, has)
		}
	}
	if optional {
		return nil, nil
	}
	return part, lacking
}

// A secret is what is sent for one scheme.
type secret struct {
	name   string
	scheme *openapi3.SecurityScheme
	text   string
	own    bool // the caller's, not the operator's
}

// apply adds one scheme's credential.
func (a *Adapter) apply(req *http.Request, op *operation, s secret, g *grant) error {
	name, scheme, credential := s.name, s.scheme, s.text
	g.secrets.add(credential)
	if !httpguts.ValidHeaderFieldValue(credential) {
		return s.problem("holds a control character, perhaps a line break")
	}
	switch scheme.Type {
	case "apiKey":
		return s.applyKey(req)
	case "http":
		text := authorization(scheme.Scheme, credential)
		g.secrets.add(strings.TrimPrefix(text, "Basic "))
		req.Header.Set("Authorization", text)
	case "oauth2":
		if flow := clientCredentials(scheme); flow != nil && !s.own && strings.Contains(credential, ":") {
			return a.applyToken(req, op, name, flow, g)
		}
		req.Header.Set("Authorization", authorization("bearer", credential))
	case "openIdConnect":
		req.Header.Set("Authorization", authorization("bearer", credential))
	}
	return nil // mutualTLS is the connection's
}

func (s secret) applyKey(req *http.Request) error {
	scheme, key := s.scheme, s.text
	switch scheme.In {
	case openapi3.ParameterInHeader:
		if !httpguts.ValidHeaderFieldName(scheme.Name) {
			return s.problem(fmt.Sprintf("goes into a header, and none can be called %q", scheme.Name))
		}
		req.Header.Set(scheme.Name, key)
	case openapi3.ParameterInQuery:
		query := []string{escapeURL.name(scheme.Name) + "=" + escapeURL.value(key)}
		if req.URL.RawQuery != "" {
			query = append([]string{req.URL.RawQuery}, query...)
		}
		req.URL.RawQuery = strings.Join(query, "&")
	case openapi3.ParameterInCookie:
		if strings.ContainsAny(key, ";, \t") {
			return s.problem("holds a character that a cookie cannot carry")
		}
		cookies := []string{scheme.Name + "=" + key}
		if c := req.Header.Get("Cookie"); c != "" {
			cookies = append([]string{c}, cookies...)
		}
		req.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	return nil
}

// authorization is the header field of an HTTP scheme (RFC 9110 section 11.4). A
// credential that begins with the scheme's name is taken as it stands; of basic it
// is user:password.
func authorization(scheme, credential string) string {
	word, _, _ := strings.Cut(credential, " ")
	switch {
	case strings.EqualFold(word, scheme) && word != credential:
		return credential
	case strings.EqualFold(scheme, "basic"):
		if !strings.Contains(credential, ":") {
			credential += ":"
		}
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(credential))
	case strings.EqualFold(scheme, "bearer"), scheme == "":
		return "Bearer " + credential
	}
	return scheme + " " + credential
}

func (s secret) problem(why string) error {
	whose, whom := "the operator set", "the operator"
	if s.own {
		whose, whom = "the caller brought", "the user"
	}
	return &mapping.Error{
		Code:    mapping.Unauthenticated,
		Problem: fmt.Sprintf("the credential %q that %s for this API %s", s.name, whose, why),
		Next:    fmt.Sprintf("do not retry; ask %s to mend it", whom),
	}
}
