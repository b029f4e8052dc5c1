package github

import (
	"github.com/google/go-github/v66/github"
)

// releaseRows are about releases.
func releaseRows() []row {
	return []row{
		{
			name: "list_releases", set: "repos", noun: "release", verb: "list", needs: "contents: read",
			summary: "Releases, newest first, without their notes.",
			use:     "Use when you need versions that were released.",
			avoid:   "Do not use for the notes of one; use [[get_release]] instead.",
			at:      "GET /repos/{owner}/{repo}/releases", shape: many("releases", trimReleaseLine),
		},
		{
			name: "get_release", set: "repos", extra: true, noun: "release", verb: "get", needs: "contents: read",
			summary: "One release by its tag: notes and assets.",
			use:     "Use when you need the notes or assets of a release.",
			avoid:   "Do not use to find a version; use [[list_releases]] instead.",
			at:      "GET /repos/{owner}/{repo}/releases/tags/{tag}",
			params:  []param{need("tag", "The release's tag.", aText)},
			shape:   one(trimRelease),
		},
	}
}

type release struct {
	Tag        string  `json:"tag"`
	Name       string  `json:"name,omitempty"`
	Draft      bool    `json:"draft,omitempty"`
	Prerelease bool    `json:"prerelease,omitempty"`
	Published  string  `json:"published_at,omitempty"`
	Author     string  `json:"author,omitempty"`
	Notes      string  `json:"notes,omitempty"`
	Assets     []asset `json:"assets,omitempty"`
	URL        string  `json:"url"`
}

type asset struct {
	Name      string `json:"name"`
	Size      int    `json:"size"`
	Downloads int    `json:"downloads"`
}

type releaseLine struct {
	Tag        string `json:"tag"`
	Name       string `json:"name,omitempty"`
	Draft      bool   `json:"draft,omitempty"`
	Prerelease bool   `json:"prerelease,omitempty"`
	Published  string `json:"published_at,omitempty"`
}

func trimReleaseLine(r *github.RepositoryRelease) releaseLine {
	return releaseLine{Tag: clean(r.GetTagName()), Name: clean(r.GetName()), Draft: r.GetDraft(), Prerelease: r.GetPrerelease(), Published: when(r.PublishedAt)}
}

func trimRelease(r *github.RepositoryRelease) release {
	out := release{
		Tag: clean(r.GetTagName()), Name: clean(r.GetName()), Draft: r.GetDraft(), Prerelease: r.GetPrerelease(),
		Published: when(r.PublishedAt), Author: r.GetAuthor().GetLogin(), Notes: clean(r.GetBody()), URL: r.GetHTMLURL(),
	}
	for _, a := range r.Assets {
		out.Assets = append(out.Assets, asset{clean(a.GetName()), a.GetSize(), a.GetDownloadCount()})
	}
	return out
}
