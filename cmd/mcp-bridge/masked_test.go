package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// What came from the environment or a file is in no log line, in whatever form.
func TestLogsHideWhatCameFromOutside(t *testing.T) {
	secret := `pa"ss/wörd and more`
	c := &config{found: findings{values: []string{secret, "short"}}}
	var out bytes.Buffer
	w := newMasked(&out, c)
	log := (&process{}).logger("debug", w)
	log.Info("plain", "error", fmt.Errorf("get %s", secret), "value", secret, "address", "https://x/?key="+url.QueryEscape(secret), "short", "short")
	w.hide(&config{found: findings{values: []string{"another-secret"}}})
	log.Info("another-secret", "value", secret)
	for _, part := range []string{"ss/w", "ss%2Fw", "and more", "another-secret"} {
		if strings.Contains(out.String(), part) {
			t.Errorf("%q is in the log:\n%s", part, &out)
		}
	}
	if strings.Count(out.String(), "[hidden]") != 5 || !strings.Contains(out.String(), "short=short") {
		t.Errorf("the log is\n%s", &out)
	}
}

// An API that echoes what it is sent hands no secret to the model, whatever the
// name of the header; an address may be named, and so may a default.
func TestAnswersHideWhatCameFromOutside(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "you sent ", r.Header, " ", r.URL.RawQuery, " to http://", r.Host)
	}))
	t.Cleanup(api.Close)
	values := map[string]string{"TENANT": "tenant-4711", "PART": "half-a-secret", "PIN": "fixed-pin-99", "BASE": api.URL}
	p := &process{out: &bytes.Buffer{}, err: io.Discard, lookup: func(name string) (string, bool) { v, ok := values[name]; return v, ok }}
	dir := t.TempDir()
	write(t, dir, "pets.yaml", `openapi: 3.0.3
info: {title: pets, version: '1'}
paths:
  /pets:
    get: {operationId: listPets, parameters: [{name: pin, in: query, schema: {type: string}}], responses: {'200': {description: ok}}}
`)
	config := write(t, dir, "bridge.json", `{"sources": {"pets": {"kind": "openapi", "location": "pets.yaml", "baseURL": "${env:BASE}", "prefix": "",
		"headers": {"X-Tenant": "${env:TENANT}", "X-Mixed": "id ${env:PART}.x", "X-Team": "${env:TEAM:-platform}", "X-Plain": "plain-text"},
		"fixed": {"*": {"pin": "${env:PIN}"}}}}}`)
	if code := p.run([]string{"call", "--config", config, "list_pets"}); code != 0 {
		t.Fatalf("call ends with %d: %v", code, p.out)
	}
	answer := fmt.Sprint(p.out)
	for _, secret := range []string{"tenant-4711", "half-a-secret", "fixed-pin-99"} {
		if strings.Contains(answer, secret) {
			t.Errorf("the answer shows %s: %s", secret, answer)
		}
	}
	for _, open := range []string{"platform", "plain-text", api.URL} {
		if !strings.Contains(answer, open) {
			t.Errorf("the answer hides %s: %s", open, answer)
		}
	}
}

// The same on a command line.
func TestHeadersOfACommandLineAreHidden(t *testing.T) {
	f := &backendFlags{Sources: []string{"pets.yaml"}, Header: []string{"X-Tenant: ${env:TENANT}"}}
	c, err := f.fromSources(&process{lookup: func(string) (string, bool) { return "tenant-4711", true }})
	if err != nil {
		t.Fatal(err)
	}
	s, ok := c.sources["pets"].(*openapiSource)
	if !ok {
		t.Fatalf("the sources are %v", c.sources)
	}
	if got := s.brought(c.found.values); len(got) != 1 || got[0] != "tenant-4711" {
		t.Errorf("hidden in answers: %q", got)
	}
}
