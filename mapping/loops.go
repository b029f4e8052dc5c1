package mapping

// A walked says how far the search for loops has come with a type.
type walked int

const (
	notWalked walked = iota
	walking
	walkedAll
)

// breakLoops removes the references by which a type would be part of itself
// without a step into its value: "an A is a B, and a B is an A" says nothing
// about either, and a check of it would never end.
func (l *library) breakLoops(d *def) {
	if d.loops != notWalked || d.base == nil {
		return
	}
	d.loops = walking
	l.breakIn(d, d.base)
	d.loops = walkedAll
}

// breakIn follows what a schema of the type says about one and the same value.
func (l *library) breakIn(d *def, s *object) {
	if name, ok := refName(text(s.get("$ref"))); ok {
		other := l.get(name)
		if other.loops == walking {
			s.remove("$ref")
			d.made = append(d.made, Decision{What: Repaired, Where: pointer([]string{"$defs", d.name}),
				Why: "the type " + name + " is part of itself, which says nothing; that part is left out"})
		} else {
			l.breakLoops(other)
		}
	}
	eachSubschema(s, func(keyword, _ string, slot *any) {
		switch keyword {
		case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas":
			if sub, ok := (*slot).(*object); ok {
				l.breakIn(d, sub)
			}
		}
	})
}
