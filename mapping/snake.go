package mapping

import "strings"

// snake spells a name in snake_case, in its own word order. Everything outside
// A-Z, a-z and 0-9 separates words, and so does a capital that begins one:
// "repos/list-for-org" is repos_list_for_org, "HTTPServerURL" is
// http_server_url. Capitals keep a plural s and a version's v that follow them:
// "listIPs" is list_ips, "reservedIPv6" is reserved_ipv6. A name without any of
// these letters and digits is "".
func snake(name string) string {
	var b strings.Builder
	b.Grow(len(name) + 8)
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !isWord(c) {
			if b.Len() > 0 && !endsWord(&b) {
				b.WriteByte('_')
			}
			continue
		}
		if isUpper(c) && beginsWord(name, i) && b.Len() > 0 && !endsWord(&b) {
			b.WriteByte('_')
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return strings.TrimRight(b.String(), "_")
}

// beginsWord reports whether the capital at i begins a word: it follows a small
// letter or a digit, or it is the last of a run of capitals and a small letter
// follows which is not the run's own ending.
func beginsWord(name string, i int) bool {
	if i == 0 {
		return false
	}
	if before := name[i-1]; !isUpper(before) {
		return isWord(before)
	}
	next, after := at(name, i+1), at(name, i+2)
	plural := next == 's' && !isLower(after)
	version := next == 'v' && isDigit(after)
	return isLower(next) && !plural && !version
}

func endsWord(b *strings.Builder) bool { return strings.HasSuffix(b.String(), "_") }

// at returns the byte at i, 0 beyond the end.
func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isWord(c byte) bool  { return isUpper(c) || isLower(c) || isDigit(c) }
