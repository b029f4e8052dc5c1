package githubfake

import (
	"path"
	"strings"
	"time"
)

// A change is the body of a write through the contents API.
type change struct {
	Message   string  `json:"message"`
	Content   *string `json:"content"`
	SHA       string  `json:"sha"`
	Branch    string  `json:"branch"`
	Author    *ident  `json:"author"`
	Committer *ident  `json:"committer"`
}

type ident struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Date  string `json:"date"`
}

func writeContents(x *exchange) reply {
	c, tip, old, refused, fine := x.change()
	if !fine {
		return refused
	}
	if c.Content == nil {
		return fail(422, `Invalid request. "content" wasn't supplied.`)
	}
	data, err := unwrapped(*c.Content)
	if err != nil {
		return fail(422, "content is not valid Base64")
	}
	mode := "100644"
	if old.sha != "" {
		mode = old.mode
	}
	if old.kind == "tree" {
		return fail(422, "path contains a malformed path component")
	}
	blob, err := x.repo.git.write(data, "hash-object", "-w", "--stdin")
	if err != nil {
		return fail(500, err.Error())
	}
	e := entry{mode: mode, kind: "blob", sha: blob, path: x.args["path"], size: int64(len(data))}
	commit, refused, fine := x.commitChange(c, tip, e)
	if !fine {
		return refused
	}
	answer := object{"content": x.contentFields(e, "file"), "commit": commit}
	if old.sha == "" {
		return created(answer)
	}
	return ok(answer)
}

func deleteContents(x *exchange) reply {
	c, tip, old, refused, fine := x.change()
	if !fine {
		return refused
	}
	if old.sha == "" {
		return notFound()
	}
	if c.SHA == "" {
		return fail(422, `Invalid request. "sha" wasn't supplied.`)
	}
	commit, refused, fine := x.commitChange(c, tip, entry{path: x.args["path"]})
	if !fine {
		return refused
	}
	return ok(object{"content": nil, "commit": commit})
}

// change reads the body and finds the tip of the branch and what is at the path,
// which has to be what the caller thinks it is.
func (x *exchange) change() (c change, tip string, old entry, refused reply, fine bool) {
	if refused, fine = x.decode(&c); !fine {
		return
	}
	if c.Message == "" {
		return c, "", old, fail(422, `Invalid request. "message" wasn't supplied.`), false
	}
	if p := x.args["path"]; p != path.Clean(p) || strings.HasPrefix(p, "../") || p == ".." {
		return c, "", old, fail(422, "path contains a malformed path component"), false
	}
	if c.Branch == "" {
		c.Branch = x.repo.Default
	}
	r, found := x.repo.git.ref("refs/heads/" + c.Branch)
	if !found && !x.repo.git.empty() {
		return c, "", old, fail(404, "Branch "+c.Branch+" not found"), false
	}
	if found {
		tip = r.sha
		old, _ = x.repo.git.find(tip, x.args["path"])
	}
	switch {
	case c.SHA != "" && c.SHA != old.sha:
		return c, tip, old, fail(409, x.args["path"]+" does not match "+c.SHA), false
	case c.SHA == "" && old.sha != "" && x.r.Method == "PUT":
		return c, tip, old, fail(422, `Invalid request. "sha" wasn't supplied.`), false
	}
	return c, tip, old, reply{}, true
}

// commitChange makes a commit of one changed path and moves the branch to it.
func (x *exchange) commitChange(c change, tip string, e entry) (object, reply, bool) {
	base := ""
	var parents []string
	if tip != "" {
		base, parents = x.repo.git.treeOf(tip), []string{tip}
	}
	tree, err := x.repo.git.put(base, []entry{e})
	if err != nil {
		return nil, fail(422, "path contains a malformed path component"), false
	}
	sha, err := x.repo.git.commitTree(x.newCommit(c, tree, parents))
	if err == nil {
		_, err = x.repo.git.write(nil, "update-ref", "refs/heads/"+c.Branch, sha)
	}
	if err != nil {
		return nil, fail(500, err.Error()), false
	}
	x.repo.refresh()
	return x.gitCommit(x.repo.git.commit(sha)), reply{}, true
}

func (x *exchange) newCommit(c change, tree string, parents []string) draft {
	me := ident{Name: x.who, Email: x.who + "@example.com", Date: stamp(time.Now())}
	d := draft{message: c.Message, tree: tree, parents: parents, author: me, committer: me}
	if c.Author != nil {
		d.author = filled(*c.Author, me)
		d.committer = d.author
	}
	if c.Committer != nil {
		d.committer = filled(*c.Committer, me)
	}
	return d
}

// filled takes from another what one does not say.
func filled(i, from ident) ident {
	if i.Date == "" {
		i.Date = from.Date
	}
	if i.Name == "" {
		i.Name, i.Email = from.Name, from.Email
	}
	return i
}
