package githubfake

import (
	"cmp"
	"slices"
	"strconv"
)

func userRoutes() []route {
	return []route{
		read("/user", "", showMe),
		read("/users/{username}", "", showUser),
		read("/user/repos", "metadata=read", listMine),
		read("/users/{username}/repos", "metadata=read", listOf),
		read("/orgs/{org}/repos", "metadata=read", listOf),
		read("/rate_limit", "", showLimits),
	}
}

// person gives a login its number.
func (g *GitHub) person(login string) int64 {
	if id, ok := g.people[login]; ok {
		return id
	}
	g.people[login] = int64(len(g.people) + 1)
	return g.people[login]
}

// user is a simple-user; null for a ghost.
func (x *exchange) user(login string) any {
	if login == Ghost {
		return nil
	}
	id, at := x.hub.person(login), x.api+"/users/"+login
	return object{
		"login": login, "id": id, "node_id": "U_" + strconv.FormatInt(id, 10), "avatar_url": site + "/avatars/" + login, "gravatar_id": "",
		"url": at, "html_url": site + "/" + login, "followers_url": at + "/followers", "following_url": at + "/following{/other_user}",
		"gists_url": at + "/gists{/gist_id}", "starred_url": at + "/starred{/owner}{/repo}", "subscriptions_url": at + "/subscriptions",
		"organizations_url": at + "/orgs", "repos_url": at + "/repos", "events_url": at + "/events{/privacy}",
		"received_events_url": at + "/received_events", "type": "User", "site_admin": false, "user_view_type": "public",
	}
}

func (x *exchange) users(logins []string) []any {
	all := []any{}
	for _, l := range logins {
		all = append(all, x.user(l))
	}
	return all
}

// site is where people look at what the API tells.
const site = "https://github.example"

func showMe(x *exchange) reply {
	if x.who == "" {
		return fail(401, "Requires authentication")
	}
	me := x.publicUser(x.who)
	for k, v := range (object{"private_gists": 0, "total_private_repos": 0, "owned_private_repos": 0, "disk_usage": 0, "collaborators": 0}) {
		me[k] = v
	}
	return ok(me)
}

func showUser(x *exchange) reply {
	if _, known := x.hub.people[x.args["username"]]; !known {
		return notFound()
	}
	return ok(x.publicUser(x.args["username"]))
}

func (x *exchange) publicUser(login string) object {
	u, _ := x.user(login).(object)
	for k, v := range (object{
		"name": login, "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil, "public_repos": len(x.owned(login)),
		"public_gists": 0, "followers": 0, "following": 0, "created_at": stamp(began()), "updated_at": stamp(began()),
	}) {
		u[k] = v
	}
	return u
}

func listMine(x *exchange) reply {
	if x.who == "" {
		return fail(401, "Requires authentication")
	}
	return x.listRepos(x.hub.repos)
}

func listOf(x *exchange) reply {
	owner := cmp.Or(x.args["username"], x.args["org"])
	owned := x.owned(owner)
	if _, known := x.hub.people[owner]; len(owned) == 0 && !known {
		return notFound()
	}
	return x.listRepos(owned)
}

func (x *exchange) owned(owner string) []*repo {
	return slices.DeleteFunc(slices.Clone(x.hub.repos), func(r *repo) bool { return r.Owner != owner || !x.sees(r) })
}

func (x *exchange) listRepos(all []*repo) reply {
	list := []any{}
	for _, r := range page(x, all) {
		list = append(list, x.repository(r))
	}
	return ok(list)
}

func showLimits(x *exchange) reply {
	of := func(resource string, limit int) object {
		used := x.hub.spent[x.who+" "+resource]
		return object{"limit": limit, "used": used, "remaining": limit - used, "reset": reset().Unix()}
	}
	core := of("core", x.hub.world.Limit)
	return ok(object{"resources": object{
		"core": core, "search": of("search", searches(x.hub.world.Limit)), "code_search": of("code_search", searches(x.hub.world.Limit)/3),
	}, "rate": core})
}
