package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
)

type auditConfig struct {
	File string `json:"file,omitempty" jsonschema:"A file that gets a line of JSON for each call and read: who, what, when, whether it was let through, and how it ended. A relative path starts at the config file. Default: none."`
	Sync bool   `json:"sync,omitempty" jsonschema:"Wait until each line is on the disk before the call is answered."`
}

// An audit is a file that lines are added to. A line that cannot be written is
// said in the log and keeps nobody from being answered.
type audit struct {
	auditConfig
	log *slog.Logger

	mu      sync.Mutex
	file    *lineFile
	failing bool // said already
}

// openAudit opens the file that the config asks for; nil is none.
func (c *config) openAudit(log *slog.Logger) (*audit, error) {
	if c.Audit.File == "" {
		return nil, nil
	}
	a := &audit{auditConfig: c.Audit, log: log}
	if err := a.reopen(); err != nil {
		return nil, err
	}
	return a, nil
}

// reopen opens the file by its name again, so that the one which is open can be
// moved away before.
func (a *audit) reopen() error {
	if a == nil {
		return nil
	}
	file, err := openLines(a.File)
	if err != nil {
		return fmt.Errorf("audit.file: %s: %w", a.File, err)
	}
	file.warn(a.log)
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.file
	a.file = file
	if before != nil {
		return before.Close()
	}
	return nil
}

func (a *audit) close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return errors.Join(a.file.settle(), a.file.Close())
}

// An auditLine is an event as the file has it. Keys are only ever added.
type auditLine struct {
	Time      string        `json:"time"`
	Method    string        `json:"method"`
	Caller    string        `json:"caller,omitempty"`
	Client    string        `json:"client,omitempty"`
	Source    string        `json:"source,omitempty"`
	Tool      string        `json:"tool,omitempty"`
	Key       string        `json:"key,omitempty"`
	Resource  string        `json:"resource,omitempty"`
	Arguments string        `json:"argumentsSHA256"`
	Decision  core.Decision `json:"decision"`
	Outcome   string        `json:"outcome"`
	Code      string        `json:"code,omitempty"`
	Truncated bool          `json:"truncated,omitempty"`
	Seconds   float64       `json:"seconds"`
	Trace     string        `json:"trace,omitempty"`
}

// tell adds the line of an event, whole and at once.
func (a *audit) tell(e core.Event) {
	outcome := "done"
	switch {
	case e.Code != "":
		outcome = "failed"
	case e.Decision == core.Asked:
		outcome = "asked"
	}
	line, err := json.Marshal(auditLine{
		Time: e.Time.UTC().Format(time.RFC3339Nano), Method: e.Method, Caller: e.Caller, Client: e.Client,
		Source: e.Source, Tool: e.Tool, Key: e.Key, Resource: e.Resource, Arguments: e.Arguments,
		Decision: e.Decision, Outcome: outcome, Code: string(e.Code), Truncated: e.Truncated,
		Seconds: e.Duration.Seconds(), Trace: e.Trace,
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		err = a.file.add(line)
	}
	if err == nil && a.Sync {
		err = a.file.settle()
	}
	switch {
	case err != nil && !a.failing:
		a.log.Error("the audit is not written", "file", a.File, "error", reason(err).Error())
	case err == nil && a.failing:
		a.log.Info("the audit is written again", "file", a.File)
	}
	a.failing = err != nil
}
