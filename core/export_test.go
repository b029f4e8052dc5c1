package core

import "github.com/modelcontextprotocol/go-sdk/mcp"

// SDK returns the SDK's server without lending it: the short front stays.
func (b *Bridge) SDK() *mcp.Server { return b.server }
