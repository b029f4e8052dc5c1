package openapi

import "bytes"

// indexed are the objects that may have thousands of members.
func indexed() []string {
	return []string{
		"", "/paths", "/components", "/components/schemas", "/components/parameters", "/components/requestBodies",
		"/components/responses", "/components/headers", "/components/pathItems",
		"/definitions", "/parameters", "/responses",
	}
}

// newDocFile indexes a file's large objects, anchors and ids.
func newDocFile(name string, root node) *docFile {
	f := &docFile{name: name, root: root, members: map[string]map[string]node{}}
	for _, at := range indexed() {
		p, ok := f.lookup(at)
		if !ok || !p.raw.isObject() {
			continue
		}
		members := map[string]node{}
		for k, v := range p.raw.members() {
			members[k] = v
		}
		f.members[at] = members
	}
	if bytes.Contains(root, []byte(`"$id"`)) || bytes.Contains(root, []byte(`Anchor"`)) || bytes.Contains(root, []byte(`"$anchor"`)) {
		f.anchors, f.ids = map[string]string{}, map[string]place{}
		f.learnNames(f.whole())
	}
	return f
}

// learnNames remembers every name that a schema gives itself.
func (f *docFile) learnNames(p place) {
	for i, v := range p.raw.items() {
		f.learnNames(p.item(i, v))
	}
	for k, v := range p.raw.members() {
		switch k {
		case "$anchor", "$dynamicAnchor":
			if v.isString() {
				f.anchors[v.text()] = p.at
			}
		case "$id":
			if v.isString() {
				f.ids[v.text()] = p
			}
		}
		f.learnNames(p.child(k, v))
	}
}
