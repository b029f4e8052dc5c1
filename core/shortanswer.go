package core

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// complete is what a result since 2026-07-28 says of itself.
const complete = `,"resultType":"complete"`

// writeAnswer returns the answer to a request as the SDK would write it.
// Without a server it is one before 2026-07-28.
func writeAnswer(id json.RawMessage, result mcp.Result, server json.RawMessage) []byte {
	var out bytes.Buffer
	out.Grow(1024)
	out.WriteString(`{"jsonrpc":"2.0","id":`)
	out.Write(id)
	out.WriteString(`,"result":`)
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	switch r := result.(type) {
	case *mcp.CallToolResult:
		writeCall(&out, to, r, server)
	case *listText:
		writeList(&out, r, server)
	default:
		writeOther(&out, to, r, server)
	}
	out.WriteString("}")
	return out.Bytes()
}

// put writes a value without the newline that ends it.
func put(out *bytes.Buffer, to *json.Encoder, v any) {
	if to.Encode(v) == nil {
		out.Truncate(out.Len() - 1)
	}
}

// writeCall writes the result of a call: like the others, but without reflection,
// because there are so many of them.
func writeCall(out *bytes.Buffer, to *json.Encoder, r *mcp.CallToolResult, server json.RawMessage) {
	writeMeta(out, to, r.Meta, server)
	out.WriteString(`,"content":[`)
	for i, c := range r.Content {
		if i > 0 {
			out.WriteByte(',')
		}
		if text, ok := c.(*mcp.TextContent); ok && text.Meta == nil && text.Annotations == nil {
			out.WriteString(`{"type":"text","text":`)
			put(out, to, text.Text)
			out.WriteByte('}')
			continue
		}
		put(out, to, c)
	}
	out.WriteByte(']')
	switch structured := r.StructuredContent.(type) {
	case nil:
	case json.RawMessage:
		out.WriteString(`,"structuredContent":`)
		out.Write(structured) // which mapping has made, so it is JSON
	default:
		out.WriteString(`,"structuredContent":`)
		put(out, to, structured)
	}
	if r.IsError {
		out.WriteString(`,"isError":true`)
	}
	if server != nil {
		out.WriteString(complete)
	}
	out.WriteByte('}')
}

// writeOther writes any other result.
func writeOther(out *bytes.Buffer, to *json.Encoder, r mcp.Result, server json.RawMessage) {
	if server == nil {
		put(out, to, r)
		return
	}
	meta := r.GetMeta()
	if meta == nil {
		meta = mcp.Meta{}
	}
	meta[mcp.MetaKeyServerInfo] = server
	r.SetMeta(meta)
	put(out, to, r)
	out.Truncate(out.Len() - 1) // the brace: _meta stands before it
	out.WriteString(complete + "}")
}

// A listText is the result of a list as text, without what differs between the
// revisions.
type listText struct {
	mcp.ResultBase
	text []byte
}

// writeList writes a list.
func writeList(out *bytes.Buffer, list *listText, server json.RawMessage) {
	text := list.text
	if server != nil {
		writeMeta(out, nil, nil, server)
		out.WriteString(complete + ",")
		text = text[1:] // without its brace
	}
	out.Write(text)
}

// writeMeta begins an object with _meta, in which a server since 2026-07-28
// introduces itself.
func writeMeta(out *bytes.Buffer, to *json.Encoder, meta mcp.Meta, server json.RawMessage) {
	out.WriteString(`{"_meta":{`)
	for key, value := range meta {
		put(out, to, key)
		out.WriteByte(':')
		put(out, to, value)
		out.WriteByte(',')
	}
	if server != nil {
		out.WriteString(`"` + mcp.MetaKeyServerInfo + `":`)
		out.Write(server)
	} else if len(meta) > 0 {
		out.Truncate(out.Len() - 1)
	}
	out.WriteByte('}')
}
