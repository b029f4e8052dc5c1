package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An entry is one line of a directory or a tree.
type entry struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	Size int    `json:"size,omitempty"`
	SHA  string `json:"sha,omitempty"`
}

// maxListed is how many entries the contents API lists at most.
const maxListed = 1000

func listDirectory(ctx context.Context, r *request) (*mapping.Result, error) {
	at, err := r.place()
	if err != nil {
		return nil, err
	}
	c, err := r.at(ctx, at)
	if err != nil {
		return nil, err
	}
	if c.dir == nil {
		return nil, &mapping.Error{Code: mapping.Unsupported, Problem: at.path + " is a " + c.file.GetType() + ", not a directory", Next: "use [[get_file]] for it"}
	}
	if len(c.dir) >= maxListed {
		tree, err := r.treeAt(ctx, at, false)
		if err != nil {
			return nil, err
		}
		return entriesPage(r, treeEntries(tree, at.path), false)
	}
	var list []entry
	for _, f := range c.dir {
		e := entry{Path: f.GetPath(), Kind: f.GetType(), Size: f.GetSize(), SHA: f.GetSHA()}
		switch {
		case e.Kind == "dir":
			e.Kind = kindDir
		case e.Kind == kindFile && f.GetDownloadURL() == "":
			e.Kind = kindSubmodule // listed as a file for old clients; one kept elsewhere has no address at all
		}
		list = append(list, e)
	}
	return entriesPage(r, list, false)
}

func getTree(ctx context.Context, r *request) (*mapping.Result, error) {
	at, err := r.place()
	if err != nil {
		return nil, err
	}
	tree, err := r.treeAt(ctx, at, true)
	if err != nil {
		return nil, err
	}
	list := treeEntries(tree, at.path)
	for i := range list {
		list[i].SHA = "" // a list this long is for finding paths
	}
	return entriesPage(r, list, tree.GetTruncated())
}

// entriesPage shows a page of a list that is here in whole.
func entriesPage(r *request, list []entry, incomplete bool) (*mapping.Result, error) {
	at, err := r.cursor()
	if err != nil {
		return nil, err
	}
	limit := r.limit()
	p := pageAnswer{items: []json.RawMessage{}, incomplete: incomplete}
	total := len(list)
	p.total = &total
	size := int64(reserve)
	n := min(at.Skip, total)
	full := false
	for n < total && len(p.items) < limit && !full {
		text, err := encode(list[n])
		if err != nil {
			return nil, err
		}
		size += int64(len(text)) + 1
		if full = size > r.call.Budget && len(p.items) > 0; !full {
			p.items = append(p.items, text)
			n++
		}
	}
	if n < total {
		p.hasMore, p.next = true, cursor{Of: r.fingerprint(), Skip: n}.String()
	}
	result, err := p.result(r, "entries", full)
	if err == nil && incomplete {
		result.Note = "GitHub does not list a tree as large as this in whole; give path to see all of a part"
	}
	return result, err
}

func treeEntries(tree *github.Tree, below string) []entry {
	list := make([]entry, 0, len(tree.Entries))
	if below != "" {
		below += "/"
	}
	for _, t := range tree.Entries {
		list = append(list, entry{Path: below + t.GetPath(), Kind: kindOf(t.GetMode()), Size: t.GetSize(), SHA: t.GetSHA()})
	}
	return list
}

// kindOf says what a mode of git means.
func kindOf(mode string) string {
	switch mode {
	case "040000":
		return kindDir
	case "120000":
		return kindSymlink
	case "160000":
		return kindSubmodule
	case "100755":
		return "executable"
	}
	return kindFile
}

// treeAt reads the tree of a directory. It is found by walking down: git knows
// trees by their SHA alone.
func (r *request) treeAt(ctx context.Context, at place, recursive bool) (*github.Tree, error) {
	name := at.head()
	if at.path != "" {
		e, err := r.entryAt(ctx, at)
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, r.noPath(ctx, at)
		}
		if kindOf(e.GetMode()) != kindDir {
			return nil, &mapping.Error{Code: mapping.Unsupported, Problem: at.path + " is not a directory", Next: "use [[get_file]] for it"}
		}
		name = e.GetSHA()
	}
	tree, err := r.tree(ctx, name, recursive)
	if err != nil {
		return nil, r.unknownRef(ctx, err, at.ref)
	}
	return tree, nil
}

