package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A config is everything that an operator says: a config file, or what flags
// and sources of a command line amount to. The jsonschema tags are the
// descriptions of docs/config.schema.json and docs/configuration.md.
type config struct {
	Schema       string                       `json:"$schema,omitempty" jsonschema:"The schema of this file, for editors. The bridge does not read it."`
	Name         string                       `json:"name,omitempty" jsonschema:"What the server calls itself to clients. Default: the name of the only source, else mcp-bridge."`
	Instructions string                       `json:"instructions,omitempty" jsonschema:"What the server tells a model about itself. Default: written from what the sources say of themselves."`
	Sources      map[string]*strictjson.Value `json:"sources" jsonschema:"The backends, by name. A name is a lower-case letter and then up to 15 lower-case letters, digits and hyphens; it stands in URIs and before tool names."`
	ConfirmKey   string                       `json:"confirmKey,omitempty" jsonschema:"A secret of at least 32 characters by which the consent of a user is recognised, where rules.confirm asks for it. Processes that serve one client by turns need the same. Default: a new one for each process."`
	Rules        rulesConfig                  `json:"rules,omitempty" jsonschema:"What a model may see and do, for all sources."`
	Prompts      map[string]promptConfig      `json:"prompts,omitempty" jsonschema:"Message templates for a user to pick, by name, beside those that sources have. A name has at most 64 characters of A-Z, a-z, 0-9, _, . and -."`
	Proxy        proxyAddress                 `json:"proxy,omitempty" jsonschema:"The proxy for requests to APIs, to GitHub, to an issuer of tokens and to a collector: its address, such as http://proxy.example:3128, or off. NO_PROXY names what it is not for. Default: what HTTPS_PROXY and HTTP_PROXY say."`
	Limits       limitsConfig                 `json:"limits,omitempty" jsonschema:"Bounds on each call."`
	HTTP         httpConfig                   `json:"http,omitempty" jsonschema:"Serving over HTTP."`
	Admin        adminConfig                  `json:"admin,omitempty" jsonschema:"An address for operators and their machines: /healthz, /readyz, /metrics and /version. Off unless it has an address."`
	Telemetry    telemetryConfig              `json:"telemetry,omitempty" jsonschema:"Where traces go. Metrics are at admin.listen."`
	Audit        auditConfig                  `json:"audit,omitempty" jsonschema:"A record of calls."`
	Log          logConfig                    `json:"log,omitempty" jsonschema:"What is written to standard error."`

	proxy   outbound.Proxy    // set by readProxy; nil is none
	sources map[string]source // decoded from Sources
	door    *door             // set by options
	found   findings          // what came from the environment and from files
	files   filewatch.Files   // that it was read from
}

type rulesConfig struct {
	ReadOnly      bool                `json:"readOnly,omitempty" jsonschema:"Leave out every operation that is not known to be a read."`
	Allow         []string            `json:"allow,omitempty" jsonschema:"If not empty, only operations that match one of these are served. An entry is KIND:GLOB, with kind name, key, group (or tag), effect or table; without a kind it is a tool name."`
	Deny          []string            `json:"deny,omitempty" jsonschema:"Operations that match one of these are left out, whatever allow says. Entries are as in allow; column: hides a column of a database, repo: a repository of GitHub."`
	Confirm       []string            `json:"confirm,omitempty" jsonschema:"Operations that a user must confirm before each call. Entries are as in allow."`
	Scopes        map[string][]string `json:"scopes,omitempty" jsonschema:"Scopes that a caller's token must have, all of them, to see and use what an entry matches, by entry. Entries are as in allow."`
	Access        []accessConfig      `json:"access,omitempty" jsonschema:"Which callers see what. Where there is any, a caller sees what one of these covers that it fits, and nothing else."`
	OutputSchemas outputPolicy        `json:"outputSchemas,omitempty" jsonschema:"Whether tools publish the schema of their answers. Default: auto, which is never for OpenAPI sources."`
}

