package openapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A cursorForm is one way in which APIs say where the next page begins.
type cursorForm struct {
	at     []string // where it stands in the body, "a.b" below a
	params []string // what it is called in a call, as plainName writes it
}

// cursorForms are the common ones, the most certain first.
func cursorForms() []cursorForm {
	return []cursorForm{
		{[]string{"nextPageToken", "next_page_token"}, []string{"pagetoken", "nextpagetoken"}},
		{
			[]string{
				"next_cursor", "nextCursor", "response_metadata.next_cursor", "meta.next_cursor", "meta.nextCursor", "pagination.next_cursor", "pagination.nextCursor",
				"paging.next_cursor", "cursor.next", "cursors.next", "cursors.after", "paging.cursors.after", "paging.next.after", "pageInfo.endCursor", "page_info.end_cursor",
				"meta.cursor.next", "meta.page.cursor", "meta.page.after",
			},
			[]string{"cursor", "after", "startcursor", "nextcursor", "pagecursor", "startingafter"},
		},
		{[]string{"NextToken", "nextToken", "next_token", "meta.next_token"}, []string{"nexttoken", "paginationtoken"}},
		{[]string{"NextMarker", "nextMarker", "next_marker"}, []string{"marker"}},
		{[]string{"metadata.continue"}, []string{"continue"}},
		{[]string{"next_page.offset", "next_offset", "nextOffset"}, []string{"offset"}},
		{[]string{"next_page", "nextPage", "meta.next_page", "meta.nextPage", "pagination.next_page", "pagination.nextPage", "meta.pagination.next_page"}, []string{"page", "pagenumber", "pageno"}},
		{[]string{"next"}, []string{"cursor", "page", "pagetoken", "next", "after"}},
	}
}

// nextURLs are where bodies hold the link to the next page.
func nextURLs() []string {
	return []string{
		"links.next.href", "links.next", "_links.next.href", "_links.next", "paging.next", "paging.next.link", "pagination.next", "pagination.next_url", "meta.next",
		"next_page.uri", "next_page_uri", "next_page_url", "next_url", "nextUrl", "nextLink", "@odata.nextLink", "odata.nextLink", "nextPageUrl", "next.href", "next", "next_page",
	}
}

// cursor turns a cursor in the body into arguments.
func cursor(op *operation, c mapping.Call, v value) *mapping.Next {
	for _, form := range cursorForms() {
		found, ok := v.find(form.at)
		if !ok {
			continue
		}
		if n := continued(op, c, found, form.params); n != nil {
			return n
		}
	}
	if n := lastItem(op, c, v); n != nil {
		return n
	}
	return counted(op, c, v)
}

// continued sets the first of params that the operation has, in its query or its
// body.
func continued(op *operation, c mapping.Call, found value, params []string) *mapping.Next {
	for _, want := range params {
		for _, p := range op.params {
			if p.In == openapi3.ParameterInQuery && plainName(p.Name) == want && scalarParam(op, p) {
				raw := literalValue(op.doc.schema(p.Schema), found.text)
				if string(c.Arg(p.In, p.Name)) == string(raw) {
					return nil // a page that continues with itself never ends
				}
				return &mapping.Next{Args: withArg(slices.Clone(c.Args), p.Name, raw), Body: c.Body}
			}
		}
		if body := bodyWith(op, c.Body, want, found); body != nil {
			return &mapping.Next{Args: slices.Clone(c.Args), Body: body}
		}
	}
	return nil
}

// bodyWith returns the body with one property set, nil if the operation's body has
// no such property or it has this value already.
func bodyWith(op *operation, body json.RawMessage, want string, found value) json.RawMessage {
	if op.body == nil {
		return nil
	}
	name := ""
	for p := range op.doc.schema(op.media.Schema).Properties {
		if plainName(p) == want {
			name = p
		}
	}
	v, err := parseValue(cmpRaw(body, "{}"))
	if name == "" || err != nil || v.kind != kindObject {
		return nil
	}
	at := slices.IndexFunc(v.members, func(m member) bool { return m.name == name })
	switch {
	case at < 0:
		v.members = append(v.members, member{name, found})
	case v.members[at].value.text == found.text:
		return nil
	default:
		v.members[at].value = found
	}
	return v.appendJSON(nil)
}

