package githubfake

import (
	"encoding/base64"
	"slices"
	"strings"
)

func gitRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/git/blobs/{sha}", "contents=read", showBlob),
		operation("POST", "/repos/{owner}/{repo}/git/blobs", "contents=write", createBlob),
		read("/repos/{owner}/{repo}/git/trees/{tree...}", "contents=read", showTree),
		operation("POST", "/repos/{owner}/{repo}/git/trees", "contents=write", createTree),
		read("/repos/{owner}/{repo}/git/commits/{sha...}", "contents=read", showGitCommit),
		operation("POST", "/repos/{owner}/{repo}/git/commits", "contents=write", createCommit),
		read("/repos/{owner}/{repo}/git/ref/{ref...}", "contents=read", showRef),
		read("/repos/{owner}/{repo}/git/matching-refs/{ref...}", "contents=read", listRefs),
		operation("POST", "/repos/{owner}/{repo}/git/refs", "contents=write", createRef),
		operation("PATCH", "/repos/{owner}/{repo}/git/refs/{ref...}", "contents=write", updateRef),
		operation("DELETE", "/repos/{owner}/{repo}/git/refs/{ref...}", "contents=write", deleteRef),
		read("/repos/{owner}/{repo}/git/tags/{sha}", "contents=read", showTagObject),
	}
}

// emptyGit is GitHub's answer about git objects of a repository without any.
func (x *exchange) emptyGit() (reply, bool) {
	return fail(409, "Git Repository is empty."), x.repo.git.empty()
}

func showBlob(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	sha := x.args["sha"]
	data, found := x.repo.git.blob(sha)
	if !found {
		return notFound()
	}
	if len(data) > rawBytes {
		return tooLarge()
	}
	if x.wants("raw") {
		return reply{raw: data, mime: "application/vnd.github.raw+json; charset=utf-8"}
	}
	return ok(object{
		"sha": sha, "node_id": "B_" + sha[:12], "size": len(data), "url": x.at(x.repo) + "/git/blobs/" + sha, "encoding": "base64", "content": wrapped(data),
	})
}

func createBlob(x *exchange) reply {
	var b struct{ Content, Encoding string }
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	data := []byte(b.Content)
	if b.Encoding == "base64" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(b.Content); err != nil {
			return fail(422, "content is not valid Base64")
		}
	}
	sha, err := x.repo.git.write(data, "hash-object", "-w", "--stdin")
	if err != nil {
		return fail(500, err.Error())
	}
	return created(object{"sha": sha, "url": x.at(x.repo) + "/git/blobs/" + sha})
}

// treeEntries is more than one answer of the trees API may tell.
const treeEntries = 100_000

func showTree(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	sha := x.args["tree"]
	switch x.repo.git.kind(sha) {
	case "tree":
	default:
		commit, found := x.repo.git.resolve(sha)
		if !found {
			return notFound()
		}
		sha = x.repo.git.treeOf(commit)
	}
	entries := x.repo.git.tree(sha, x.get("recursive") != "")
	truncated := len(entries) > treeEntries
	return ok(x.treeFields(sha, entries[:min(len(entries), treeEntries)], truncated))
}

func (x *exchange) treeFields(sha string, entries []entry, truncated bool) object {
	list := []object{}
	for _, e := range entries {
		o := object{"path": e.path, "mode": e.mode, "type": e.kind, "sha": e.sha}
		if e.kind == "blob" {
			o["size"] = e.size
		}
		if e.kind != "commit" {
			o["url"] = x.at(x.repo) + "/git/" + e.kind + "s/" + e.sha
		}
		list = append(list, o)
	}
	return object{"sha": sha, "url": x.at(x.repo) + "/git/trees/" + sha, "tree": list, "truncated": truncated}
}

