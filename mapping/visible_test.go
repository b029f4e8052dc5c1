package mapping

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "List pets.\n\tAll of them.\r\n", "List pets.\n\tAll of them.\r\n"},
		{"letters of every script", "Größe Ἀθῆναι 東京 שלום", "Größe Ἀθῆναι 東京 שלום"},
		{"terminal escape", "a\x1b[2Jb\x07\u009b31mc\x7f", "a[2Jb31mc"},
		{"direction (CVE-2021-42574)", "a\u202eb\u2066c\u2069\u200fd", "abcd"},
		{"no width", "dele\u200bte\u2060 \ufeffit", "delete it"},
		{"tags spell words", "hi\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065", "hi"},
		{"selectors carry bytes", "x\U000e0101\U000e0102\ufe01\ufe0f", "x"},
		{"emoji", "👩\u200d💻 ❤️ 1️⃣", "👩\u200d💻 ❤️ 1️⃣"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"a joiner between letters that do not join", "pass\u200dword", "password"},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// Unicode's own table is the second implementation: nothing of the categories
// "control" and "format" comes through but what is named here.
func TestVisibleByCategory(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) {
			continue
		}
		kept := strings.ContainsRune(Visible("a"+string(r)+"b"), r)
		// Signs of Arabic, Syriac, Kaithi and Egyptian numbers and quadrats have a
		// shape of their own, though Unicode calls them format characters.
		want := r == '\n' || r == '\t' || r == '\r' || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r >= 0x13430 && r <= 0x1343f
		if kept != want {
			t.Errorf("Visible keeps %U: %v, want %v", r, kept, want)
		}
	}
}
