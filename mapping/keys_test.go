package mapping

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSafeKey(t *testing.T) {
	for _, c := range []struct{ key, want string }{
		{"per_page", "per_page"},
		{"X-Request.Id", "X-Request.Id"},
		{"filter[name]", "filter_name"},
		{"ids[]", "ids"},
		{"$filter", "filter"},
		{"@odata.type", "odata.type"},
		{"StartTime<", "StartTime_lt"},
		{"StartTime>", "StartTime_gt"},
		{"a>=b", "a_gt_eq_b"},
		{"+1", "plus_1"},
		{"a b  c", "a_b_c"},
		// Digits of SHA-256 of the key.
		{"", "key_e3b0c4"},
		{"/", "key_8a5eda"},
		{"größe", "gr_e_d353a2"},
	} {
		got := safeKey(c.key)
		if len(got) > maxKey || !isSafeKey(got) {
			t.Errorf("safeKey(%q) = %q, which is no safe key", c.key, got)
		}
		if got != c.want {
			t.Errorf("safeKey(%q) = %q, want %q", c.key, got, c.want)
		}
	}
}

func TestRenamesAreOneToOne(t *testing.T) {
	o := &object{}
	for _, key := range []string{"a[b]", "a_b", "a{b}", "a.b", "ü", "ä", "<", ">"} {
		o.set(key, nil)
	}
	back := renames(o)
	want := []string{"<", ">", "a[b]", "a{b}", "ä", "ü"}
	if got := slices.Sorted(maps.Values(back)); !slices.Equal(got, want) {
		t.Errorf("renamed %q, want %q", got, want)
	}
	for safe := range back {
		if safe == "a_b" || safe == "a.b" {
			t.Errorf("%q stands for another key than the one that has this name", safe)
		}
	}
	if diff := cmp.Diff(names(nil), renames(&object{members: []member{{"a_b", nil}}})); diff != "" {
		t.Errorf("renames of safe keys:\n%s", diff)
	}
}
