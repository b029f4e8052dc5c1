package mapping

import "strings"

// meant returns what was probably meant by a word that is none of the options,
// "" if nothing is near.
func meant(word string, options []string) string {
	best, least := "", len(word)/3+1
	for _, option := range options {
		if sameWords(word, option) {
			return option
		}
		if d := editDistance(strings.ToLower(word), strings.ToLower(option)); d <= least && (best == "" || d < least) {
			best, least = option, d
		}
	}
	return best
}

// editDistance counts the letters to insert, remove or replace, and the pairs to
// swap, that make one word of the other. Words over 64 bytes are never near.
func editDistance(a, b string) int {
	const far, longest = 1 << 20, 64
	if len(a) > longest || len(b) > longest {
		return far
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
