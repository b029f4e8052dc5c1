package core

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Event is one call of a tool or one read of a resource, told when it is over.
// It holds no arguments and nothing that a backend answered.
type Event struct {
	Time   time.Time // when it began
	Method string    // tools/call or resources/read
	Caller string    // [mapping.Caller.ID]
	// Client is the name and the version that the client gives itself.
	Client string
	// Tool is the name that was asked for, Key its operation; of a read, Resource is
	// the published URI or template. Source is "" where the caller may use nothing
	// of that name.
	Source, Tool, Key, Resource string
	// Arguments is the SHA-256, in hex, of the arguments as compact JSON with sorted
	// keys; of a read it is that of the URI.
	Arguments string
	Decision  Decision
	// Code says why it failed, "" if it did not.
	Code      mapping.Code
	Truncated bool
	Duration  time.Duration
	Trace     string // the trace's W3C id, "" if there is none
}

// A Decision says whether a call was let through to its backend.
type Decision string

// The decisions.
const (
	Allowed   Decision = "allowed"
	Confirmed Decision = "confirmed" // allowed, after the user was asked
	Asked     Decision = "asked"     // not yet: the user is asked first
	Refused   Decision = "refused"   // unknown, not for this caller, wrong arguments, or the user said no
)

// maxClient bounds what a client may call itself.
const maxClient = 100

// clientOf returns what the client of a request calls itself.
func clientOf(req mcp.Request) string {
	r, ok := req.(interface{ ClientInfo() *mcp.Implementation })
	if !ok {
		return ""
	}
	client := r.ClientInfo()
	if client == nil {
		return ""
	}
	return clean(client.Name+" "+client.Version, maxClient)
}

// askedFor returns what a request is about, as far as an [Event] tells: the name
// of the tool, and the hash of the arguments.
func askedFor(req mcp.Request) (tool, arguments string) {
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		return clean(r.Params.Name, 64), hash(canonical(r.Params.Arguments))
	case *mcp.ReadResourceRequest:
		return "", hash([]byte(r.Params.URI))
	}
	return "", ""
}

// clean returns the printable ASCII of s, at most so many characters.
func clean(s string, most int) string {
	var out []byte
	for i := 0; i < len(s) && len(out) < most; i++ {
		if s[i] >= ' ' && s[i] < 0x7f {
			out = append(out, s[i])
		}
	}
	return string(bytes.TrimSpace(out))
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// canonical returns JSON without spaces and with sorted keys; no arguments are
// an empty object, and what is no JSON is returned as it is.
func canonical(args json.RawMessage) []byte {
	if len(args) == 0 || string(args) == "null" {
		return []byte("{}")
	}
	var value any
	in := json.NewDecoder(bytes.NewReader(args))
	in.UseNumber() // digit for digit
	if in.Decode(&value) != nil {
		return args
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if to.Encode(value) != nil {
		return args
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
