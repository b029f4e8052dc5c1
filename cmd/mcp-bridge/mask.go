package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// hiddenWord stands in the place of a secret.
const hiddenWord = "[hidden]"

// leastSecret is how long a secret is at least. What is shorter stands in many
// texts by chance, and guards nothing.
const leastSecret = 6

// A mask hides secrets in texts.
type mask struct {
	secrets  []string
	replacer *strings.Replacer
}

func newMask(secrets []string) *mask {
	var all []string
	for _, s := range secrets {
		if len(s) < leastSecret {
			continue
		}
		// As it is, in quotes, in a URL, and as HTTP's basic authentication sends it.
		quoted := strconv.Quote(s)
		all = append(all, s, quoted[1:len(quoted)-1], url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte(s)))
	}
	// At one place the first that fits is replaced: the longest.
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	all = slices.Compact(all)
	pairs := make([]string, 0, 2*len(all))
	for _, s := range all {
		pairs = append(pairs, s, hiddenWord)
	}
	return &mask{secrets, strings.NewReplacer(pairs...)}
}

// and returns a mask that hides more.
func (m *mask) and(more []string) *mask {
	all := slices.Concat(m.secrets, more)
	slices.Sort(all)
	return newMask(slices.Compact(all))
}

func (m *mask) text(s string) string { return m.replacer.Replace(s) }

// json hides secrets in JSON, whatever way its strings are written in, and
// leaves the rest as it is.
func (m *mask) json(raw []byte) json.RawMessage {
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		token := jsonToken(raw)
		raw = raw[len(token):]
		out = append(out, m.token(token)...)
	}
	return out
}

// jsonToken returns the string, the number or the single byte that raw, which is
// valid, begins with.
func jsonToken(raw []byte) []byte {
	if raw[0] == '"' {
		end := 1
		for raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		return raw[:end+1]
	}
	end := 0
	for end < len(raw) && bytes.IndexByte([]byte("0123456789+-.eE"), raw[end]) >= 0 {
		end++
	}
	return raw[:max(end, 1)]
}

func (m *mask) token(token []byte) []byte {
	text := string(token)
	if token[0] == '"' && json.Unmarshal(token, &text) != nil {
		return token
	}
	hidden := text
	if inner := []byte(text); strings.Contains(text, `\`) && json.Valid(inner) { // JSON in a string, as answers are
		hidden = string(m.json(inner))
	}
	if hidden = m.text(hidden); hidden == text {
		return token
	}
	literal, err := json.Marshal(hidden)
	if err != nil {
		return []byte(`"` + hiddenWord + `"`)
	}
	return literal
}

// plainHeaders are the headers whose values are no secrets. Those of all others
// are hidden: they may be credentials, and new ones are invented every year.
func plainHeaders() []string {
	return []string{
		"Accept", "Accept-Encoding", "Accept-Language", "Allow", "Cache-Control", "Connection", "Content-Length", "Content-Type",
		"Date", "Host", "Last-Event-Id", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Origin", "Retry-After",
		"Traceparent", "Tracestate", "Transfer-Encoding", "User-Agent", "Www-Authenticate", "X-Accel-Buffering", "X-Content-Type-Options",
	}
}

// shownHeaders returns headers as they may be shown.
func shownHeaders(h http.Header) map[string]string {
	plain := plainHeaders()
	shown := map[string]string{}
	for name, values := range h {
		shown[name] = hiddenWord
		if slices.Contains(plain, name) {
			shown[name] = strings.Join(values, ", ")
		}
	}
	return shown
}

// hidden returns the secrets of a config: what came from the environment and from
// files, and what is sent to backends to be let in.
func (c *config) hidden() []string {
	all := slices.Clone(c.found.values)
	of := func(h headers) {
		for name, value := range h {
			if !slices.Contains(plainHeaders(), http.CanonicalHeaderKey(name)) {
				_, bare, _ := strings.Cut(value, " ") // "Bearer …"
				all = append(all, value, bare)
			}
		}
	}
	of(c.Telemetry.Headers)
	all = append(all, c.ConfirmKey)
	for _, s := range c.sources {
		switch s := s.(type) {
		case *openapiSource:
			of(s.Headers)
			for _, value := range s.Credentials {
				_, password, _ := strings.Cut(value, ":") // of user:password and id:secret
				all = append(all, value, password)
			}
		case *postgresSource:
			all = append(all, passwords(s.DSN)...)
		case *mysqlSource:
			all = append(all, passwords(s.DSN)...)
		case *githubSource:
			all = append(all, s.Token)
		}
	}
	return all
}

// passwords returns those of a connection string, as they are and as they are
// written in it.
func passwords(dsn string) []string {
	found := []string{dsn}
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		password, _ := u.User.Password()
		_, written, _ := strings.Cut(u.User.String(), ":")
		found = append(found, password, written)
		for name, values := range u.Query() {
			if strings.Contains(strings.ToLower(name), "pass") {
				found = append(found, values...)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?i)password\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s&]+))`).FindAllStringSubmatch(dsn, -1) {
		found = append(found, m[1], m[2])
	}
	return found
}
