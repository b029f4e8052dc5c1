//lint:file-ignore SA1019 deprecated since 2026-07-28, and part of the revisions before it

package core

import (
	"context"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// levelRequest sets the least important level that a session is told.
type levelRequest = *mcp.ServerRequest[*mcp.SetLoggingLevelParams]

// checkLevel refuses what is no level: the SDK takes anything.
func checkLevel(r levelRequest) error {
	if isLevel(string(r.Params.Level)) {
		return nil
	}
	return &mapping.Error{
		Code:    mapping.Invalid,
		Problem: "this is not a level",
		Allowed: "level may be debug, info, notice, warning, error, critical, alert or emergency",
	}
}

func levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

func isLevel(level string) bool { return slices.Contains(levels(), level) }

// declareLogging is for the answer of initialize. Newer revisions have logging
// without the capability.
func declareLogging(c *mcp.ServerCapabilities) { c.Logging = &mcp.LoggingCapabilities{} }

// tellClient sends a log line to a client that asked for its level.
func tellClient(ctx context.Context, session *mcp.ServerSession, level, message string) {
	session.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Data: message}) // the client may be gone
}
