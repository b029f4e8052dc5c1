package mapping

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct{ word, names, want string }{
		{"nme", "name key group", "name"},
		{"destroy", "reads writes destroys unknown", "destroys"},
		{"locaton", "kind location prefix", "location"},
		{"srve", "serve inspect call", "serve"},
		{"lcoation", "location baseURL headers allow", "location"},
		{"base_url", "location baseURL headers allow", "baseURL"},
		{"alow", "location baseURL headers allow", "allow"},
		{"deny", "location baseURL headers allow", ""},
		{"Get_Pet", "list_pets get_pet", "get_pet"},
		{"petName", "kind pet_name", "pet_name"},
		{"list_pest", "list_pets list_posts", "list_pets list_posts"},
		{"issues", "list_issues issue_read", "list_issues"},
		{"REDME.md", "docs/README.md README.md LICENSE", "README.md"},
		{"src/README.md", "docs/README.md LICENSE", "docs/README.md"},
		{"fly", "get_pet list_pets", ""},
		{"x", "id kind", ""},
		{"", "id kind", ""},
		{"---", "___ x", ""},
	} {
		got := strings.Join(Nearest(c.word, strings.Fields(c.names), 5), " ")
		if got != c.want {
			t.Errorf("Nearest(%q, %s) = %q, want %q", c.word, c.names, got, c.want)
		}
	}
}

// The distances are worked out by hand.
func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		most, want int
	}{
		{"", "", 3, 0}, {"kitten", "sitting", 5, 3}, {"kitten", "sitting", 2, 3}, {"abc", "acb", 2, 1},
		{"ca", "abc", 5, 3}, {"abcdef", "badcfe", 3, 3}, {"same", "same", 0, 0}, {"a", "abcdef", 2, 3},
	} {
		if got := editDistance(c.a, c.b, c.most); got != c.want {
			t.Errorf("editDistance(%q, %q, %d) = %d, want %d", c.a, c.b, c.most, got, c.want)
		}
	}
}
