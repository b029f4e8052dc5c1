package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// What follows recognises what people give in the place of something else.

// asGitHub returns github:OWNER/REPO or github:OWNER for the addresses of a
// repository or an owner that people copy from elsewhere; other locations stay as
// they are.
func asGitHub(location string) string {
	m := regexp.MustCompile(`(?i)^(?:github:)?(?:(?:git\+)?(?:https?|ssh|git)://(?:[^/@]*@)?|git@)?(?:www\.)?github\.com[:/](.+)$`).FindStringSubmatch(location)
	name := strings.TrimPrefix(location, "github:")
	switch {
	case m != nil:
		name = m[1]
	case name == location:
		return location
	}
	name = strings.TrimSuffix(strings.TrimRight(name, "/"), ".git")
	if m != nil && (strings.Count(name, "/") > 1 || strings.ContainsAny(name, "?#")) {
		return location
	}
	return "github:" + name
}

// looksLikeSource reports whether a word can only be a source.
func looksLikeSource(word string) bool { return strings.ContainsAny(word, "./:") }

// page is a page of GitHub that shows a file.
var page = regexp.MustCompile(`^https?://(?:www\.)?github\.com/([^/]+/[^/]+)/(?:blob|raw)/(.+)$`)

// checkDocument refuses the location of something that is plainly no OpenAPI
// document.
func checkDocument(location string) error {
	if m := page.FindStringSubmatch(location); m != nil {
		return fmt.Errorf("%s is a page about a document; the document itself is at https://raw.githubusercontent.com/%s/%s", location, m[1], m[2])
	}
	if isConfig(location) {
		return fmt.Errorf("%s is a config file, not an OpenAPI document; write --config %s", location, location)
	}
	return nil
}

// isConfig reports whether a file is a config file. Large files are none.
func isConfig(location string) bool {
	const large = 1 << 20
	info, err := os.Stat(location)
	if err != nil || !info.Mode().IsRegular() || info.Size() > large {
		return false
	}
	text, err := os.ReadFile(location)
	var has struct {
		Sources          map[string]json.RawMessage
		OpenAPI, Swagger json.RawMessage
	}
	return err == nil && json.Unmarshal(text, &has) == nil && has.Sources != nil && has.OpenAPI == nil && has.Swagger == nil
}

// isDocument reports whether a text is an OpenAPI document.
func isDocument(text []byte) bool {
	return regexp.MustCompile(`(?m)^\s*(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:\s*["']?[0-9]`).Match(text)
}

// checkBaseURL refuses what is no absolute URL. It does not repeat it: it may come
// from outside.
func checkBaseURL(text string) error {
	u, err := url.Parse(text)
	if text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return fmt.Errorf("this is not an absolute URL; write it with http:// or https://, such as http://localhost:8080/v1")
}
