package github

import (
	"cmp"
	"slices"
	"strings"
)

// nearest returns up to so many of the names that are likeliest meant, the
// likeliest first: those that have the word in them or at most a few letters
// otherwise.
func nearest(name string, names []string, most int) []string {
	type near struct {
		name string
		far  int
	}
	var list []near
	lower := strings.ToLower(name)
	for _, n := range names {
		far := distance(lower, strings.ToLower(n), max(2, len(name)/3))
		last := n[strings.LastIndexByte(n, '/')+1:]
		switch {
		case strings.EqualFold(last, name[strings.LastIndexByte(name, '/')+1:]):
			far = min(far, 1)
		case len(lower) > 2 && strings.Contains(strings.ToLower(n), lower):
			far = min(far, 2)
		}
		if far <= max(2, len(name)/3) {
			list = append(list, near{n, far})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, n := range list[:min(len(list), most)] {
		out = append(out, n.name)
	}
	return out
}

// distance is how many letters must change to make one text the other (Damerau
// without transpositions), or more than most.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
			least = min(least, row[j+1])
		}
		if least > most {
			return least
		}
	}
	return row[len(b)]
}
