package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/filewatch"
)

// served is what a bridge serves now. Only one goroutine uses it, but for files.
type served struct {
	config  *config
	sources core.Sources
	files   atomic.Pointer[filewatch.Files] // of the config
}

func newServed(c *config) *served {
	s := &served{config: c, sources: c.open()}
	s.files.Store(&c.files)
	return s
}

// follow calls reload on each SIGHUP, and when a file of the config has changed,
// until ctx ends. It returns at once.
func (s *served) follow(ctx context.Context, log *slog.Logger, reload func() error) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	context.AfterFunc(ctx, func() { signal.Stop(hangup) })
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
		return err
	}
	s.config.door.withdraw(c)
	if c.serverName() != s.config.serverName() || !reflect.DeepEqual(c.lasting(), s.config.lasting()) {
		return errors.New("name, instructions, confirmKey, limits, timeouts, http, admin, telemetry, audit and log are read at the start only: start the bridge again to change them")
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

// lasting returns what a running bridge cannot change, apart from its name.
func (c *config) lasting() any {
	served := c.HTTP
	if served.Auth != nil {
		auth := *served.Auth
		auth.Tokens = nil
		served.Auth = &auth
	}
	return []any{c.Instructions, c.ConfirmKey, c.Limits, served, c.Admin, c.Telemetry, c.Audit, c.Log, c.timeouts(), c.rates()}
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
