package githubfake

import (
	"slices"
	"strings"
)

func commitRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/commits", "contents=read", listCommits),
		read("/repos/{owner}/{repo}/commits/{ref...}", "contents=read", showCommit),
		read("/repos/{owner}/{repo}/commits/{ref...}/pulls", "pull_requests=read", listPullsOfCommit),
		read("/repos/{owner}/{repo}/compare/{basehead...}", "contents=read", compare),
	}
}

// A commit as git has it.
type commit struct {
	sha, tree string
	parents   []string
	author    ident
	committer ident
	message   string
}

// logFormat keeps apart with bytes that no field can hold.
const logFormat = "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x00%x01"

// commits lists what can be reached from a commit, newest first. Path limits it
// to what touched a path; more are arguments of git log.
func (s *store) commits(from, path string, more ...string) []commit {
	args := append([]string{"log", logFormat}, more...)
	args = append(args, from, "--")
	if path != "" {
		args = append(args, path)
	}
	out, err := s.read(args...)
	if err != nil {
		return nil
	}
	var all []commit
	for one := range strings.SplitSeq(string(out), "\x00\x01\n") {
		f := strings.Split(strings.TrimSuffix(one, "\x00\x01"), "\x00")
		if len(f) < 10 {
			continue
		}
		all = append(all, commit{
			sha: f[0], tree: f[1], parents: strings.Fields(f[2]), author: ident{f[3], f[4], utc(f[5])}, committer: ident{f[6], f[7], utc(f[8])},
			message: strings.TrimSuffix(f[9], "\n"),
		})
	}
	return all
}

// utc writes git's +00:00 as GitHub does.
func utc(s string) string { return strings.Replace(s, "+00:00", "Z", 1) }

func (s *store) commit(sha string) commit {
	if all := s.commits(sha, "", "-1"); len(all) == 1 {
		return all[0]
	}
	return commit{}
}

func (s *store) ancestors(sha string) []string {
	out, _ := s.read("rev-list", sha)
	return strings.Fields(string(out))
}

// A draft is a commit before it has a sha.
type draft struct {
	message, tree     string
	parents           []string
	author, committer ident
}

func (s *store) commitTree(d draft) (string, error) {
	args := []string{"commit-tree", d.tree}
	for _, p := range d.parents {
		args = append(args, "-p", p)
	}
	return s.writeWith([]string{
		"GIT_AUTHOR_NAME=" + d.author.Name, "GIT_AUTHOR_EMAIL=" + d.author.Email, "GIT_AUTHOR_DATE=" + d.author.Date,
		"GIT_COMMITTER_NAME=" + d.committer.Name, "GIT_COMMITTER_EMAIL=" + d.committer.Email, "GIT_COMMITTER_DATE=" + d.committer.Date,
	}, []byte(d.message), args...)
}

func (x *exchange) commitURL(sha string) string { return x.at(x.repo) + "/commits/" + sha }

func unsigned() object {
	return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

func (i ident) fields() object { return object{"name": i.Name, "email": i.Email, "date": i.Date} }

// commit is a commit of the commits API, without its files.
func (x *exchange) commit(r *repo, c commit) object {
	at := x.at(r)
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha[:12], "url": at + "/commits/" + c.sha, "html_url": r.site() + "/commit/" + c.sha,
		"comments_url": at + "/commits/" + c.sha + "/comments", "author": x.user(c.author.Name), "committer": x.user(c.committer.Name),
		"parents": x.parents(r, c, "/commits/"),
		"commit": object{
			"url": at + "/git/commits/" + c.sha, "message": c.message, "comment_count": 0, "author": c.author.fields(), "committer": c.committer.fields(),
			"tree": object{"sha": c.tree, "url": at + "/git/trees/" + c.tree}, "verification": unsigned(),
		},
	}
}

func (x *exchange) parents(r *repo, c commit, below string) []object {
	list := []object{}
	for _, p := range c.parents {
		list = append(list, object{"sha": p, "url": x.at(r) + below + p, "html_url": r.site() + "/commit/" + p})
	}
	return list
}

