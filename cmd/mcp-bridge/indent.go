package main

import (
	"bytes"
	"encoding/json"
)

// deepest is how deep JSON may be nested to be indented: each level widens all
// that is below it, so that a few kilobytes could become gigabytes.
const deepest = 100

// indented returns JSON as people read it. What is no JSON, or nested deeper than
// anybody reads, stays as it is.
func indented(text []byte) []byte {
	var out bytes.Buffer
	if depth(text) > deepest || json.Indent(&out, text, "", "  ") != nil {
		return text
	}
	return out.Bytes()
}

// depth returns how deep JSON is nested. In a text that is no JSON it is some
// number that means nothing.
func depth(text []byte) int {
	now, most := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			now++
			most = max(most, now)
		case ']', '}':
			now--
		}
	}
	return most
}
