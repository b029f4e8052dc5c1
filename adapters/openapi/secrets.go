package openapi

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"slices"
	"strings"
)

const (
	// minSecret is how long a text has to be to be taken for a secret; hiding a
	// shorter one would change answers that hold it by chance.
	minSecret = 6
	hidden    = "[hidden]"
)

// Secrets are what an answer must not show: a server that echoes a request would
// otherwise hand its credentials to the model.
type secrets struct{ texts []string }

// add takes a credential, and of user:password both parts together and the second.
func (s *secrets) add(credential string) {
	all := []string{credential}
	if _, password, ok := strings.Cut(credential, ":"); ok {
		all = append(all, password)
	}
	if _, token, ok := strings.Cut(credential, " "); ok {
		all = append(all, token)
	}
	for _, t := range all {
		if len(t) < minSecret {
			continue
		}
		// As it is, in JSON, in HTML, in a URL and in a form.
		inJSON := strings.Trim(string(appendString(nil, t)), `"`)
		inURL, inForm := escapeURL.value(t), escapeForm.value(t)
		for _, form := range []string{t, inJSON, html.EscapeString(t), inURL, inForm, smallEscapes(inURL), smallEscapes(inForm)} {
			if !slices.Contains(s.texts, form) {
				s.texts = append(s.texts, form)
			}
		}
	}
	// The longest first, so that no rest of one is left.
	slices.SortStableFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
}

// smallEscapes writes the escapes of a URL in small letters, as some servers do.
func smallEscapes(text string) string {
	parts := strings.Split(text, "%")
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToLower(part[:2]) + part[2:]
	}
	return strings.Join(parts, "%")
}

// addHeaders takes the values of headers whose names say that they are secret.
func (s *secrets) addHeaders(h http.Header) {
	for name, values := range h {
		name = strings.ToLower(name)
		if slices.ContainsFunc([]string{"auth", "cookie", "key", "token", "secret", "password"}, func(w string) bool { return strings.Contains(name, w) }) {
			for _, v := range values {
				s.add(v)
			}
		}
	}
}

// addChanges takes what a hook added to the headers.
func (s *secrets) addChanges(before, after http.Header) {
	for name, values := range after {
		for _, v := range values {
			if !slices.Contains(before[name], v) {
				s.add(v)
			}
		}
	}
}

// hide replaces every secret in b.
func (s *secrets) hide(b []byte) []byte {
	for _, t := range s.texts {
		if bytes.Contains(b, []byte(t)) {
			b = bytes.ReplaceAll(b, []byte(t), []byte(hidden))
		}
	}
	if len(s.texts) > 0 && bytes.IndexByte(b, '\\') >= 0 {
		b = s.hideEscaped(b)
	}
	return b
}

// hideEscaped replaces secrets in JSON strings that a server has written in its own
// way: some write \/ for a slash, some \u003c for a sign, some \u00e9 for a letter.
// A string that is JSON itself is looked into.
func (s *secrets) hideEscaped(b []byte) []byte {
	var out []byte
	copied := 0 // of b into out
	for begin := bytes.IndexByte(b, '"'); begin >= 0 && begin < len(b); {
		end, escaped := begin+1, false
		for end < len(b) && b[end] != '"' {
			if b[end] == '\\' {
				escaped = true
				end++
			}
			end++
		}
		if end >= len(b) {
			break // cut off
		}
		var text string
		if escaped && json.Unmarshal(b[begin:end+1], &text) == nil {
			if shown := s.hide([]byte(text)); string(shown) != text {
				out = appendString(append(out, b[copied:begin]...), string(shown))
				copied = end + 1
			}
		}
		next := bytes.IndexByte(b[end+1:], '"')
		if next < 0 {
			break
		}
		begin = end + 1 + next
	}
	if copied == 0 {
		return b
	}
	return append(out, b[copied:]...)
}

// hideHeader replaces every secret in the fields that are read of an answer.
func (s *secrets) hideHeader(h http.Header) {
	for _, name := range []string{"Link", "Location", "Content-Type", "Retry-After"} {
		for i, v := range h[name] {
			h[name][i] = string(s.hide([]byte(v)))
		}
	}
}