// gitCommit is a commit of the git API.
func (x *exchange) gitCommit(c commit) object {
	at := x.at(x.repo) + "/git"
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha[:12], "url": at + "/commits/" + c.sha, "html_url": x.repo.site() + "/commit/" + c.sha,
		"author": c.author.fields(), "committer": c.committer.fields(), "message": c.message,
		"tree": object{"sha": c.tree, "url": at + "/trees/" + c.tree}, "parents": x.parents(x.repo, c, "/git/commits/"), "verification": unsigned(),
	}
}

func listCommits(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	name := x.get("sha")
	if name == "" {
		name = x.repo.Default
	}
	from, found := x.repo.git.resolve(name)
	if !found {
		return notFound()
	}
	var more []string
	for _, f := range []string{"author", "since", "until", "committer"} {
		if v := x.get(f); v != "" {
			more = append(more, "--"+f+"="+v)
		}
	}
	list := []any{}
	for _, c := range page(x, x.repo.git.commits(from, strings.Trim(x.get("path"), "/"), more...)) {
		list = append(list, x.commit(x.repo, c))
	}
	return ok(list)
}

func showCommit(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	sha, found := x.repo.git.resolve(x.args["ref"])
	if !found {
		return fail(422, "No commit found for SHA: "+x.args["ref"])
	}
	if x.wants("sha") {
		return reply{raw: []byte(sha), mime: "application/vnd.github.sha; charset=utf-8"}
	}
	c := x.repo.git.commit(sha)
	before := emptyTree
	if len(c.parents) > 0 {
		before = c.parents[0]
	}
	if text, asked := x.diffText(before, sha); asked {
		return text
	}
	files := x.repo.git.diff(before, sha)
	o := x.commit(x.repo, c)
	added, removed := total(files)
	o["stats"] = object{"total": added + removed, "additions": added, "deletions": removed}
	o["files"] = x.diffEntries(page(x, files), sha)
	return ok(o)
}

// diffText is a difference as text, where the request asks for it so.
func (x *exchange) diffText(before, after string) (reply, bool) {
	var out []byte
	mime := ""
	switch {
	case x.wants("diff"):
		mime = "application/vnd.github.diff; charset=utf-8"
		out, _ = x.repo.git.read("diff", "-M", before, after)
	case x.wants("patch"):
		mime = "application/vnd.github.patch; charset=utf-8"
		out, _ = x.repo.git.read("format-patch", "--stdout", "-M", before+".."+after)
	default:
		return reply{}, false
	}
	if out == nil {
		out = []byte{}
	}
	return reply{raw: out, mime: mime}, true
}

func compare(x *exchange) reply {
	if refused, empty := x.emptyGit(); empty {
		return refused
	}
	base, head, split := strings.Cut(x.args["basehead"], "...")
	b, foundB := x.repo.git.resolve(base)
	h, foundH := x.repo.git.resolve(head)
	if !split || !foundB || !foundH {
		return notFound()
	}
	mergeBase, err := x.repo.git.read("merge-base", b, h)
	if err != nil {
		return fail(404, "No common ancestor between "+base+" and "+head+".")
	}
	common := trimmed(mergeBase)
	if text, asked := x.diffText(common, h); asked {
		return text
	}
	ahead, behind := x.repo.git.commits(b+".."+h, ""), x.repo.git.commits(h+".."+b, "")
	slices.Reverse(ahead)
	list := []any{}
	for _, c := range page(x, ahead) {
		list = append(list, x.commit(x.repo, c))
	}
	at, to := x.at(x.repo)+"/compare/"+escape(x.args["basehead"]), x.repo.site()+"/compare/"+escape(x.args["basehead"])
	files := x.repo.git.diff(common, h)
	return ok(object{
		"url": at, "html_url": to, "permalink_url": to, "diff_url": to + ".diff", "patch_url": to + ".patch",
		"base_commit": x.commit(x.repo, x.repo.git.commit(b)), "merge_base_commit": x.commit(x.repo, x.repo.git.commit(common)),
		"status": apart(len(ahead), len(behind)), "ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead),
		"commits": list, "files": x.diffEntries(files[:min(len(files), 300)], h),
	})
}

func apart(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}
