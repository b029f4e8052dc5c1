package github

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// parseAddress takes the part of a URI after scheme://source/ apart, strictly:
// each segment is decoded once, none is empty or a way up, and the query has the
// resource's variables only. A ref in it may have its slashes as they are.
func parseAddress(text string) (*resource, map[string]string, error) {
	path, query, _ := strings.Cut(text, "?")
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		plain, err := url.PathUnescape(part)
		if err != nil || plain == "" || hasDots(plain) {
			return nil, nil, errNoAddress()
		}
		parts = append(parts, plain)
	}
	if len(parts) < 2 {
		return nil, nil, errNoAddress()
	}
	vars := map[string]string{"owner": parts[0], "repo": parts[1]}
	given, err := url.ParseQuery(query)
	if err != nil {
		return nil, nil, errNoAddress()
	}
	for _, res := range resourceTable() {
		fixed, asked := res.form()
		if !fitSegments(fixed, parts[2:], vars) {
			continue
		}
		for name, values := range given {
			if !slices.Contains(asked, name) || len(values) != 1 {
				return nil, nil, errNoAddress()
			}
			vars[name] = values[0]
		}
		return &res, vars, nil
	}
	return nil, nil, errNoAddress()
}

func errNoAddress() error {
	return &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource", Next: "fill in one of the resource templates"}
}

// form is a resource's path in segments, and the names in its query.
func (res resource) form() (segments, query []string) {
	path, names, found := strings.Cut(strings.TrimPrefix(res.path, "/"), "{?")
	if found {
		query = strings.Split(strings.TrimSuffix(names, "}"), ",")
	}
	if path == "" {
		return nil, query
	}
	path = strings.ReplaceAll(path, "{/path*}", "/{path*}")
	return strings.Split(path, "/"), query
}

// fitSegments matches segments and sets what the variables hold.
func fitSegments(form, parts []string, vars map[string]string) bool {
	for i, segment := range form {
		if segment == "{path*}" {
			if len(parts) > i {
				vars["path"] = strings.Join(parts[i:], "/")
			}
			return true
		}
		if i >= len(parts) {
			return false
		}
		if name, found := strings.CutPrefix(segment, "{"); found {
			vars[strings.TrimSuffix(name, "}")] = parts[i]
		} else if segment != parts[i] {
			return false
		}
	}
	return len(form) == len(parts)
}