func createTree(x *exchange) reply {
	var b struct {
		Base string `json:"base_tree"`
		Tree []struct {
			Path, Mode, Type string
			SHA, Content     *string
		}
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	if b.Base != "" && x.repo.git.kind(b.Base) != "tree" {
		commit, found := x.repo.git.resolve(b.Base)
		if !found {
			return fail(422, "base_tree is not a valid tree oid")
		}
		b.Base = x.repo.git.treeOf(commit)
	}
	var changes []entry
	for _, t := range b.Tree {
		e := entry{path: t.Path, mode: t.Mode, kind: t.Type}
		switch {
		case t.SHA != nil:
			if e.sha = *t.SHA; e.mode != "160000" && x.repo.git.kind(e.sha) == "" {
				return fail(422, "tree.sha "+e.sha+" is not a valid blob")
			}
		case t.Content != nil:
			var err error
			if e.sha, err = x.repo.git.write([]byte(*t.Content), "hash-object", "-w", "--stdin"); err != nil {
				return fail(500, err.Error())
			}
		}
		changes = append(changes, e)
	}
	sha, err := x.repo.git.put(b.Base, changes)
	if err != nil {
		return fail(422, "tree.path contains a malformed path component")
	}
	return created(x.treeFields(sha, x.repo.git.tree(sha, false), false))
}

func showGitCommit(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	if x.repo.git.kind(x.args["sha"]) != "commit" {
		return notFound()
	}
	return ok(x.gitCommit(x.repo.git.commit(x.args["sha"])))
}

func createCommit(x *exchange) reply {
	var b struct {
		change
		Tree    string
		Parents []string
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if x.repo.git.kind(b.Tree) != "tree" {
		return invalid("Commit", "tree", "invalid", "Tree SHA does not exist")
	}
	for _, p := range b.Parents {
		if x.repo.git.kind(p) != "commit" {
			return invalid("Commit", "parents", "invalid", "Parent SHA does not exist or is not a commit object")
		}
	}
	sha, err := x.repo.git.commitTree(x.newCommit(b.change, b.Tree, b.Parents))
	if err != nil {
		return fail(500, err.Error())
	}
	return created(x.gitCommit(x.repo.git.commit(sha)))
}

func showRef(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	r, found := x.repo.git.ref("refs/" + x.args["ref"])
	if !found {
		return notFound()
	}
	return ok(x.refFields(r))
}

func listRefs(x *exchange) reply {
	list := []any{}
	for _, r := range page(x, x.repo.git.refs("refs/"+x.args["ref"])) {
		list = append(list, x.refFields(r))
	}
	return ok(list)
}

func (x *exchange) refFields(r ref) object {
	at := x.at(x.repo) + "/git/"
	return object{
		"ref": r.name, "node_id": "REF_" + r.sha[:12], "url": at + escape(r.name),
		"object": object{"type": r.kind, "sha": r.sha, "url": at + r.kind + "s/" + r.sha},
	}
}

func createRef(x *exchange) reply {
	var b struct{ Ref, SHA string }
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	if !strings.HasPrefix(b.Ref, "refs/") || strings.Count(b.Ref, "/") < 2 {
		return fail(422, "Reference name must start with 'refs/' and contain at least two slashes.")
	}
	if _, there := x.repo.git.ref(b.Ref); there {
		return fail(422, "Reference already exists")
	}
	if x.repo.git.kind(b.SHA) == "" {
		return fail(422, "Object does not exist")
	}
	if _, err := x.repo.git.write(nil, "update-ref", b.Ref, b.SHA); err != nil {
		return fail(422, b.Ref+" is not a valid ref name.")
	}
	r, _ := x.repo.git.ref(b.Ref)
	return created(x.refFields(r))
}

func updateRef(x *exchange) reply {
	var b struct {
		SHA   string
		Force bool
	}
	if refused, fine := x.decode(&b); !fine {
		return refused
	}
	r, found := x.repo.git.ref("refs/" + x.args["ref"])
	if !found {
		return fail(422, "Reference does not exist")
	}
	if x.repo.git.kind(b.SHA) != "commit" {
		return fail(422, "Object does not exist")
	}
	if !b.Force && !slices.Contains(x.repo.git.ancestors(b.SHA), r.sha) {
		return fail(422, "Update is not a fast forward")
	}
	if _, err := x.repo.git.write(nil, "update-ref", r.name, b.SHA); err != nil {
		return fail(500, err.Error())
	}
	x.repo.refresh()
	r, _ = x.repo.git.ref(r.name)
	return ok(x.refFields(r))
}

func deleteRef(x *exchange) reply {
	r, found := x.repo.git.ref("refs/" + x.args["ref"])
	if !found {
		return fail(422, "Reference does not exist")
	}
	if _, err := x.repo.git.write(nil, "update-ref", "-d", r.name); err != nil {
		return fail(500, err.Error())
	}
	return nothing()
}

func showTagObject(x *exchange) reply {
	sha := x.args["sha"]
	for _, r := range x.repo.git.refs("refs/tags/") {
		if r.sha != sha || r.kind != "tag" {
			continue
		}
		message, _ := x.repo.git.read("for-each-ref", "--format=%(contents)", r.name)
		return ok(object{
			"node_id": "T_" + sha[:12], "sha": sha, "url": x.at(x.repo) + "/git/tags/" + sha, "tag": strings.TrimPrefix(r.name, "refs/tags/"),
			"message": trimmed(message), "tagger": object{"name": "octocat", "email": "octocat@example.com", "date": stamp(began())},
			"object": object{"type": "commit", "sha": r.commit, "url": x.at(x.repo) + "/git/commits/" + r.commit}, "verification": unsigned(),
		})
	}
	return notFound()
}
