package openapi

import "github.com/mcp-bridge/mcp-bridge/mapping"

// A mark is what a document says with x-mcp about how an operation is offered.
type mark struct {
	hidden      bool
	name        string
	description string
}

// marked reads x-mcp: true or false on the operation, else on its path item, else
// on the document, or an object that says it with enabled. An operation's object
// may have a name and a description. Without any, everything is offered.
func (d *document) marked(e *described) mark {
	own := e.own.get("x-mcp")
	m := mark{name: own.get("name").str(), description: own.get("description").str()}
	for _, v := range []node{own, e.shared.get("x-mcp"), d.root.whole().member("x-mcp").raw} {
		switch v.kind() {
		case 't', 'f':
			m.hidden = v.kind() == 'f'
			return m
		case '{':
			m.hidden = v.get("enabled").kind() == 'f'
			return m
		}
	}
	return m
}

func (m mark) apply(op *mapping.Operation) {
	if m.name != "" {
		op.Name = m.name
	}
	if m.description != "" {
		op.Summary, op.Text = "", plainText(m.description)
	}
}