// entryAt finds the entry of a path, nil if there is none.
func (r *request) entryAt(ctx context.Context, at place) (*github.TreeEntry, error) {
	name := at.head()
	parts := strings.Split(at.path, "/")
	for i, part := range parts {
		tree, err := r.tree(ctx, name, false)
		if err != nil {
			return nil, r.unknownRef(ctx, err, at.ref)
		}
		var found *github.TreeEntry
		for _, e := range tree.Entries {
			if e.GetPath() == part {
				found = e
			}
		}
		if found == nil || i == len(parts)-1 {
			return found, nil
		}
		if kindOf(found.GetMode()) != kindDir {
			return nil, nil //nolint:nilnil // below a file there is nothing
		}
		name = found.GetSHA()
	}
	return nil, nil //nolint:nilnil // not reached: parts is never empty
}

func (r *request) tree(ctx context.Context, name string, recursive bool) (*github.Tree, error) {
	var query url.Values
	if recursive {
		query = url.Values{"recursive": {strconv.Itoa(1)}}
	}
	var tree github.Tree
	_, err := r.get(ctx, r.path("/git/trees/%s", name), query, &tree)
	return &tree, err
}

// noPath says that there is nothing at a path, with the paths that may have been
// meant.
func (r *request) noPath(ctx context.Context, at place) error {
	e := &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s has nothing at the path %q", r.atWords(at), at.path), Next: "use [[list_directory]] or [[get_tree]] to find the path"}
	tree, err := r.tree(ctx, at.head(), true)
	if err != nil {
		return e //nolint:nilerr // without proposals
	}
	var paths []string
	for _, t := range tree.Entries {
		paths = append(paths, t.GetPath())
	}
	if near := mapping.Nearest(at.path, paths, 5); near != nil {
		e.Allowed = "similar paths are " + strings.Join(near, ", ")
	}
	return e
}

func (r *request) atWords(at place) string {
	if at.ref == "" {
		return r.where()
	}
	return r.where() + " at " + at.ref
}

// unknownPath finds out what was wrong with a place: the ref or the path.
func (r *request) unknownPath(ctx context.Context, err error, at place) error {
	if mapping.CodeOf(err) != mapping.NotFound {
		return err
	}
	if at.ref != "" {
		if known := r.unknownRef(ctx, err, at.ref); known != err { //nolint:errorlint // whether it is the same
			return known
		}
	}
	if _, err := r.tree(ctx, at.head(), false); err != nil {
		return r.missing(err) // no repository, or an empty one
	}
	return r.noPath(ctx, at)
}

// failed words a failure of a row's own request.
func (r *request) failed(ctx context.Context, err error) error {
	ref, wrong := r.ref("ref")
	if wrong != nil {
		return wrong
	}
	return r.unknownRef(ctx, r.missing(err), ref)
}

// unknownRef says that there is no such ref, with the names that may have been
// meant. Where the ref exists it returns the error as it is.
func (r *request) unknownRef(ctx context.Context, err error, refs ...string) error {
	if code := mapping.CodeOf(err); code != mapping.NotFound && code != mapping.Invalid {
		return err
	}
	for _, ref := range refs {
		if ref == "" {
			continue
		}
		_, failed := r.tree(ctx, ref, false)
		if code := mapping.CodeOf(failed); failed == nil || code != mapping.NotFound && code != mapping.Invalid {
			continue
		}
		names, failed := r.refNames(ctx)
		if failed != nil {
			return r.missing(failed) // not even the repository
		}
		e := &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("%s has no branch, tag or commit %q", r.where(), ref), Next: "use [[list_branches]] to find the name", Err: err}
		short := strings.TrimPrefix(strings.TrimPrefix(ref, "heads/"), "tags/")
		if near := mapping.Nearest(short, names, 5); near != nil {
			e.Allowed = "similar names are " + strings.Join(near, ", ")
		}
		return e
	}
	return err
}

// refNames are names of branches and tags, the first of each.
func (r *request) refNames(ctx context.Context) ([]string, error) {
	var names []string
	for _, kind := range []string{"branches", "tags"} {
		var got []struct {
			Name string `json:"name"`
		}
		if _, err := r.get(ctx, r.path("/"+kind), url.Values{"per_page": {"100"}}, &got); err != nil {
			return nil, err
		}
		for _, g := range got {
			names = append(names, g.Name)
		}
	}
	return names, nil
}
