package githubfake

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strings"
)

func contentRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/contents", "contents=read", showContents),
		read("/repos/{owner}/{repo}/contents/", "contents=read", showContents),
		read("/repos/{owner}/{repo}/contents/{path...}", "contents=read", showContents),
		operation("PUT", "/repos/{owner}/{repo}/contents/{path...}", "contents=write", writeContents),
		operation("DELETE", "/repos/{owner}/{repo}/contents/{path...}", "contents=write", deleteContents),
		read("/repos/{owner}/{repo}/readme", "contents=read", showReadme),
		read("/repos/{owner}/{repo}/readme/{dir...}", "contents=read", showReadme),
	}
}

// GitHub's limits on what the contents API tells.
const (
	inlineBytes   = 1 << 20
	rawBytes      = 100 << 20
	folderEntries = 1000
)

// at finds the commit that a request is about; a repository without commits has
// an answer of its own.
func (x *exchange) commitAt(name string) (string, reply, bool) {
	if x.repo.git.empty() {
		return "", fail(404, "This repository is empty."), false
	}
	if name == "" {
		name = x.repo.Default
	}
	sha, found := x.repo.git.resolve(name)
	if !found {
		return "", fail(404, "No commit found for the ref "+name), false
	}
	return sha, reply{}, true
}

func showContents(x *exchange) reply {
	commit, refused, found := x.commitAt(x.get("ref"))
	if !found {
		return refused
	}
	e, found := x.repo.git.find(commit, strings.Trim(x.args["path"], "/"))
	if !found {
		return notFound()
	}
	return x.content(commit, e)
}

func showReadme(x *exchange) reply {
	commit, refused, found := x.commitAt(x.get("ref"))
	if !found {
		return refused
	}
	dir, found := x.repo.git.find(commit, x.args["dir"])
	if !found {
		return notFound()
	}
	for _, e := range x.repo.git.tree(dir.sha, false) {
		if e.kind == "blob" && strings.HasPrefix(strings.ToLower(e.path), "readme") {
			e.path = path.Join(x.args["dir"], e.path)
			return x.content(commit, e)
		}
	}
	return notFound()
}

// content answers for what is at a path, in the form that was asked for.
func (x *exchange) content(commit string, e entry) reply {
	switch {
	case e.kind == "tree":
		return x.folder(commit, e)
	case e.mode == "160000":
		o := x.module(commit, e, "submodule")
		o["submodule_git_url"] = x.submodule(commit, e.path)
		return ok(o)
	case e.mode == "120000":
		return x.link120(commit, e)
	}
	return x.file(e)
}

func (x *exchange) file(e entry) reply {
	data, _ := x.repo.git.blob(e.sha)
	if x.wants("raw") {
		if e.size > rawBytes {
			return tooLarge()
		}
		return reply{raw: data, mime: "application/vnd.github.raw+json; charset=utf-8"}
	}
	if e.size > rawBytes {
		return tooLarge()
	}
	o := x.contentFields(e, "file")
	o["encoding"], o["content"] = "base64", wrapped(data)
	if e.size > inlineBytes {
		o["encoding"], o["content"] = "none", ""
	}
	return ok(o)
}

func tooLarge() reply {
	r := fail(403, "This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API, but you can always clone the repository via Git.")
	r.body.(object)["errors"] = []object{{"resource": "Blob", "field": "data", "code": "too_large"}}
	return r
}

// link120 is a symbolic link: the file it leads to inside the repository, as if
// it were in its place, else the link itself.
func (x *exchange) link120(commit string, e entry) reply {
	target, _ := x.repo.git.blob(e.sha)
	to := path.Join(path.Dir(e.path), string(target))
	if at, found := x.repo.git.find(commit, to); found && at.kind == "blob" && at.mode != "120000" {
		at.path = e.path
		return x.file(at)
	}
	if x.wants("raw") {
		return reply{raw: target, mime: "application/vnd.github.raw+json; charset=utf-8"}
	}
	o := x.contentFields(e, "symlink")
	o["target"] = string(target)
	return ok(o)
}

func (x *exchange) folder(commit string, e entry) reply {
	list := []object{}
	for _, child := range x.repo.git.tree(e.sha, false) {
		if len(list) == folderEntries {
			break
		}
		child.path = path.Join(e.path, child.path)
		if child.mode == "160000" {
			list = append(list, x.module(commit, child, listed(child)))
		} else {
			list = append(list, x.contentFields(child, listed(child)))
		}
	}
	if x.wants("object") {
		o := x.contentFields(e, "dir")
		o["entries"] = list
		return ok(o)
	}
	return ok(list)
}

// listed is an entry's type in a folder, where GitHub calls a submodule a file,
// for the sake of old clients.
func listed(e entry) string {
	switch {
	case e.kind == "tree":
		return "dir"
	case e.mode == "120000":
		return "symlink"
	}
	return "file"
}

func (x *exchange) contentFields(e entry, kind string) object {
	q := ""
	if ref := x.get("ref"); ref != "" {
		q = "?ref=" + url.QueryEscape(ref)
	} else {
		q = "?ref=" + url.QueryEscape(x.repo.Default)
	}
	self := x.at(x.repo) + "/contents/" + escape(e.path) + q
	o := object{"type": kind, "size": e.size, "name": path.Base(e.path), "path": e.path, "sha": e.sha, "url": self, "git_url": nil, "html_url": nil, "download_url": nil}
	if e.mode != "160000" {
		o["git_url"] = x.at(x.repo) + "/git/" + e.kind + "s/" + e.sha
		o["html_url"] = x.repo.site() + "/blob/main/" + escape(e.path)
	}
	if e.kind == "blob" {
		o["download_url"] = "https://raw.github.example/" + x.repo.fullName() + "/main/" + escape(e.path)
	}
	o["_links"] = object{"self": self, "git": o["git_url"], "html": o["html_url"]}
	return o
}

// module is a submodule, which has addresses if it is kept on GitHub too.
func (x *exchange) module(commit string, e entry, kind string) object {
	o := x.contentFields(e, kind)
	if name, here := strings.CutPrefix(x.submodule(commit, e.path), site+"/"); here {
		name = strings.TrimSuffix(name, ".git")
		o["git_url"], o["html_url"] = x.api+"/repos/"+name+"/git/trees/"+e.sha, site+"/"+name+"/tree/"+e.sha
		o["_links"] = object{"self": o["url"], "git": o["git_url"], "html": o["html_url"]}
	}
	return o
}

// submodule reads where a submodule comes from.
func (x *exchange) submodule(commit, at string) string {
	e, found := x.repo.git.find(commit, ".gitmodules")
	if !found {
		return ""
	}
	text, _ := x.repo.git.blob(e.sha)
	here, where := false, ""
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		switch {
		case strings.HasPrefix(key, "["):
			here = false
		case key == "path":
			here = value == at
		case key == "url" && here:
			where = value
		}
	}
	return where
}

// wrapped is base64 in lines of 60, as GitHub sends it.
func wrapped(data []byte) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(data)), 60) {
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func unwrapped(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(string(bytes.Join(bytes.Fields([]byte(s)), nil)))
}

// escape makes a path of an address: slashes stay.
func escape(s string) string {
	parts := strings.Split(s, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
