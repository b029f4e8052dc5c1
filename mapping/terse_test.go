package mapping

import "testing"

func TestTerse(t *testing.T) {
	for _, c := range []struct {
		tools      int
		text, want string
	}{
		{1, "The name of the repository. The name is not case sensitive.", "The name of the repository. The name is not case sensitive."},
		{1000, "The name of the repository. The name is not case sensitive.", "Name of the repository"},
		{1000, "A GitHub user.", "A GitHub user"},
		{1000, "Whether to wait.", "Whether to wait"},
		{1000, "See also [this](x).", ""},
		{1, "Up to 100. For more information, see \"[Paging](https://example.test/a)\".", "Up to 100."},
		{1, "A list [of](these [things", "A list [of](these [things"},
		{1, "![logo](a.png) and [b](c) and [d]", "logo and b and [d]"},
		{1, "", ""},
	} {
		if got := wordinessFor(c.tools).terse(c.text); got != c.want {
			t.Errorf("%d tools: %q is said as %q, want %q", c.tools, c.text, got, c.want)
		}
	}
}
