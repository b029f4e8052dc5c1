package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// patience is how long a command waits for its sources. serve does not wait: it
// publishes what has come after a few seconds, and the rest when it comes.
const patience = 15 * time.Second

// bridge makes a bridge of the config. It returns at once.
func (c *config) bridge(log *slog.Logger, firstPublish time.Duration) (*core.Bridge, error) {
	return core.New(c.options(log, firstPublish), c.open())
}

func (c *config) options(log *slog.Logger, firstPublish time.Duration) core.Options {
	c.door = newDoor(c)
	return core.Options{
		Name:         c.serverName(),
		Version:      version(),
		Instructions: c.Instructions,
		Rules:        c.rules(),
		Limits: core.Limits{
			Timeout:          time.Duration(c.Limits.Timeout),
			Concurrent:       int(c.Limits.Concurrent),
			FirstPublish:     firstPublish,
			SourceTimeouts:   c.timeouts(),
			CallerConcurrent: int(c.Limits.CallerConcurrent),
			Rate:             core.Rate(c.Limits.Rate),
			SourceRates:      c.rates(),
			ArgumentBytes:    int(c.Limits.ArgumentBytes),
			BodyBytes:        int64(c.Limits.BodyBytes),
			Sessions:         int(c.Limits.Sessions),
			CallerSessions:   int(c.Limits.CallerSessions),
			SessionIdle:      time.Duration(c.Limits.SessionIdle),
			Subscriptions:    int(c.Limits.Subscriptions),
			Listens:          int(c.Limits.Listens),
		},
		Hosts:      c.HTTP.Hosts,
		Origins:    c.HTTP.Origins,
		Auth:       c.auth(),
		ConfirmKey: c.ConfirmKey,
		Credential: c.door.credential,
		Logger:     log,
		LogErrors:  c.Log.Errors,
	}
}

// open makes an adapter of each source.
func (c *config) open() core.Sources {
	sources := core.Sources{}
	for name, s := range c.sources {
		sources[name] = s.open(c)
	}
	return sources
}

func (c *config) serverName() string {
	if c.Name != "" {
		return c.Name
	}
	if len(c.sources) == 1 {
		return sorted(c.sources)[0]
	}
	return "mcp-bridge"
}

// loaded returns a bridge whose sources have answered, for commands that do one
// thing and end. Sources that failed are in the error; the bridge is nil if none
// is left. The caller closes the bridge.
func (f *backendFlags) loaded(ctx context.Context, p *process) (*core.Bridge, error) {
	c, err := f.config(p)
	if err != nil {
		return nil, err
	}
	c.Log.Errors = true // to whoever gave the arguments
	b, err := c.bridge(p.logger(f.LogLevel, newMasked(p.err, c)), patience)
	if err != nil {
		return nil, err
	}
	if err = b.Ready(ctx); err != nil {
		err = errors.New(newMask(c.hidden()).text(err.Error())) // a cause may say more than the config shows
	}
	if allFailed(b.Status()) {
		return nil, errors.Join(err, b.Close())
	}
	return b, err
}

// allFailed reports whether no source can be served.
func allFailed(status []core.SourceStatus) bool {
	for _, s := range status {
		if s.Err == nil {
			return false
		}
	}
	return true
}

// logger writes messages for the operator to standard error, none if least is
// "": a command that does one thing says itself what became of it.
func (p *process) logger(least level, w *masked) *slog.Logger {
	if least == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: least.slog()}))
}

// warn writes an error that does not end the program.
func (p *process) warn(err error) {
	if err != nil {
		fmt.Fprintf(p.err, "mcp-bridge: %v\n", err)
	}
}
