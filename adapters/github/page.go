package github

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// one makes a shape of the row's own path: GitHub's answer G, trimmed to T.
func one[G, T any](trim func(*G) T) shape {
	return shape{output: schemaOf[T](), run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		var got G
		if _, err := r.do(ctx, x, &got); err != nil {
			return nil, r.failed(ctx, err)
		}
		return answer(trim(&got))
	}}
}

// many makes a shape of pages of the row's own path, under a property.
func many[G, T any](property string, trim func(*G) T) shape {
	return shape{output: pageSchema[T](property), pages: pageSize, run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		x, err := r.exchange()
		if err != nil {
			return nil, err
		}
		return paged(ctx, r, x, property, func(ctx context.Context, x exchange) (batch[T], error) {
			var got []*G
			resp, err := r.do(ctx, x, &got)
			if err != nil {
				return batch[T]{}, r.failed(ctx, err)
			}
			b := batch[T]{next: nextOf(resp)}
			for _, g := range got {
				b.items = append(b.items, trim(g))
			}
			return b, nil
		})
	}}
}

// pageSize is how many items a page has unless the call says otherwise.
const pageSize = 30

func (r *request) limit() int { return r.number("limit", cmp.Or(r.row.shape.pages, maxListed)) }

// A batch is one page of GitHub's.
type batch[T any] struct {
	items      []T
	next       url.Values // what asks for the next page; nil if this is the last
	total      *int
	incomplete bool
	note       string
}

// A pageAnswer is one page of ours.
type pageAnswer struct {
	items      []json.RawMessage
	hasMore    bool
	next       string
	total      *int
	incomplete bool
	note       string
}

// paged asks for one page and keeps as many whole items of it as the budget
// allows. The cursor says where in which page to go on.
func paged[T any](ctx context.Context, r *request, x exchange, property string, fetch func(context.Context, exchange) (batch[T], error)) (*mapping.Result, error) {
	limit := r.limit()
	at, err := r.cursor()
	if err != nil {
		return nil, err
	}
	if x.query == nil {
		x.query = url.Values{}
	}
	at.ask(x.query, limit)
	b, err := fetch(ctx, x)
	if err != nil {
		return nil, err
	}
	p := pageAnswer{items: []json.RawMessage{}, total: b.total, incomplete: b.incomplete, note: b.note}
	size := int64(len(property) + reserve)
	kept := at.Skip
	for _, item := range b.items[min(at.Skip, len(b.items)):] {
		text, err := encode(item)
		if err != nil {
			return nil, err
		}
		if size += int64(len(text)) + 1; size > r.call.Budget && len(p.items) > 0 {
			break
		}
		p.items = append(p.items, text)
		kept++
	}
	next := r.after(b.next)
	switch {
	case kept < len(b.items):
		next.Page, next.Skip = at.Page, kept
	case b.next == nil:
		return p.result(r, property, false)
	}
	p.hasMore, p.next = true, next.String()
	return p.result(r, property, kept < len(b.items))
}

// reserve is kept free for what stands around the items, and for the note.
const reserve = 2400

func (p *pageAnswer) result(r *request, property string, cut bool) (*mapping.Result, error) {
	fields := []string{}
	add := func(name string, v any) error {
		text, err := encode(v)
		fields = append(fields, `"`+name+`":`+string(text))
		return err
	}
	if err := add(property, p.items); err != nil {
		return nil, err
	}
	if err := add("has_more", p.hasMore); err != nil {
		return nil, err
	}
	result := &mapping.Result{Truncated: cut, Note: p.note}
	if p.hasMore {
		fields = append(fields, `"next_cursor":`+string(quoted(p.next)))
		result.Next = r.next("cursor", quoted(p.next))
	}
	if p.total != nil {
		fields = append(fields, `"total":`+strconv.Itoa(*p.total))
	}
	if p.incomplete {
		fields = append(fields, `"incomplete":true`)
		result.Note = "GitHub ran out of time, so items may be missing; a narrower query finds them"
	}
	result.JSON = json.RawMessage("{" + strings.Join(fields, ",") + "}")
	return result, nil
}

// next is the call that differs from this one in one argument.
func (r *request) next(name string, value json.RawMessage) *mapping.Next {
	var args []mapping.Arg
	for _, a := range r.call.Args {
		if a.Name != name {
			args = append(args, a)
		}
	}
	return &mapping.Next{Args: append(args, mapping.Arg{Name: name, Value: value})}
}

// quoted is a cursor as JSON: base64url needs no escaping.
func quoted(cursor string) json.RawMessage { return json.RawMessage(`"` + cursor + `"`) }

// nextOf reads what asks for the next page off the Link header. Only these
// parameters are taken over: the rest of the link may lead anywhere.
func nextOf(resp *github.Response) url.Values {
	for link := range strings.SplitSeq(resp.Header.Get("Link"), "<") { // a target may have commas
		target, rel, found := strings.Cut(link, ">")
		if !found || !strings.Contains(rel, `rel="next"`) {
			continue
		}
		u, err := url.Parse(target)
		if err != nil {
			return nil
		}
		next := url.Values{}
		for _, name := range []string{"page", "after", "cursor"} {
			if v := u.Query().Get(name); v != "" {
				next.Set(name, v)
			}
		}
		if len(next) > 0 {
			return next
		}
	}
	return nil
}

// A cursor marks where a page ended. A model sees opaque text; it is bound to the
// call's other arguments, and a forged one asks for nothing that they could not.
type cursor struct {
	Of   string            `json:"q"`
	Page map[string]string `json:"p,omitempty"`
	Skip int               `json:"s,omitempty"`
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// ask writes into a query which page of so many items the cursor is in.
func (c cursor) ask(query url.Values, limit int) {
	query.Set("per_page", strconv.Itoa(limit))
	for name, value := range c.Page {
		query.Set(name, value)
	}
}

// after is the cursor of GitHub's next page.
func (r *request) after(next url.Values) cursor {
	c := cursor{Of: r.fingerprint(), Page: map[string]string{}}
	for name := range next {
		c.Page[name] = next.Get(name)
	}
	return c
}

// fingerprint identifies the call but for its cursor.
func (r *request) fingerprint() string {
	names := slices.Collect(maps.Keys(r.args))
	return r.fingerprintOf(r.row.name, slices.DeleteFunc(names, func(n string) bool { return n == "cursor" })...)
}

// fingerprintOf identifies a call of a row with some of this call's arguments.
func (r *request) fingerprintOf(row string, names ...string) string {
	args := map[string]json.RawMessage{"": json.RawMessage(strconv.Quote(row))}
	for _, name := range names {
		if value, given := r.args[name]; given {
			args[name] = value
		}
	}
	text, err := json.Marshal(args)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// cursor reads the argument; absent is the first page.
func (r *request) cursor() (cursor, error) {
	text := r.text("cursor")
	if text == "" {
		return cursor{}, nil
	}
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(raw, &c) != nil || c.Of != r.fingerprint() || c.Skip < 0 {
		return c, &mapping.Error{Code: mapping.Invalid, Problem: "cursor is not one that this tool returned with the same arguments", Next: "take next_cursor as it is and repeat the other arguments, or leave cursor out for the first page"}
	}
	for name := range c.Page {
		if name != "page" && name != "after" && name != "cursor" {
			return c, &mapping.Error{Code: mapping.Invalid, Problem: "cursor is not one that this tool returned"}
		}
	}
	return c, nil
}
