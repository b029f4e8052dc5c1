package mapping

import (
	"crypto/sha256"
	"encoding/hex"
)

// A property key that vendors accept matches [a-zA-Z0-9_.-]{1,64}.
const maxKey = 64

func safeKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

func isSafeKey(key string) bool {
	if key == "" || len(key) > maxKey {
		return false
	}
	for i := range len(key) {
		if !safeKeyByte(key[i]) {
			return false
		}
	}
	return true
}

// safeKey returns the key as it is published where nothing else has that name:
// runs of other characters become one underscore between words and nothing at
// the ends, but a sign that carries meaning is spelled.
func safeKey(key string) string {
	if isSafeKey(key) {
		return key
	}
	safe := make([]byte, 0, len(key))
	apart := false
	for i := range len(key) {
		c := key[i]
		word := spelled(c)
		switch {
		case word != "":
			safe, apart = append(underscore(safe), word...), true
		case !safeKeyByte(c):
			apart = true
		default:
			if apart {
				safe, apart = underscore(safe), false
			}
			safe = append(safe, c)
		}
	}
	if len(safe) == 0 || len(safe) > maxKey || lost(key) {
		return hashedKey(string(safe), key)
	}
	return string(safe)
}

// underscore parts words, where there is a word before.
func underscore(safe []byte) []byte {
	if len(safe) == 0 || safe[len(safe)-1] == '_' {
		return safe
	}
	return append(safe, '_')
}

// spelled is the word for a sign that tells keys apart: "StartTime<" and
// "StartTime>" are not the same.
func spelled(c byte) string {
	switch c {
	case '<':
		return "lt"
	case '>':
		return "gt"
	case '=':
		return "eq"
	case '!':
		return "not"
	case '+':
		return "plus"
	case '~':
		return "like"
	}
	return ""
}

// lost reports whether a key has letters that a safe key cannot have: two keys
// may then differ in nothing else.
func lost(key string) bool {
	for i := range len(key) {
		if key[i] >= 0x80 {
			return true
		}
	}
	return false
}

// hashedKey tells apart what would be one name. The digits depend on the key
// alone, so nothing moves when a schema is reordered.
func hashedKey(safe, key string) string {
	sum := sha256.Sum256([]byte(key))
	digits := hex.EncodeToString(sum[:3])
	if safe == "" {
		return "key_" + digits
	}
	const room = maxKey - 1 - 6
	return safe[:min(len(safe), room)] + "_" + digits
}

// defKey is the name of a shared schema in a published $defs: one that needs no
// escaping in a pointer, and that no other schema has.
func defKey(name string) string {
	if isSafeKey(name) {
		return name
	}
	return hashedKey(safeKey(name), name)
}

// names are the backend's keys by published key, for those that differ.
type names map[string]string

// renames returns the way back from the published keys of an object's members,
// nil where all keys are published as they are. A key that is safe keeps its
// name whatever else there is.
func renames(o *object) names {
	for i := range o.members {
		if !isSafeKey(o.members[i].key) {
			return renameAll(o)
		}
	}
	return nil
}

func renameAll(o *object) names {
	keys := make([]string, len(o.members))
	for i := range o.members {
		keys[i] = o.members[i].key
	}
	back := names{}
	for i, safe := range safeKeys(keys) {
		if safe != keys[i] {
			back[safe] = keys[i]
		}
	}
	return back
}

// safeKeys returns keys made safe. Different ones that look alike then are told
// apart by digits, whatever their order; one that was safe already keeps its
// own.
func safeKeys(keys []string) []string {
	safe, first, alike := make([]string, len(keys)), map[string]string{}, map[string]bool{}
	for i, key := range keys {
		safe[i] = safeKey(key)
		if other, met := first[safe[i]]; met && other != key {
			alike[safe[i]] = true
		}
		first[safe[i]] = key
	}
	for i, key := range keys {
		if alike[safe[i]] && !isSafeKey(key) {
			safe[i] = hashedKey(safe[i], key)
		}
	}
	return safe
}

// forth turns the names around: published keys by the backend's.
func (n names) forth() map[string]string {
	turned := make(map[string]string, len(n))
	for safe, key := range n {
		turned[key] = safe
	}
	return turned
}
