package core

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Options say how a bridge behaves. The zero Options are useful.
type Options struct {
	// Name, Title and Version introduce the server to its clients. An empty Name
	// is "mcp-bridge", an empty Version "devel".
	Name, Title, Version string
	// Instructions tell a model how to use the server as a whole; "" is written
	// from what the sources say about themselves.
	Instructions string
	// Rules decide what a model sees. They must pass [mapping.Rules.Check].
	Rules  mapping.Rules
	Limits Limits
	// Hosts are the host names, without port, under which the HTTP handler may be
	// reached beside localhost, addresses in digits and the host of Auth.Resource.
	// A request for another host is refused: a web page that rebinds its own name
	// to this machine must not reach the bridge. "*" allows all.
	Hosts []string
	// Origins are the web origins ("https://app.example.com") whose pages may use
	// the HTTP handler and read its answers. "*" allows all. Pages of this machine
	// may send requests without being named here, but read no answer.
	Origins []string
	// Auth asks who calls over HTTP. nil asks nobody: whoever reaches the handler
	// may then do what a caller without scopes may.
	Auth *Auth
	// ConfirmKey is a secret of at least 32 characters by which a user's consent is
	// recognised (Rules.Confirm). Processes that serve one client by turns need the
	// same. "" is a new one for each bridge. A consent counts once in each process.
	ConfirmKey string
	// Credential, if set, finds what a caller brought for one source. It is asked
	// before each call, read, completion and subscription, from any goroutine.
	Credential Credential
	// Logger receives one line for each call and whatever an operator should
	// know. nil discards.
	Logger *slog.Logger
	// LogErrors lets the log repeat the words of failed calls, which may hold
	// arguments and what a backend answered. Without it there are codes, and what
	// the network and the operating system said.
	LogErrors bool
	// Tracing makes a span of each request; nil makes none. A client's trace goes on
	// to backends either way.
	Tracing trace.TracerProvider
	// Metrics measures requests, results, sessions and sources; nil does not.
	Metrics metric.MeterProvider
	// Audit is told of each call and read when it is over, before the client is
	// answered; nil is told nothing. It may be called from many goroutines at once.
	Audit func(Event)
}

// withDefaults returns the options with every zero field filled in.
func (o Options) withDefaults() Options {
	o.Name = cmp.Or(o.Name, "mcp-bridge")
	o.Version = cmp.Or(o.Version, "devel")
	o.Limits = o.Limits.withDefaults()
	if o.Auth != nil && o.Auth.Resource != "" {
		if u, err := url.Parse(o.Auth.Resource); err == nil && u.Hostname() != "" {
			o.Hosts = append(slices.Clone(o.Hosts), u.Hostname())
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// check reports what in the options cannot mean anything.
func (o Options) check() error {
	_, hosts := checked(o.Hosts, hostEntry)
	_, origins := checked(o.Origins, originEntry)
	errs := []error{o.Rules.Check(), o.Auth.check(), o.checkKey(), hosts, origins}
	errs = append(errs, o.Limits.check())
	return errors.Join(errs...)
}

// checkKey refuses a key that could be guessed.
func (o Options) checkKey() error {
	if n := len(o.ConfirmKey); n > 0 && n < minKey {
		return fmt.Errorf("confirmKey has %d characters and needs %d: whoever guesses it needs no consent", n, minKey)
	}
	return nil
}

// check reports every source that cannot be served under its name.
func (s Sources) check() error {
	valid := regexp.MustCompile(`^[a-z][a-z0-9-]{0,15}$`)
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !valid.MatchString(name) {
			errs = append(errs, fmt.Errorf("sources.%s: a source name starts with a letter and has at most 16 characters of a-z, 0-9 and -", name))
		}
		if s[name] == nil {
			errs = append(errs, fmt.Errorf("sources.%s: the adapter is nil", name))
		}
	}
	return errors.Join(errs...)
}

// same reports whether two adapters are one. Adapters that cannot be compared
// count as different.
func same(a, b Adapter) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}
