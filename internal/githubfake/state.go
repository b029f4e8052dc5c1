package githubfake

import (
	"encoding/json"
	"strings"
)

// State is a text that changes whenever anything in the world does.
func (g *GitHub) State() (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []string
	for _, r := range g.repos {
		var heads []string
		for _, ref := range r.git.refs("refs/") {
			heads = append(heads, ref.name+" "+ref.sha)
		}
		var pulls []pull
		for _, i := range r.pulls {
			pulls = append(pulls, *i.pull)
		}
		text, err := json.Marshal([]any{r.Repository, heads, r.issues, len(pulls)})
		if err != nil {
			return "", err
		}
		all = append(all, string(text))
		for _, i := range r.issues {
			all = append(all, i.Title, i.Body, i.state(), i.reason, strings.Join(i.Labels, " "))
			for _, c := range i.comments {
				all = append(all, c.Body)
			}
		}
		for _, n := range r.runs {
			all = append(all, n.Status, n.Conclusion)
		}
	}
	return strings.Join(all, "\n"), nil
}
