package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct{ bare }

// Run prints the version, the Go release and the platform.
func (versionCommand) Run(_ context.Context, p *process) error {
	_, err := fmt.Fprintf(p.out, "mcp-bridge %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version is the module's version as the Go tool stamped it, or the commit that
// the program was built from.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := build.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "devel"
}
