package mapping

import "encoding/json"

// A Result is what a backend answered, before it is cut to size for a model.
// The zero Result is an operation that worked and has nothing to tell.
type Result struct {
	// JSON is the answer where it is (also) JSON; nil where it is not. Numbers
	// keep the backend's digits.
	JSON json.RawMessage
	// Blocks are content beside JSON, or instead of it.
	Blocks []Block
	// Truncated says that the adapter stopped at Budget, at MaxBytes or at a row
	// limit, so there is more than is here.
	Truncated bool
	// Note is what the model should know: what was cut, what to do next. Another
	// operation is written [[key]].
	Note string
	// Next is the call that continues this one, nil if there is none. mapping
	// drops it when it has to cut further.
	Next *Next
}

// Next is the call that continues a truncated or paged one: the same operation
// with these arguments.
type Next struct {
	Args []Arg
	Body json.RawMessage
}

// A Block is one piece of content.
type Block struct {
	Kind BlockKind `json:"kind"`
	// Text is the content of a text block, and the title of a link.
	Text string `json:"text,omitempty"`
	// Data is the content of an image, audio or blob block.
	Data []byte `json:"data,omitempty"`
	// MIME is the media type, "" for plain text.
	MIME string `json:"mime,omitempty"`
	// URI is where a link points, or what an embedded block is called. An embedded
	// block without one gets its resource's or its call's.
	URI string `json:"uri,omitempty"`
	// Meta is passed on as the block's _meta.
	Meta map[string]any `json:"meta,omitempty"`
}

// A BlockKind says what a Block holds.
type BlockKind string

// The kinds of block. TextResource and Blob are embedded resources; Link points
// at a resource that is not sent along.
const (
	Text         BlockKind = "text"
	Image        BlockKind = "image"
	Audio        BlockKind = "audio"
	TextResource BlockKind = "resource"
	Blob         BlockKind = "blob"
	Link         BlockKind = "link"
)

// An Answer is a result as a model sees it: within its budget, names and URIs
// of the surface, failures in words.
type Answer struct {
	// Structured is one JSON object, nil where the answer is not JSON.
	Structured json.RawMessage
	// Blocks begin with the text of Structured, if there is any, and are never
	// empty.
	Blocks    []Block
	IsError   bool
	Truncated bool
}
