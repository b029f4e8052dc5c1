package mapping

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to most of the names that were likeliest meant by a word
// which is none of them, the likeliest first: those of the same letters, of which
// the word is a part, or where few letters are wrong, missing, swapped or too many.
// Of paths the same last part is near.
func Nearest(word string, names []string, most int) []string {
	type near struct {
		name string
		far  int
	}
	lower := strings.ToLower(word)
	farthest := max(0, min(max(2, len(word)/3), len(word)-1))
	var list []near
	for _, name := range names {
		known := strings.ToLower(name)
		far := editDistance(lower, known, farthest)
		switch {
		case letters(word) != "" && sameWords(word, name):
			far = 0
		case known[strings.LastIndexByte(known, '/')+1:] == lower[strings.LastIndexByte(lower, '/')+1:]:
			far = min(far, 1)
		case len(lower) > 2 && strings.Contains(known, lower):
			far = min(far, 2)
		}
		if far <= farthest && word != "" {
			list = append(list, near{name, far})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var found []string
	for _, n := range list[:min(len(list), most)] {
		found = append(found, n.name)
	}
	return found
}

// meant returns the likeliest of the options, "" if nothing is near.
func meant(word string, options []string) string {
	return strings.Join(Nearest(word, options, 1), "")
}

// didYouMean proposes the likeliest of the names, if one is near.
func didYouMean(word string, names []string) string {
	if near := meant(word, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// editDistance counts the letters to insert, remove or replace, and the
// neighbours to swap, that make one word of the other (optimal string alignment).
// What is over most is told as most+1.
func editDistance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most+1 { // a swap reaches back over one row
			return most + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}