func cmpRaw(raw json.RawMessage, otherwise string) json.RawMessage {
	if raw == nil {
		return json.RawMessage(otherwise)
	}
	return raw
}

// lastItem is the form of has_more: the next page starts after the last item's id.
func lastItem(op *operation, c mapping.Call, v value) *mapping.Next {
	more, _ := v.says("has_more", "hasMore")
	if !more {
		return nil
	}
	for _, m := range v.members {
		if m.value.kind != kindArray || len(m.value.items) == 0 {
			continue
		}
		last := m.value.items[len(m.value.items)-1]
		if id, ok := last.find([]string{"id"}); ok {
			return continued(op, c, id, []string{"startingafter"})
		}
	}
	return nil
}

// counted is the form of totals: offset and limit, or page and pages.
func counted(op *operation, c mapping.Call, v value) *mapping.Next {
	holders := []value{v}
	for _, name := range []string{"meta", "pagination", "paging", "page", "meta.pagination"} {
		if m, ok := v.at(name); ok && m.kind == kindObject {
			holders = append(holders, m)
		}
	}
	for _, h := range holders {
		offset, limit, total := h.number("offset", "skip", "startAt"), h.number("limit", "maxResults", "count"), h.number("total", "total_count", "totalCount")
		if offset >= 0 && limit > 0 && offset+limit < total {
			if n := continued(op, c, numberValue(offset+limit), []string{"offset", "skip", "startat"}); n != nil {
				return n
			}
		}
		page, pages := h.number("page", "current_page", "currentPage"), h.number("pages", "total_pages", "totalPages", "last_page")
		if page >= 0 && page < pages {
			if n := continued(op, c, numberValue(page+1), []string{"page", "pagenumber"}); n != nil {
				return n
			}
		}
	}
	return nil
}

func numberValue(n int64) value { return value{kind: kindNumber, text: strconv.FormatInt(n, 10)} }

// pagingName says that a query parameter chooses where a page begins.
func pagingName(name string) bool {
	return slices.Contains([]string{"page", "pagenumber", "pagetoken", "offset", "skip", "start", "startat", "cursor", "after", "before", "startingafter", "endingbefore", "marker", "nexttoken", "continue"}, plainName(name))
}

// at returns the value below names separated by dots. A name with dots in it is
// tried whole first.
func (v value) at(path string) (value, bool) {
	for _, m := range v.members {
		if m.name == path {
			return m.value, true
		}
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		for _, m := range v.members {
			if m.name == path[:i] {
				return m.value.at(path[i+1:])
			}
		}
	}
	return value{}, false
}

// find returns the first text or number at one of the paths that is not empty.
func (v value) find(paths []string) (value, bool) {
	for _, p := range paths {
		if found, ok := v.at(p); ok && (found.kind == kindString || found.kind == kindNumber) && strings.TrimSpace(found.text) != "" {
			return found, true
		}
	}
	return value{}, false
}

// says returns the first of these properties that is a boolean, here or in an
// object that pages are described in.
func (v value) says(names ...string) (is, said bool) {
	for _, holder := range []string{"", "meta.", "pagination.", "paging.", "pageInfo.", "page_info."} {
		for _, name := range names {
			if found, ok := v.at(holder + name); ok && found.kind == kindBool {
				return found.text == "true", true
			}
		}
	}
	return false, false
}

// number returns the first of these properties that is a whole number, else -1.
func (v value) number(names ...string) int64 {
	for _, name := range names {
		if found, ok := v.at(name); ok && found.kind == kindNumber {
			if n, err := strconv.ParseInt(found.text, 10, 64); err == nil && n >= 0 {
				return n
			}
		}
	}
	return -1
}