type limitsConfig struct {
	Timeout          duration `json:"timeout,omitempty" jsonschema:"How long one call may take. Default: 30s."`
	Concurrent       count    `json:"concurrent,omitempty" jsonschema:"How many calls of one source may run at once. Default: 16."`
	CallerConcurrent count    `json:"callerConcurrent,omitempty" jsonschema:"How many calls of one caller may run at once, over all sources. Default: 8. Without http.auth callers are not told apart, and it does not bound them."`
	Rate             rateWord `json:"rate,omitempty" jsonschema:"How often one caller may call or read one source, completions among it: 60/1m, or 60/1m burst 10 for no more than 10 at once. Default: no bound."`
	ArgumentBytes    count    `json:"argumentBytes,omitempty" jsonschema:"How long the arguments of a call may be. Default: 1048576."`
	BodyBytes        count    `json:"bodyBytes,omitempty" jsonschema:"How long an HTTP request may be. Default: 4194304."`
	Sessions         count    `json:"sessions,omitempty" jsonschema:"How many sessions there may be over HTTP, of clients older than 2026-07-28. Beyond that the one that has been idle longest is ended, if it has been for a minute. Default: 1000."`
	CallerSessions   count    `json:"callerSessions,omitempty" jsonschema:"How many of them one caller may have. Default: 100. Without http.auth it does not bound them."`
	SessionIdle      duration `json:"sessionIdle,omitempty" jsonschema:"How long a session over HTTP lives without a request. Default: 30m."`
	Subscriptions    count    `json:"subscriptions,omitempty" jsonschema:"How many resources one caller, or without http.auth one session, may watch. Default: 100."`
	Listens          count    `json:"listens,omitempty" jsonschema:"How many streams of notifications one caller may keep open over HTTP. Default: 16; without http.auth all callers together may have as many as sessions."`
	Drain            duration `json:"drain,omitempty" jsonschema:"How long calls over HTTP may go on after the bridge was asked to end. Default: 30s."`
	ResultBytes      count    `json:"resultBytes,omitempty" jsonschema:"How many bytes of text an answer may take; more is cut. Default: 60000."`
}

type httpConfig struct {
	Listen  string   `json:"listen,omitempty" jsonschema:"The address of a --http without one. Default: 127.0.0.1:8808."`
	Hosts   []string `json:"hosts,omitempty" jsonschema:"Host names, without port, under which the server may be reached, beside localhost and addresses in digits; * is all of them."`
	Origins []string `json:"origins,omitempty" jsonschema:"Web origins, such as https://app.example, whose pages may use the server and read its answers (CORS); * is all of them. Pages of this machine may send requests without being named here, but read no answer."`
	SSE     bool     `json:"sse,omitempty" jsonschema:"Also serve the HTTP transport of 2024-11-05, at /sse, for clients that know no newer one."`
	// Auth is nil where nobody is asked.
	Auth        *authConfig `json:"auth,omitempty" jsonschema:"Who may use the server. Without it nobody is asked, and only this machine may reach the server."`
	AllowRemote bool        `json:"allowRemote,omitempty" jsonschema:"Let other machines reach a server without auth. Whoever reaches it may then call every tool."`
}

type adminConfig struct {
	Listen      string `json:"listen,omitempty" jsonschema:"The address, such as 127.0.0.1:8809. Default: none."`
	AllowRemote bool   `json:"allowRemote,omitempty" jsonschema:"Let the address be one that other machines reach. Whoever reaches it may ask; it shows nothing of calls and their answers."`
}

type logConfig struct {
	Level  level `json:"level,omitempty" jsonschema:"The least important messages to write. Default: info."`
	Errors bool  `json:"errors,omitempty" jsonschema:"Also write the words of failed calls, which may hold arguments and what backends answered."`
}

