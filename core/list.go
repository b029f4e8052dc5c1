package core

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lists are what a client is shown, as the very objects that the lists carry.
type Lists struct {
	Tools             []*mcp.Tool             `json:"tools"`
	Resources         []*mcp.Resource         `json:"resources"`
	ResourceTemplates []*mcp.ResourceTemplate `json:"resourceTemplates"`
	Prompts           []*mcp.Prompt           `json:"prompts"`
	Decisions         []mapping.Decision      `json:"decisions"`
}

// Lists returns what is published now, without what an embedder added to
// [Bridge.Server]. Before the first publish everything in it is empty.
func (b *Bridge) Lists() Lists {
	all := Lists{
		Tools:             []*mcp.Tool{},
		Resources:         []*mcp.Resource{},
		ResourceTemplates: []*mcp.ResourceTemplate{},
		Prompts:           []*mcp.Prompt{},
		Decisions:         []mapping.Decision{},
	}
	snap := b.current.Load()
	if snap == nil {
		return all
	}
	all.Tools = append(all.Tools, snap.lists.tools.items()...)
	all.Resources = append(all.Resources, snap.lists.resources.items()...)
	all.ResourceTemplates = append(all.ResourceTemplates, snap.lists.templates.items()...)
	all.Prompts = append(all.Prompts, snap.lists.prompts.items()...)
	all.Decisions = append(all.Decisions, snap.surface.Decisions()...)
	return all
}

// Some clients read the first page only, so one page holds everything that is
// not enormous.
const (
	pageItems = 2000
	pageBytes = 2 << 20
)

// lists are a surface, ready to be listed.
type lists struct {
	tools     listing[*mcp.Tool]
	resources listing[*mcp.Resource]
	templates listing[*mcp.ResourceTemplate]
	prompts   listing[*mcp.Prompt]
	origins   map[string]bool // scheme://source of the URIs that are ours
}

// A listing is one list in its order.
type listing[T any] []entry[T]

type entry[T any] struct {
	key      string // unique in its listing: a name or a URI
	size     int    // about, in bytes of JSON
	audience audience
	item     T
}

func newLists(surface *mapping.Surface) *lists {
	l := &lists{origins: map[string]bool{}}
	for _, t := range surface.Tools() {
		item := encodeTool(t)
		size := len(t.Description) + len(t.Input) + len(t.Output) + 256
		l.tools = append(l.tools, entry[*mcp.Tool]{t.Name, size, audience{t.MayUse, t.Lacks}, item})
	}
	for _, a := range surface.Addresses() {
		scheme, _, _ := strings.Cut(a.URI, "://")
		l.origins[scheme+"://"+a.Source] = true
		size := len(a.URI) + len(a.Name) + len(a.Text) + 128
		if a.Template {
			l.templates = append(l.templates, entry[*mcp.ResourceTemplate]{a.URI, size, audience{a.MaySee, a.Lacks}, encodeTemplate(a)})
			continue
		}
		l.resources = append(l.resources, entry[*mcp.Resource]{a.URI, size, audience{a.MaySee, a.Lacks}, encodeResource(a)})
	}
	for _, p := range surface.Prompts() {
		l.prompts = append(l.prompts, entry[*mcp.Prompt]{p.Name, len(p.Prompt.Text) + 512, audience{p.MaySee, p.Lacks}, encodePrompt(p)})
	}
	return l
}

// owns reports whether a URI lies below one of the sources.
func (l *lists) owns(uri string) bool {
	scheme, rest, _ := strings.Cut(uri, "://")
	source, _, _ := strings.Cut(rest, "/")
	return l.origins[scheme+"://"+source]
}

// items returns everything in the listing.
func (l listing[T]) items() []T {
	all := make([]T, len(l))
	for i, e := range l {
		all[i] = e.item
	}
	return all
}

// page returns the entries that are shown to a viewer after the entry with this
// key ("" is the beginning), and the key of the last one if there are more. The
// error says that there is no such entry any more.
func (l listing[T]) page(viewer viewer, after string) (items []T, next string, err error) {
	start := 0
	if after != "" {
		at := l.index(after)
		if at < 0 || !viewer.isShown(l[at].audience) { // what is not shown is not told of either
			return nil, "", errBadCursor()
		}
		start = at + 1
	}
	size, last := 0, after
	for _, e := range l[start:] {
		if !viewer.isShown(e.audience) {
			continue
		}
		if len(items) > 0 && (len(items) == pageItems || size+e.size > pageBytes) {
			return items, last, nil
		}
		items = append(items, e.item)
		size += e.size
		last = e.key
	}
	return items, "", nil
}

func (l listing[T]) index(key string) int {
	for i, e := range l {
		if e.key == key {
			return i
		}
	}
	return -1
}

// A cursor says where the next page begins: in our own list after a key, or in
// the list of what the embedder added, by the SDK's cursor. It survives a reload
// that keeps the entry it names.
type cursor struct {
	own   string
	other string
}

func (c cursor) String() string {
	switch {
	case c.own != "":
		return base64.RawURLEncoding.EncodeToString([]byte("a" + c.own))
	case c.other != "":
		return base64.RawURLEncoding.EncodeToString([]byte("b" + c.other))
	}
	return ""
}

func parseCursor(s string) (cursor, error) {
	if s == "" {
		return cursor{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) < 2 {
		return cursor{}, errBadCursor()
	}
	switch key := string(raw[1:]); raw[0] {
	case 'a':
		return cursor{own: key}, nil
	case 'b':
		return cursor{other: key}, nil
	}
	return cursor{}, errBadCursor()
}

func errBadCursor() error {
	return &mapping.Error{
		Code:    mapping.Invalid,
		Problem: "this cursor leads nowhere, or the list has changed since",
		Next:    "ask for the list again without a cursor",
	}
}

// A listRequest is one page asked for, whatever the kind of list.
type listRequest[T any] struct {
	own    listing[T]
	viewer viewer
	cursor string
	// others returns a page of what the embedder added, by the SDK's cursor.
	others func(cursor string) ([]T, string, error)
	key    func(T) string
}

// page returns our own entries first and what the embedder added after them.
func (r listRequest[T]) page() (items []T, next string, err error) {
	at, err := parseCursor(r.cursor)
	if err != nil {
		return nil, "", err
	}
	items = []T{}
	if at.other == "" {
		page, last, err := r.own.page(r.viewer, at.own)
		if err != nil || last != "" {
			return page, cursor{own: last}.String(), err
		}
		items = append(items, page...)
	}
	added, more, err := r.others(at.other)
	if err != nil {
		return nil, "", fmt.Errorf("list what was added: %w", err)
	}
	for _, item := range added {
		if key := r.key(item); key != frontName && key != frontURI && r.own.index(key) < 0 {
			items = append(items, item)
		}
	}
	return items, cursor{other: more}.String(), nil
}
