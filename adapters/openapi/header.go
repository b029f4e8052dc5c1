package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// reservedHeader says that a header is never an argument: the transport sets it,
// it carries credentials, or the specification says that a parameter of this name
// is ignored (Accept, Content-Type, Authorization).
func reservedHeader(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, "sec-") || slices.Contains([]string{
		"accept", "content-type", "authorization",
		"host", "content-length", "content-encoding", "accept-encoding", "cookie", "set-cookie",
		"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect",
	}, name)
}

// credentialPlace says that a parameter is where a credential goes: a cookie of
// any security scheme of the document, or the header or query parameter of one
// that the operation asks for. Such a parameter is never an argument.
func credentialPlace(in, name string, schemes map[string]*openapi3.SecurityScheme, asked openapi3.SecurityRequirements) bool {
	for key, scheme := range schemes {
		if scheme.Type != "apiKey" || scheme.In != in || !samePlace(in, scheme.Name, name) {
			continue
		}
		if in == openapi3.ParameterInCookie || slices.ContainsFunc(asked, func(r openapi3.SecurityRequirement) bool { _, ok := r[key]; return ok }) {
			return true
		}
	}
	return false
}

func samePlace(in, a, b string) bool {
	return a == b || in == openapi3.ParameterInHeader && strings.EqualFold(a, b)
}

// setHeader writes a header parameter. A value that holds a control character
// could begin another field, so it is refused.
func setHeader(h http.Header, p *openapi3.Parameter, v value) error {
	if reservedHeader(p.Name) {
		return errors.New("this header is set by the bridge, never by an argument")
	}
	text, ok, err := writeOne(p, v)
	if err != nil || !ok {
		return err
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); i >= 0 {
		return fmt.Errorf("it holds the control character %q, which a header cannot carry", text[i:i+1])
	}
	h.Set(p.Name, text)
	return nil
}

// writeCookie writes a cookie parameter as name=value pairs. A list or object
// that explodes becomes several cookies, for only "; " separates cookies.
func writeCookie(p *openapi3.Parameter, v value) ([]pair, error) {
	pairs, err := writeQuery(p, v)
	if err != nil {
		return nil, err
	}
	for _, c := range pairs {
		if strings.ContainsFunc(c.name+c.value, func(r rune) bool { return r < ' ' || r == 0x7f || r == ';' }) || strings.Contains(c.name, "=") {
			return nil, errors.New("it holds a character that a cookie cannot carry")
		}
	}
	return pairs, nil
}
