package mapping

// An inliner decides which of the shared schemas that a layout takes in are
// written at each use, because that is smaller.
type inliner struct {
	layout *layout
	times  map[string]int // references to each, in all that is written
	bound  map[string]bool
	state  map[string]int // of the walk: 1 on the way down, 2 done
	full   map[string]int // bytes of each with what is inlined in it
}

// inline places what is used once, or is hardly larger than a reference, at its
// uses. A type that refers to itself stays in $defs.
func (l *layout) inline(root []use) {
	in := inliner{layout: l, times: map[string]int{}, bound: map[string]bool{}, state: map[string]int{}, full: map[string]int{}}
	in.tally(root)
	for _, d := range l.order {
		in.tally(d.uses)
	}
	for _, u := range root {
		in.visit(u.name)
	}
}

func (in *inliner) tally(uses []use) {
	for _, u := range uses {
		in.times[u.name] += u.times
		in.bound[u.name] = in.bound[u.name] || u.bound
	}
}

const (
	onTheWay = 1
	done     = 2
)

// visit decides about a def after all that it uses.
func (in *inliner) visit(name string) {
	if in.layout.place[name] == cut {
		return
	}
	switch in.state[name] {
	case onTheWay:
		in.bound[name] = true // it is inside itself
		return
	case done:
		return
	}
	in.state[name] = onTheWay
	d := in.layout.lib.publish(name)
	full := d.size
	for _, u := range d.uses {
		in.visit(u.name)
		switch in.layout.place[u.name] {
		case inlined:
			full += u.times * (in.full[u.name] - in.layout.lib.publish(u.name).refSize())
		case cut:
			full += u.times * in.layout.lib.publish(u.name).stubExtra()
		case shared: // its references are counted in d.size
		}
	}
	in.state[name], in.full[name] = done, full
	if in.bound[name] {
		return
	}
	apart := in.times[name]*d.refSize() + full + len(d.key) + len(`"":,`)
	if in.times[name]*full <= apart {
		in.layout.place[name] = inlined
	}
}