// A sourceConfig is what every source takes, whatever its kind.
type sourceConfig struct {
	Kind      string              `json:"kind" jsonschema:"What the backend is."`
	Prefix    *string             `json:"prefix,omitempty" jsonschema:"What stands before each tool name. Default: the source's name and _; an empty string is none."`
	ReadOnly  bool                `json:"readOnly,omitempty" jsonschema:"Leave out every operation of this source that is not known to be a read."`
	Allow     []string            `json:"allow,omitempty" jsonschema:"As rules.allow, for this source."`
	Deny      []string            `json:"deny,omitempty" jsonschema:"As rules.deny, for this source."`
	Overrides map[string]override `json:"overrides,omitempty" jsonschema:"Decisions about single operations, by key, such as GET /pets/{id}."`
	Timeout   duration            `json:"timeout,omitempty" jsonschema:"As limits.timeout, for this source."`
	Rate      rateWord            `json:"rate,omitempty" jsonschema:"As limits.rate, for this source."`
}

type override struct {
	Name        string `json:"name,omitempty" jsonschema:"The tool's name, as it stands, without prefix."`
	Description string `json:"description,omitempty" jsonschema:"The tool's description, instead of the one that is written."`
	Effect      effect `json:"effect,omitempty" jsonschema:"What the operation does to the backend, where its method does not tell."`
	Hidden      bool   `json:"hidden,omitempty" jsonschema:"Keep the tool callable and leave it off the list."`
}

// An unread config could not be read. Files are what it may be mended by.
type unread struct {
	error
	files filewatch.Files
}

func (u *unread) Unwrap() error { return u.error }

// loadConfig reads a config file. Errors name the file, the line and the path.
func loadConfig(file string, lookup func(string) (string, bool)) (*config, error) {
	c := &config{}
	if err := c.load(file, lookup); err != nil {
		return nil, &unread{err, c.files}
	}
	return c, nil
}

func (c *config) load(file string, lookup func(string) (string, bool)) error {
	began := time.Now()
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("config file %s: %w", file, reason(err))
	}
	if isDocument(text) {
		return fmt.Errorf("%s is an OpenAPI document, not a config file; give it without --config", file)
	}
	whole, err := strictjson.Parse(file, text)
	if err != nil {
		return err
	}
	if whole.Member("mcpServers") != nil || whole.Member("servers") != nil {
		return whole.Errorf("this is a config file of a host, which says there how to start the bridge; --config takes one of the bridge, which has sources")
	}
	dir := filepath.Dir(file)
	missing := whole.Replace(secrets{lookup: lookup, dir: dir, found: &c.found}.expand)
	c.files = filewatch.Files{Names: append(c.found.files, file), Read: began}
	if err := errors.Join(missing, whole.Decode(c)); err != nil {
		return err
	}
	if len(c.Sources) == 0 {
		return whole.Errorf("sources is missing or empty: there is nothing to serve")
	}
	if c.Audit.File != "" {
		c.Audit.File = join(dir, c.Audit.File)
	}
	if err := c.decodeSources(dir); err != nil {
		return err
	}
	return c.checkRules(file)
}

// checkRules refuses rules that can never mean anything. Whether they match
// anything is seen when the sources have answered.
func (c *config) checkRules(file string) error {
	problems := []error{c.rules().Check()}
	if joined, ok := problems[0].(interface{ Unwrap() []error }); ok {
		problems = joined.Unwrap()
	}
	for i, access := range c.Rules.Access {
		for j, glob := range access.Sources {
			place := fmt.Sprintf("rules.access[%d].sources[%d]", i, j)
			problems = append(problems, c.knowsSource(place, glob))
		}
	}
	for i, err := range problems {
		if err != nil {
			problems[i] = fmt.Errorf("%s: %w", file, err)
		}
	}
	return errors.Join(problems...)
}

func (c *config) knowsSource(place, glob string) error {
	names := sorted(c.sources)
	if glob == "" || slices.ContainsFunc(names, func(name string) bool { return mapping.MatchGlob(glob, name) }) {
		return nil // an empty one is refused elsewhere
	}
	return fmt.Errorf("%s: no source is called %q; the sources are %s%s", place, glob, strings.Join(names, ", "), meant("", glob, names))
}

