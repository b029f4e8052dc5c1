package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
)

// served is what a bridge serves now. Only one goroutine uses it, but for files.
type served struct {
	name    string // of the server
	config  *config
	sources core.Sources
	files   atomic.Pointer[filewatch.Files] // of the config
}

func newServed(c *config) *served {
	s := &served{name: c.serverName(), config: c, sources: c.open()}
	s.files.Store(&c.files)
	return s
}

// hangups returns where SIGHUP arrives, until stop is called. Whoever sends it while
// the program starts must not end it.
func hangups() (arrived <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
}

// follow calls reload on each SIGHUP, and when a file of the config has changed,
// until ctx ends. It returns at once.
func (s *served) follow(ctx context.Context, hangup <-chan os.Signal, log *slog.Logger, reload func() error) {
	changed := make(chan struct{}, 1) // many changes while a reload runs are one
	if len(s.config.files.Names) > 0 {
		go filewatch.Watch(ctx, func() filewatch.Files { return *s.files.Load() }, func() {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
	}
	go func() {
		for {
			because := "SIGHUP"
			select {
			case <-ctx.Done():
				return
			case <-hangup:
			case <-changed:
				because = "a changed file"
			}
			if err := reload(); err != nil {
				log.Error("not reloaded, what was served stays", "because", because, "error", err.Error())
				continue
			}
			log.Info("reloaded", "because", because)
		}
	}()
}

// reload reads everything again and serves it, or changes nothing, but that a token
// which is taken out is good no more as soon as the config can be read. A source of
// which the config says the same as before keeps its adapter, and with it the
// adapter's state.
func (s *served) reload(ctx context.Context, b *core.Bridge, read func() (*config, error)) error {
	c, err := read()
	if err != nil {
		s.lookAlsoAt(err)
		return err
	}
	s.config.door.withdraw(c)
	if keys := differing("", reflect.ValueOf(s.config.lasting(s.name)), reflect.ValueOf(c.lasting(s.name))); len(keys) > 0 {
		return fmt.Errorf("changed, but read at the start only: %s; start the bridge again, or change it back", strings.Join(keys, ", "))
	}
	next := core.Sources{}
	for name, source := range c.sources {
		old := s.config.sources[name]
		if reflect.DeepEqual(source, old) && slices.Equal(c.hiddenBy(source), s.config.hiddenBy(old)) && c.Rules.OutputSchemas == s.config.Rules.OutputSchemas {
			next[name] = s.sources[name]
			continue
		}
		next[name] = source.open(c)
	}
	if err := b.Reconfigure(ctx, c.rules(), next); err != nil {
		return errors.Join(err, s.closeOthers(next))
	}
	c.door = s.config.door
	c.door.change(c)
	s.config, s.sources = c, next
	s.files.Store(&c.files)
	return nil
}

// lookAlsoAt adds the files of a config that could not be read to those that are
// looked at: one that is mended or comes to be may be what it lacked.
func (s *served) lookAlsoAt(err error) {
	var u *unread
	if !errors.As(err, &u) || len(u.files.Names) == 0 {
		return
	}
	files := filewatch.Files{Names: slices.Concat(s.config.files.Names, u.files.Names), Read: u.files.Read}
	s.files.Store(&files)
}

// lasting returns what a running bridge cannot change, by its keys in the file. The
// bridge keeps the name that it began with where the file says none.
func (c *config) lasting(name string) map[string]any {
	served := c.HTTP
	if served.Auth != nil {
		auth := *served.Auth
		auth.Tokens = nil
		served.Auth = &auth
	}
	all := map[string]any{
		"name": cmp.Or(c.Name, name), "instructions": c.Instructions, "confirmKey": c.ConfirmKey, "limits": c.Limits,
		"http": served, "admin": c.Admin, "telemetry": c.Telemetry, "audit": c.Audit, "log": c.Log,
	}
	for name, timeout := range c.timeouts() {
		all["sources."+name+".timeout"] = timeout
	}
	for name, rate := range c.rates() {
		all["sources."+name+".rate"] = rate
	}
	return all
}

// differing returns the keys below path of which two configs say different things.
func differing(path string, a, b reflect.Value) []string {
	switch {
	case a.IsValid() && b.IsValid() && reflect.DeepEqual(a.Interface(), b.Interface()):
		return nil
	case !a.IsValid() || !b.IsValid() || a.Type() != b.Type():
		return []string{path}
	}
	var keys []string
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		return differing(path, a.Elem(), b.Elem())
	case reflect.Map:
		for _, key := range slices.Sorted(maps.Keys(both(a, b))) {
			at := reflect.ValueOf(key)
			keys = append(keys, differing(strings.TrimPrefix(path+"."+key, "."), a.MapIndex(at), b.MapIndex(at))...)
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if key, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ","); key != "" {
				keys = append(keys, differing(path+"."+key, a.Field(i), b.Field(i))...)
			}
		}
	}
	if keys == nil {
		return []string{path}
	}
	return keys
}

// both returns the keys of two maps.
func both(a, b reflect.Value) map[string]bool {
	keys := map[string]bool{}
	for _, m := range []reflect.Value{a, b} {
		for _, key := range m.MapKeys() {
			keys[key.String()] = true
		}
	}
	return keys
}

// closeOthers closes adapters that are not served and will not be.
func (s *served) closeOthers(sources core.Sources) error {
	var problems []error
	for name, adapter := range sources {
		if adapter != s.sources[name] {
			problems = append(problems, adapter.Close())
		}
	}
	return errors.Join(problems...)
}
