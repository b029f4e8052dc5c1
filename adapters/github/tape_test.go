package github_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A recording is one exchange with the real GitHub.
type recording struct {
	scenario string
	method   string
	at       *url.URL
	sent     json.RawMessage // nil if nothing is known of it
	status   int
	header   http.Header
	body     []byte
}

func (r recording) String() string {
	return fmt.Sprintf("%s: %s %s → %d", r.scenario, r.method, r.at, r.status)
}

// tapes reads the scenarios of $BRIDGE_CORPUS/github.
func tapes(t *testing.T) map[string][]recording {
	root := os.Getenv("BRIDGE_CORPUS")
	if root == "" {
		t.Skip("BRIDGE_CORPUS is not set: it names a folder with recordings of GitHub, which this test plays")
	}
	all := map[string][]recording{}
	for _, pattern := range []string{"github/octokit-fixtures/*/*.json", "github/wiremock-hub4j/*/*/mappings/*.json"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(filepath.Dir(f), root+"/github/")
			if strings.Contains(pattern, "mappings") {
				all[filepath.Dir(name)] = append(all[filepath.Dir(name)], wiremock(t, filepath.Dir(filepath.Dir(f)), filepath.Dir(name), data)...)
			} else {
				name += " " + strings.TrimSuffix(filepath.Base(f), "-fixture.json")
				all[name] = nock(t, name, data)
			}
		}
	}
	return all
}

// nock reads the form of octokit's fixtures.
func nock(t *testing.T, scenario string, data []byte) []recording {
	var list []struct {
		Scope, Method, Path string
		Body, Response      json.RawMessage
		Status              int
		Headers             map[string]any
		RawHeaders          []string
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%s: %v", scenario, err)
	}
	var all []recording
	for _, x := range list {
		r := recording{scenario: scenario, method: strings.ToUpper(x.Method), at: parsed(t, x.Scope+x.Path), status: x.Status, header: http.Header{}, body: x.Response}
		if strings.HasPrefix(string(x.Body), "{") {
			r.sent = x.Body
		}
		var text string
		if json.Unmarshal(x.Response, &text) == nil {
			r.body = []byte(text)
		}
		for k, v := range x.Headers {
			r.header.Set(k, fmt.Sprint(v))
		}
		for i := 0; i+1 < len(x.RawHeaders); i += 2 {
			r.header.Add(x.RawHeaders[i], x.RawHeaders[i+1])
		}
		all = append(all, r)
	}
	return all
}

// wiremock reads the form of hub4j's.
func wiremock(t *testing.T, dir, scenario string, data []byte) []recording {
	var m struct {
		Request struct {
			URL, Method  string
			BodyPatterns []struct{ EqualToJSON json.RawMessage }
		}
		Response struct {
			Status       json.Number
			Body         string
			BodyFileName string
			Headers      map[string]any
		}
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Request.URL == "" {
		return nil // a pattern, which names no one exchange
	}
	status, err := m.Response.Status.Int64()
	if err != nil {
		return nil
	}
	r := recording{scenario: scenario, method: m.Request.Method, at: parsed(t, "https://api.github.com"+m.Request.URL), status: int(status), header: http.Header{}, body: []byte(m.Response.Body)}
	if m.Response.BodyFileName != "" {
		if r.body, err = os.ReadFile(filepath.Join(dir, "__files", m.Response.BodyFileName)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range m.Request.BodyPatterns {
		var text string
		if json.Unmarshal(p.EqualToJSON, &text) == nil {
			r.sent = json.RawMessage(text)
		} else {
			r.sent = p.EqualToJSON
		}
	}
	for k, v := range m.Response.Headers {
		if s, one := v.(string); one {
			r.header.Set(k, s)
		}
	}
	return []recording{r}
}

func parsed(t *testing.T, address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A player answers from the recordings of one scenario.
type player struct {
	all     []recording
	used    []bool
	played  []recording
	sent    []json.RawMessage // the bodies of writes
	missing []string          // what nobody recorded
	leaked  []string
}

var numbered = regexp.MustCompile(`^/repositories/\d+`)

// place is where a request leads, whichever of GitHub's addresses names it. A
// scenario has one repository.
func (p *player) place(u *url.URL) string {
	path := strings.TrimSuffix(u.Path, "/")
	if numbered.MatchString(path) {
		for _, r := range p.all {
			if parts := strings.Split(r.at.Path, "/"); parts[1] == "repos" {
				return numbered.ReplaceAllString(path, strings.Join(parts[:4], "/"))
			}
		}
	}
	return path
}

// RoundTrip implements http.RoundTripper.
func (p *player) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != "api.github.com" && req.Header.Get("Authorization") != "" {
		p.leaked = append(p.leaked, req.URL.String())
	}
	best, most := -1, -1
	for i, r := range p.all {
		if r.method != req.Method || p.place(r.at) != p.place(req.URL) || r.at.Query().Get("page") != req.URL.Query().Get("page") {
			continue
		}
		if strings.Contains(r.header.Get("Content-Type"), "raw") != strings.Contains(req.Header.Get("Accept"), "raw") {
			continue // recorded in another form
		}
		score := 0
		for k := range r.at.Query() {
			if r.at.Query().Get(k) == req.URL.Query().Get(k) {
				score += 2
			}
		}
		if !p.used[i] {
			score++
		}
		if score > most {
			best, most = i, score
		}
	}
	if req.Body != nil {
		data, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		p.sent = append(p.sent, data)
	}
	if best < 0 {
		p.missing = append(p.missing, req.Method+" "+req.URL.String())
		return nil, fmt.Errorf("not recorded: %s", req.URL)
	}
	r := p.all[best]
	p.used[best] = true
	p.played = append(p.played, r)
	return &http.Response{
		StatusCode: r.status, Status: http.StatusText(r.status), Header: r.header.Clone(), Body: io.NopCloser(strings.NewReader(string(r.body))), ContentLength: -1,
		Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}
