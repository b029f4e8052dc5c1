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

// names writes a keyword that names properties without describing them.
func (w *writer) names(v any, published func(string) string) {
	switch v := v.(type) {
	case string:
		w.out = appendString(w.out, published(v))
	case []any:
		w.out = append(w.out, '[')
		for i, key := range v {
			w.comma(i)
			w.names(key, published)
		}
		w.out = append(w.out, ']')
	case *object:
		w.out = append(w.out, '{')
		for i, m := range v.members {
			w.comma(i)
			w.out = append(appendString(w.out, published(m.key)), ':')
			w.names(m.value, published)
		}
		w.out = append(w.out, '}')
	default:
		w.out = appendJSON(w.out, v)
	}
}
