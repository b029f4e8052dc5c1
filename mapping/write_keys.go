package mapping

// rename notes how to get back from the published keys of the schema's properties,
// and returns how a key of the backend is published here.
func (w *writer) rename(s *object) func(string) string {
	if !w.lib.renames {
		return func(key string) string { return key }
	}
	props, ok := s.get("properties").(*object)
	if !ok {
		return safeKey
	}
	back := renames(props)
	if back == nil {
		return safeKey
	}
	if w.back == nil {
		w.back = map[string]names{}
	}
	w.back[string(w.at)] = back
	forth := back.forth()
	return func(key string) string {
		if safe, ok := forth[key]; ok {
			return safe
		}
		return safeKey(key)
	}
}

// names writes a keyword that names properties without describing them: a list
// of keys, or such lists by key.
func (w *writer) names(v any, published func(string) string) {
	switch v := v.(type) {
	case []any:
		w.out = append(w.out, '[')
		for i, key := range distinctKeys(len(v), func(i int) string { return published(text(v[i])) }) {
			w.comma(i)
			w.out = appendString(w.out, key.name)
		}
		w.out = append(w.out, ']')
	case *object:
		w.out = append(w.out, '{')
		for i, key := range distinctKeys(len(v.members), func(i int) string { return published(v.members[i].key) }) {
			w.comma(i)
			w.out = append(appendString(w.out, key.name), ':')
			w.names(v.members[key.index].value, published)
		}
		w.out = append(w.out, '}')
	default:
		w.out = appendJSON(w.out, v)
	}
}

// A publishedKey is a key as it is published, with the place it came from.
type publishedKey struct {
	name  string
	index int
}

// distinctKeys returns the first of each name. Keys of properties are published
// one to one; where a schema names properties that it does not describe, two of
// them may look alike.
func distinctKeys(n int, name func(int) string) []publishedKey {
	keys := make([]publishedKey, 0, n)
	seen := make(map[string]bool, n)
	for i := range n {
		if s := name(i); !seen[s] {
			seen[s] = true
			keys = append(keys, publishedKey{s, i})
		}
	}
	return keys
}
