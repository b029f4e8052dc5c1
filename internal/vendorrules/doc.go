// Package vendorrules says what model vendors and MCP clients would refuse about
// a tool: its name, its description, and its schemas at every depth.
//
// It is for tests. It decodes schemas by itself, so that it shares no fault with
// the code that it judges.
package vendorrules
