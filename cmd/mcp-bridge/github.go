package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
)

// tokenVariable is where a command line takes the token from.
const tokenVariable = "GITHUB_TOKEN"

// A githubSource is GitHub, as far as it is listed.
type githubSource struct {
	sourceConfig
	Repositories []string     `json:"repositories,omitempty" jsonschema:"The repositories that may be reached: OWNER/REPO, with * for any run of characters. One with a ! before it is denied. A source with a token must name them."`
	Token        string       `json:"token,omitempty" jsonschema:"The token. It is sent to GitHub's API and to no other host."`
	CallerHeader callerHeader `json:"callerHeader,omitempty" jsonschema:"The request header in which a caller brings a token of its own, over HTTP. It is sent in place of token. Default: X-GitHub-Token."`
	CallerTokens bool         `json:"callerTokens,omitempty" jsonschema:"Callers bring tokens of their own, and token is sent for nobody."`
	Host         string       `json:"host,omitempty" jsonschema:"The name or URL of a GitHub Enterprise Server or of a ghe.com tenant. Default: github.com."`
	BaseURL      string       `json:"baseURL,omitempty" jsonschema:"The URL of the REST API, where host does not tell it."`
	Toolsets     []string     `json:"toolsets,omitempty" jsonschema:"Groups of tools to serve: context, repos, search, issues, pulls, actions; default is a choice of them, all is all. Default: default."`
	Tools        []string     `json:"tools,omitempty" jsonschema:"Single tools to serve on top of toolsets."`
}

func (s *githubSource) common() *sourceConfig { return &s.sourceConfig }

func (s *githubSource) bringsIn() string { return cmp.Or(string(s.CallerHeader), "X-GitHub-Token") }

// resolve makes the source read-only unless the file says otherwise.
func (s *githubSource) resolve(v *strictjson.Value, _ string) error {
	if v.Member("readOnly") == nil {
		s.ReadOnly = true
	}
	for i, name := range s.Repositories {
		plain, denied := strings.CutPrefix(name, "!")
		if plain = strings.TrimPrefix(asGitHub(plain), "github:"); denied {
			plain = "!" + plain
		}
		s.Repositories[i] = plain
	}
	if i := slices.IndexFunc(s.Allow, s.hides); i >= 0 {
		return v.Member("allow").Errorf("%q: repositories are allowed in repositories", s.Allow[i])
	}
	if err := bridgegithub.Valid(s.options(s.Deny)); err != nil {
		return v.Errorf("%v", err)
	}
	return nil
}

func (s *githubSource) open(c *config) core.Adapter {
	o := s.options(c.hiddenBy(s))
	o.Proxy = c.proxy
	return bridgegithub.New(o)
}

// hides reports whether a deny entry is about repositories. Each tool is for all
// of them, so that mapping could only drop all tools.
func (s *githubSource) hides(entry string) bool { return strings.HasPrefix(entry, "repo:") }

// options says to the adapter what it serves, less the repositories of these
// entries.
func (s *githubSource) options(deny []string) bridgegithub.Options {
	o := bridgegithub.Options{
		Repositories: s.Repositories, Token: s.Token, CallerTokens: s.CallerTokens,
		Host: s.Host, BaseURL: s.BaseURL, Toolsets: s.Toolsets, Tools: s.Tools,
	}
	for _, entry := range deny {
		if repo, found := strings.CutPrefix(entry, "repo:"); found {
			o.Deny = append(o.Deny, repo)
		}
	}
	return o
}

// githubArg is the source of github:OWNER/REPO or github:OWNER.
func githubArg(location string, lookup func(string) (string, bool)) *githubSource {
	name := strings.TrimPrefix(location, "github:")
	if !strings.Contains(name, "/") {
		name += "/*"
	}
	token, _ := lookup(tokenVariable)
	s := &githubSource{Repositories: []string{name}, Token: token}
	s.ReadOnly = true
	return s
}
