package mapping

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxExponent bounds the numbers that are compared with others: the digits of
// 1e1000000 alone take longer to write than any call.
const maxExponent = 10_000

// sizeable says whether a number can be compared at little cost.
func sizeable(n json.Number) bool {
	_, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e")
	if !ok {
		return true
	}
	e, err := strconv.Atoi(exponent)
	return err == nil && -maxExponent <= e && e <= maxExponent
}

// wholeNumber returns a number without a fraction of zeros; false if it is no
// integer. One with an exponent keeps its digits.
func wholeNumber(n json.Number) (json.Number, bool) {
	s := string(n)
	if strings.ContainsAny(s, "eE") {
		return n, wholeExponent(s)
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if strings.Trim(fraction, "0") != "" {
		return n, false
	}
	if whole == "-0" {
		whole = "0"
	}
	return json.Number(whole), true
}

// wholeExponent says whether a number with an exponent is an integer: whether
// its last significant digit stands before the point.
func wholeExponent(s string) bool {
	digits, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	places := -len(fraction)
	if fraction == "" {
		trimmed := strings.TrimRight(whole, "0")
		if strings.Trim(trimmed, "-") == "" {
			return true // zero
		}
		places = len(whole) - len(trimmed)
	}
	e, err := strconv.Atoi(exponent)
	return err == nil && e+places >= 0
}
