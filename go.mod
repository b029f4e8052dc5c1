module github.com/mcp-bridge/mcp-bridge

go 1.26.0
