package adaptertest

// RowNames lists the rows of the kit.
func RowNames() []string {
	var names []string
	for _, r := range rows() {
		names = append(names, r.name)
	}
	return names
}
