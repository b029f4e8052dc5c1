package mapping

// paramNames decides the published name of each param, beside the properties of
// the body. Whatever has one name with another takes its place as a suffix; only
// the body's property keeps its name. The order of the params makes no
// difference.
func paramNames(params []Param, body []property) []string {
	keys := make([]string, len(params))
	for i := range params {
		keys[i] = params[i].Name
	}
	bases := safeKeys(keys)
	count, suffixes := map[string]int{}, map[string]int{}
	for _, prop := range body {
		count[prop.name]++
	}
	for _, base := range bases {
		count[base]++
	}
	for i, base := range bases {
		if count[base] > 1 {
			suffixes[withPlace(base, params[i].In)]++
		}
	}
	names := make([]string, len(params))
	for i, base := range bases {
		name := base
		if count[base] > 1 {
			name = withPlace(base, params[i].In)
			if count[name] > 0 || suffixes[name] > 1 {
				name = hashedKey(name, params[i].In+" "+params[i].Name)
			}
		}
		names[i] = name
	}
	return names
}

// withPlace is a name with the place of its param as a suffix.
func withPlace(name, place string) string {
	if place == "" {
		place = "arg"
	}
	if room := maxKey - len(place) - 1; len(name) > room {
		name = name[:room]
	}
	return name + "_" + place
}
