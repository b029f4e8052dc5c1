package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/spf13/pflag"
)

// backendFlags say which backends a command is about.
type backendFlags struct {
	Sources  []string
	Config   string
	ReadOnly bool
	BaseURL  string
	LogLevel level
	Header   []string
	Allow    []string
	Deny     []string
}

const sourceHelp = `A SOURCE is the path or URL of an OpenAPI document, - for one on standard input,
postgres://…, mysql://…, sqlite:FILE or github:OWNER/REPO; perhaps with a name:
pets=petstore.yaml.`

func (f *backendFlags) flags(set *pflag.FlagSet) {
	set.StringVarP(&f.Config, "config", "c", "", "config `FILE`, instead of sources")
	set.BoolVar(&f.ReadOnly, "read-only", false, "leave out every operation that is not known to be a read")
	set.StringVar(&f.BaseURL, "base-url", "", "`URL` of the API, in place of the servers that the document names")
	set.Func("log-level", "`LEVEL` of the least important messages on standard error: debug, info, warn or error", func(word string) error {
		return f.LogLevel.UnmarshalText([]byte(word))
	})
	set.StringArrayVar(&f.Header, "header", nil, "header `'K: V'` to send with every request; ${env:NAME} and ${file:PATH} stand for secrets; may be repeated")
	set.StringArrayVar(&f.Allow, "allow", nil, "serve only what matches `ENTRY`: a tool's name, or group:NAME, key:KEY, effect:reads and so on, * being any characters; may be repeated")
	set.StringArrayVar(&f.Deny, "deny", nil, "leave out what matches `ENTRY`, written as for --allow; may be repeated")
}

func (f *backendFlags) take(args []string) error {
	f.Sources = args
	return nil
}

// useInput reports whether a source is read from standard input.
func (f *backendFlags) useInput() bool {
	return slices.ContainsFunc(f.Sources, func(arg string) bool {
		_, location := cutName(arg)
		return location == "-"
	})
}

// config returns what the flags amount to.
func (f *backendFlags) config(p *process) (*config, error) {
	c, err := f.read(p)
	if err != nil {
		return nil, err
	}
	if err := c.readProxy(p.lookup); err != nil {
		return nil, err
	}
	c.Rules.ReadOnly = c.Rules.ReadOnly || f.ReadOnly
	c.Log.Level = cmp.Or(f.LogLevel, c.Log.Level)
	return c, nil
}

func (f *backendFlags) read(p *process) (*config, error) {
	about := f.BaseURL != "" || len(f.Header) > 0
	switch {
	case f.Config != "" && len(f.Sources) > 0:
		return nil, fmt.Errorf("give either sources or --config: a config file names its own sources")
	case f.Config != "" && about:
		return nil, fmt.Errorf("--base-url and --header are for a SOURCE; in a config file they are baseURL and headers of a source")
	case f.Config != "" && len(f.Allow)+len(f.Deny) > 0:
		return nil, fmt.Errorf("--allow and --deny are for SOURCEs; in a config file they are allow and deny of rules or of a source")
	case f.Config != "":
		return loadConfig(f.Config, p.lookup)
	case len(f.Sources) == 0:
		return nil, fmt.Errorf("nothing to serve: give the path of an OpenAPI document, the address of a database, github:OWNER/REPO, or --config FILE")
	case len(f.Sources) > 1 && about:
		return nil, fmt.Errorf("--base-url and --header are for a single SOURCE; several sources take them from a config file")
	}
	return f.fromSources(p)
}

func (f *backendFlags) fromSources(p *process) (*config, error) {
	if err := checkBaseURL(f.BaseURL); err != nil {
		return nil, fmt.Errorf("--base-url: %w", err)
	}
	list, err := parseSources(f.Sources)
	if err != nil {
		return nil, err
	}
	for _, given := range []struct {
		flag    string
		entries []string
	}{{"--allow", f.Allow}, {"--deny", f.Deny}} {
		for _, entry := range given.entries {
			if err := mapping.CheckEntry(entry); err != nil {
				return nil, fmt.Errorf("%s %w", given.flag, err)
			}
		}
	}
	c := &config{sources: map[string]source{}}
	c.Rules.Allow, c.Rules.Deny = f.Allow, f.Deny
	expand := secrets{lookup: p.lookup, found: &c.found}.expand
	sent := headers{}
	for _, line := range f.Header {
		name, value, err := parseHeader(line, expand)
		if err != nil {
			return nil, err
		}
		sent[name] = value
	}
	for _, s := range list {
		if isDatabase(s.kind) {
			location, err := expand(s.location)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.shown(), err)
			}
			s.location = location
		}
		c.sources[s.name] = s.source(f, sent, p.lookup)
	}
	return c, nil
}
