package githubfake

import (
	"cmp"
	"fmt"
	"slices"
)

func releaseRoutes() []route {
	return []route{
		read("/repos/{owner}/{repo}/releases", "contents=read", listReleases),
		read("/repos/{owner}/{repo}/releases/latest", "contents=read", latestRelease),
		read("/repos/{owner}/{repo}/releases/{release_id}", "contents=read", showRelease),
		read("/repos/{owner}/{repo}/releases/tags/{tag...}", "contents=read", releaseOfTag),
	}
}

func (x *exchange) release(n int) object {
	v, id := x.repo.Releases[n], x.repo.id*1000+int64(n)
	at := fmt.Sprintf("%s/releases/%d", x.at(x.repo), id)
	o := object{
		"url": at, "html_url": x.repo.site() + "/releases/tag/" + escape(v.Tag), "assets_url": at + "/assets",
		"upload_url": fmt.Sprintf("%s/releases/%d/assets{?name,label}", x.at(x.repo), id), "tarball_url": x.at(x.repo) + "/tarball/" + escape(v.Tag),
		"zipball_url": x.at(x.repo) + "/zipball/" + escape(v.Tag), "id": id, "node_id": fmt.Sprintf("RE_%d", id), "tag_name": v.Tag,
		"target_commitish": x.repo.Default, "name": orNull(v.Name), "body": cmp.Or(v.Body, ""), "draft": v.Draft, "prerelease": v.Prerelease,
		"created_at": stamp(x.repo.created), "published_at": stamp(x.repo.created), "author": x.user(x.hub.world.Me), "assets": []any{},
	}
	if v.Draft {
		o["published_at"] = nil
	}
	return o
}

func listReleases(x *exchange) reply {
	list := []any{}
	for n := range x.repo.Releases {
		list = append(list, x.release(n))
	}
	slices.Reverse(list)
	return ok(page(x, list))
}

func latestRelease(x *exchange) reply {
	for n := len(x.repo.Releases) - 1; n >= 0; n-- {
		if v := x.repo.Releases[n]; !v.Draft && !v.Prerelease {
			return ok(x.release(n))
		}
	}
	return notFound()
}

func showRelease(x *exchange) reply {
	for n := range x.repo.Releases {
		if fmt.Sprint(x.repo.id*1000+int64(n)) == x.args["release_id"] {
			return ok(x.release(n))
		}
	}
	return notFound()
}

func releaseOfTag(x *exchange) reply {
	for n, v := range x.repo.Releases {
		if v.Tag == x.args["tag"] && !v.Draft {
			return ok(x.release(n))
		}
	}
	return notFound()
}
