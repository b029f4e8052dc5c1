package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// narrowNote says that an answer is more than fits, and which of the operation's
// own parameters ask for less.
func narrowNote(op *operation, cut bool) string {
	note := "The answer is long"
	if cut {
		note = "The answer was cut, for it is more than can be passed on"
	}
	names := narrowing(op)
	if len(names) == 0 {
		return note + "."
	}
	return note + "; call again with " + strings.Join(names, ", ") + " to get less."
}

// narrowing returns the query parameters that choose less of an answer: fewer
// items, another page, fewer fields, a filter.
func narrowing(op *operation) []string {
	var names []string
	for _, p := range op.params {
		if p.In != openapi3.ParameterInQuery && p.In != paramQuerystring {
			continue
		}
		if narrows(p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

func narrows(name string) bool {
	plain := plainName(name)
	return slices.Contains([]string{
		"limit", "perpage", "pagesize", "size", "count", "top", "first", "last", "take", "maxresults", "maxitems", "max", "rows", "pagelimit",
		"page", "pagenumber", "pagetoken", "offset", "skip", "start", "startat", "cursor", "after", "before", "startingafter", "endingbefore", "marker",
		"fields", "select", "field", "include", "only", "columns", "expand",
		"filter", "filters", "q", "query", "search", "where", "since", "until", "from", "to", "status", "state",
	}, plain)
}

// plainName is a name without what writers of APIs do differently: case, "_", "-",
// "$" and brackets.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-$[]. ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
