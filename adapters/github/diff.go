package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A diffAnswer is some whole files of a diff.
type diffAnswer struct {
	Diff    string `json:"diff"`
	Files   int    `json:"files"`
	Rebuilt bool   `json:"rebuilt,omitempty"`
	HasMore bool   `json:"has_more"`
	Next    string `json:"next_cursor,omitempty"`
}

// diffShape reads the diff of a pull request. One that is too large for GitHub
// is put together from the list of changed files, which is paged.
func diffShape() shape {
	return shape{output: schemaOf[diffAnswer](), run: func(ctx context.Context, r *request) (*mapping.Result, error) {
		at, err := r.cursor()
		if err != nil {
			return nil, err
		}
		if at.Page != nil {
			return r.rebuiltDiff(ctx, at)
		}
		var text bytes.Buffer
		x := exchange{method: http.MethodGet, path: r.path("/pulls/%s", r.text("number")), accept: "application/vnd.github.diff", max: r.call.MaxBytes}
		_, err = r.do(ctx, x, &text)
		var f *refused
		if errors.As(err, &f) && f.status == http.StatusNotAcceptable || mapping.CodeOf(err) == mapping.Exhausted && text.Len() > 0 {
			return r.rebuiltDiff(ctx, cursor{Page: map[string]string{"page": "1"}})
		}
		if err != nil {
			return nil, r.missing(err)
		}
		return r.diffResult(splitDiff(text.String()), at, nil, false)
	}}
}

// splitDiff cuts a diff before each of its files.
func splitDiff(text string) []section {
	var list []section
	for text != "" {
		end := strings.Index(text[1:], "\ndiff --git ")
		piece := text
		if end >= 0 {
			piece = text[:end+2]
		}
		text = text[len(piece):]
		list = append(list, section{piece, pathsOf(piece)})
	}
	return list
}

// A section is the diff of one file, with the names that it has or had.
type section struct {
	text  string
	paths []string
}

// pathsOf reads the names off the head of a section.
func pathsOf(text string) []string {
	var paths []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "@@") {
			break
		}
		for _, mark := range []string{"--- a/", "+++ b/", "rename from ", "rename to "} {
			if path, found := strings.CutPrefix(line, mark); found {
				paths = append(paths, strings.TrimSuffix(path, "\t"))
			}
		}
	}
	if paths == nil { // binary, or a change of mode alone
		head, _, _ := strings.Cut(text, "\n")
		if _, path, found := strings.Cut(head, " b/"); found {
			paths = append(paths, path)
		}
	}
	return paths
}

func (s section) is(path string) bool {
	for _, p := range s.paths {
		if p == path {
			return true
		}
	}
	return false
}

// rebuiltDiff writes a diff from a page of changed files.
func (r *request) rebuiltDiff(ctx context.Context, at cursor) (*mapping.Result, error) {
	query := url.Values{}
	at.ask(query, 100)
	var files []*github.CommitFile
	resp, err := r.get(ctx, r.path("/pulls/%s/files", r.text("number")), query, &files)
	if err != nil {
		return nil, r.missing(err)
	}
	list := make([]section, len(files))
	for i, f := range files {
		list[i] = section{rebuilt(f), []string{f.GetFilename(), f.GetPreviousFilename()}}
	}
	return r.diffResult(list, at, nextOf(resp), true)
}

// rebuilt is the section of one file as git would write it, but for what the list
// does not tell.
func rebuilt(f *github.CommitFile) string {
	name, was := f.GetFilename(), f.GetPreviousFilename()
	if was == "" {
		was = name
	}
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%s\n", was, name)
	from, to := "a/"+was, "b/"+name
	switch f.GetStatus() {
	case "added":
		from = "/dev/null"
	case "removed":
		to = "/dev/null"
	case "renamed":
		fmt.Fprintf(&b, "rename from %s\nrename to %s\n", was, name)
	}
	switch {
	case f.GetPatch() != "":
		fmt.Fprintf(&b, "--- %s\n+++ %s\n%s\n", from, to, f.GetPatch())
	case f.GetChanges() > 0:
		fmt.Fprintf(&b, "GitHub does not show the %d changed lines of this file\n", f.GetChanges())
	case f.GetStatus() != "renamed":
		fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
	}
	return b.String()
}

// diffResult shows as many whole files as fit, at least the beginning of one.
func (r *request) diffResult(list []section, at cursor, more url.Values, rebuilt bool) (*mapping.Result, error) {
	out := diffAnswer{Rebuilt: rebuilt}
	result := &mapping.Result{}
	only := r.text("file")
	room := int(r.call.Budget - reserve)
	var b strings.Builder
	next := cursor{Of: r.fingerprint(), Page: at.Page, Skip: min(at.Skip, len(list))}
	for _, s := range list[next.Skip:] {
		if only != "" && !s.is(only) {
			next.Skip++
			continue
		}
		size := escapedSize(s.text)
		if size > room && out.Files > 0 {
			result.Truncated = true
			break
		}
		if size > room {
			s.text = cutEscaped(s.text, room)
			result.Truncated = true
			result.Note = "the diff of this file is longer than fits and is cut"
		}
		room -= size
		b.WriteString(s.text)
		out.Files++
		next.Skip++
	}
	if next.Skip >= len(list) && more != nil {
		next = r.after(more)
	}
	if next.Skip < len(list) || more != nil {
		out.HasMore, out.Next = true, next.String()
		result.Next = r.next("cursor", quoted(out.Next))
	}
	if only != "" && out.Files == 0 && !out.HasMore {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("the pull request does not change %q", only), Next: "use [[list_pull_files]] for the files that it changes"}
	}
	out.Diff = b.String()
	if n := hiddenIn(out.Diff); n > 0 {
		result.Note = strings.TrimPrefix(result.Note+fmt.Sprintf("; the diff has %d invisible characters, which are shown as they are", n), "; ")
	}
	text, err := encode(out)
	result.JSON = text
	return result, err
}