// decodeSources reads each source by its kind.
func (c *config) decodeSources(dir string) error {
	c.sources = map[string]source{}
	var problems []error
	for _, name := range sorted(c.Sources) {
		s, err := decodeSource(name, c.Sources[name], dir)
		problems = append(problems, err)
		c.sources[name] = s
	}
	return errors.Join(problems...)
}

func decodeSource(name string, v *strictjson.Value, dir string) (source, error) {
	if !sourceName.MatchString(name) {
		return nil, v.Errorf("%v", badName(name))
	}
	s, err := newSource(v)
	if err != nil {
		return nil, err
	}
	if err := v.Decode(s); err != nil {
		return nil, err
	}
	if s.common().Prefix == nil { // a config file may grow a second source, and names should not change then
		prefix := strings.ReplaceAll(name, "-", "_") + "_"
		s.common().Prefix = &prefix
	}
	return s, s.resolve(v, dir)
}

// unheld names the rules that ask for what no caller has, because nobody is asked
// who they are.
func (c *config) unheld() []string {
	var notes []string
	if c.HTTP.Auth != nil {
		return nil
	}
	const none = "asks for what no caller has without http.auth, so nobody sees what it shows"
	for _, entry := range sorted(c.Rules.Scopes) {
		notes = append(notes, fmt.Sprintf("rules.scopes[%s] %s", entry, none))
	}
	for i, a := range c.Rules.Access {
		if len(a.Scopes)+len(a.Claims) > 0 {
			notes = append(notes, fmt.Sprintf("rules.access[%d] %s", i, none))
		}
	}
	return notes
}

// rules returns what mapping has to know.
func (c *config) rules() mapping.Rules {
	r := mapping.Rules{
		ReadOnly:      c.Rules.ReadOnly,
		Allow:         c.Rules.Allow,
		Deny:          c.Rules.Deny,
		Confirm:       c.Rules.Confirm,
		Scopes:        c.Rules.Scopes,
		Access:        c.Rules.access(),
		OutputSchemas: string(c.Rules.OutputSchemas),
		ResultBytes:   int(c.Limits.ResultBytes),
		Prompts:       c.prompts(),
		Sources:       map[string]mapping.SourceRules{},
	}
	for name, s := range c.sources {
		r.Sources[name] = s.common().rules()
		if h, ok := s.(hider); ok { // so nothing of it is left to match
			of := r.Sources[name]
			of.Deny = slices.DeleteFunc(slices.Clone(of.Deny), h.hides)
			r.Sources[name] = of
			r.Deny = slices.DeleteFunc(slices.Clone(r.Deny), h.hides)
		}
	}
	return r
}

// A hider is a source whose adapter itself keeps to some entries of deny, because
// they are about what is in answers and not about operations.
type hider interface{ hides(entry string) bool }

// hiddenBy are the entries of deny that a source's adapter keeps to.
func (c *config) hiddenBy(s interface{ common() *sourceConfig }) []string {
	h, ok := s.(hider)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Concat(s.common().Deny, c.Rules.Deny), func(entry string) bool { return !h.hides(entry) })
}

func (s *sourceConfig) rules() mapping.SourceRules {
	r := mapping.SourceRules{Prefix: s.Prefix, ReadOnly: s.ReadOnly, Allow: s.Allow, Deny: s.Deny}
	for key, o := range s.Overrides {
		if r.Overrides == nil {
			r.Overrides = map[string]mapping.Override{}
		}
		r.Overrides[key] = mapping.Override{Name: o.Name, Description: o.Description, Effect: mapping.Effect(o.Effect), Hidden: o.Hidden}
	}
	return r
}

// timeouts returns the sources that have a deadline of their own.
func (c *config) timeouts() map[string]time.Duration {
	of := map[string]time.Duration{}
	for name, s := range c.sources {
		if t := time.Duration(s.common().Timeout); t != 0 {
			of[name] = t
		}
	}
	return of
}

// rates returns the sources that have a rate of their own.
func (c *config) rates() map[string]core.Rate {
	of := map[string]core.Rate{}
	for name, s := range c.sources {
		if r := core.Rate(s.common().Rate); r != (core.Rate{}) {
			of[name] = r
		}
	}
	return of
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
