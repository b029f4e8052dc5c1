package core

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A form is what a part of params has to be.
type form int

const (
	isText   form = iota // a string
	isObject             // an object
	isTexts              // an object of strings
	isList               // an array of strings
	isFlag               // true or false
	isID                 // a string or an integer
)

func (f form) String() string {
	return [...]string{"a string", "an object", "an object", "an array", "true or false", "a string or an integer"}[f]
}

// A field is one part of params.
type field struct {
	name  string
	form  form
	must  bool    // it has to be there
	inner []field // of an object
}

// shape returns what the params of a method consist of, as far as the SDK would
// answer with words of its own where they are something else.
func shape(method string) []field {
	switch method {
	case "initialize":
		who := []field{{name: "name"}, {name: "version"}, {name: "title"}}
		return []field{{name: "protocolVersion"}, {name: "capabilities", form: isObject}, {name: "clientInfo", form: isObject, inner: who}}
	case "tools/call":
		return []field{{name: "name", must: true}, {name: "arguments", form: isObject}, {name: "inputResponses", form: isObject}, {name: "requestState"}}
	case "prompts/get":
		return []field{{name: "name", must: true}, {name: "arguments", form: isTexts}, {name: "inputResponses", form: isObject}, {name: "requestState"}}
	case "resources/read":
		return []field{{name: "uri", must: true}, {name: "inputResponses", form: isObject}, {name: "requestState"}}
	case "resources/subscribe", "resources/unsubscribe":
		return []field{{name: "uri", must: true}}
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return []field{{name: "cursor"}}
	case "logging/setLevel":
		return []field{{name: "level", must: true}}
	case "completion/complete":
		ref := []field{{name: "type", must: true}, {name: "name"}, {name: "uri"}}
		argument := []field{{name: "name", must: true}, {name: "value", must: true}}
		known := []field{{name: "arguments", form: isTexts}}
		return []field{
			{name: "ref", form: isObject, must: true, inner: ref},
			{name: "argument", form: isObject, must: true, inner: argument},
			{name: "context", form: isObject, inner: known},
		}
	case "subscriptions/listen":
		about := []field{
			{name: "toolsListChanged", form: isFlag}, {name: "promptsListChanged", form: isFlag},
			{name: "resourcesListChanged", form: isFlag}, {name: "resourceSubscriptions", form: isList},
		}
		return []field{{name: "notifications", form: isObject, must: true, inner: about}}
	case "notifications/cancelled":
		return []field{{name: "requestId", form: isID}, {name: "reason"}}
	case "notifications/progress":
		return []field{{name: "progressToken", form: isID, must: true}, {name: "message"}}
	}
	return nil
}

// checkParams says what is wrong with the params; "" is nothing. It also reads
// what the transports look at.
func (m *message) checkParams() string {
	wanted := shape(m.method)
	if len(m.params) == 0 || string(m.params) == "null" {
		m.params = nil
		if m.id != nil && (m.method == "initialize" || slices.ContainsFunc(wanted, func(f field) bool { return f.must })) {
			return "params is missing"
		}
		return ""
	}
	fields, ok := readObject(m.params)
	if !ok {
		return "params is not an object"
	}
	m.fields = fields
	if problem := checkFields("params", fields, []field{{name: "_meta", form: isObject}}); problem != "" {
		return problem
	}
	if problem := m.readMeta(fields.get("_meta")); problem != "" {
		return problem
	}
	if m.removed() {
		return "" // the SDK says that there is no such method, whatever its params
	}
	if problem := checkFields("params", fields, wanted); problem != "" {
		return problem
	}
	return m.checkRest(fields)
}

// removed reports whether this is a method that the revision of the request has
// no more.
func (m *message) removed() bool {
	switch m.method {
	case "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return len(m.meta.Version) > 0
	}
	return false
}

// checkFields says which of these fields is not what it has to be. Null counts
// as absent.
func checkFields(path string, have object, wanted []field) string {
	for _, f := range wanted {
		value, at := have.get(f.name), path+"."+f.name
		if len(value) == 0 || string(value) == "null" {
			if f.must {
				return at + " is missing"
			}
			continue
		}
		if problem := f.form.check(at, value); problem != "" {
			return problem
		}
		if f.inner == nil {
			continue
		}
		inner, ok := readObject(value)
		if !ok {
			return at + " is not an object"
		}
		if problem := checkFields(at, inner, f.inner); problem != "" {
			return problem
		}
	}
	return ""
}

// check says where a value is not of this form. It is JSON.
func (f form) check(at string, value json.RawMessage) string {
	wrong := at + " is not " + f.String()
	switch f {
	case isText:
		if value[0] == '"' {
			return ""
		}
	case isObject:
		if value[0] == '{' {
			return ""
		}
	case isFlag:
		if value[0] == 't' || value[0] == 'f' {
			return ""
		}
	case isID:
		if validID(value) {
			return ""
		}
	case isTexts:
		items, ok := readObject(value)
		if !ok {
			return wrong
		}
		for _, item := range items {
			if item.value[0] != '"' {
				return at + "." + string(item.name) + " is not a string"
			}
		}
		return ""
	case isList:
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			return wrong
		}
		if slices.ContainsFunc(items, func(item json.RawMessage) bool { return item[0] != '"' }) {
			return at + " has something that is not a string"
		}
		return ""
	}
	return wrong
}

// checkRest says what is wrong beyond the forms of its fields.
func (m *message) checkRest(fields object) string {
	switch {
	case m.method == "completion/complete":
		var ref struct{ Type string }
		if json.Unmarshal(fields.get("ref"), &ref) != nil || ref.Type != "ref/prompt" && ref.Type != "ref/resource" {
			return "params.ref.type is neither ref/prompt nor ref/resource"
		}
	case m.method == "initialize":
		if json.Unmarshal(m.params, &mcp.InitializeParams{}) != nil {
			return "params has something that initialize does not take"
		}
	case len(fields.get("inputResponses")) > 0:
		if json.Unmarshal(m.params, &mcp.CallToolParams{}) != nil {
			return "params.inputResponses has something that is no answer"
		}
	}
	return ""
}

// A requestMeta is what the transports look at in _meta. A part that is absent
// is nil.
type requestMeta struct {
	Version, LogLevel, Progress, Client, Capabilities json.RawMessage
}

// readMeta says what is wrong with _meta, and keeps it.
func (m *message) readMeta(raw json.RawMessage) string {
	fields, _ := readObject(raw) // it is one, or null or absent
	m.meta = requestMeta{
		Version:      fields.get(mcp.MetaKeyProtocolVersion),
		LogLevel:     fields.get("io.modelcontextprotocol/logLevel"),
		Progress:     fields.get("progressToken"),
		Client:       fields.get(mcp.MetaKeyClientInfo),
		Capabilities: fields.get(mcp.MetaKeyClientCapabilities),
	}
	if p := m.meta.Progress; len(p) > 0 && !validID(p) && string(p) != "null" {
		return "params._meta.progressToken is not a string or an integer"
	}
	var level string
	if m.meta.LogLevel != nil && (json.Unmarshal(m.meta.LogLevel, &level) != nil || !isLevel(level)) {
		return "params._meta has a logLevel that is none of " + strings.Join(levels(), ", ")
	}
	return ""
}
