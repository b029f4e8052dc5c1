package mapping

import (
	"fmt"
	"strings"
)

// A placing says how the references to a shared schema are written.
type placing int

const (
	cut     placing = iota // an open object that names the type
	shared                 // a $ref to one copy in $defs
	inlined                // the schema itself, at each use
)

// A layout decides how the shared schemas that one tool needs are written. A nil
// layout, or one that has not chosen yet, shares all.
type layout struct {
	lib   *library
	fit   fit
	place map[string]placing
	order []*def // that are published, nearest to the root first
	lost  []*def // that are cut, in the order they were met
}

func (l *layout) placing(name string) placing {
	if l == nil || l.place == nil {
		return shared
	}
	return l.place[name]
}

// kept returns the shared schemas that are written in $defs.
func (l *layout) kept() []*def {
	if l == nil {
		return nil
	}
	var kept []*def
	for _, d := range l.order {
		if l.place[d.name] == shared {
			kept = append(kept, d)
		}
	}
	return kept
}

// refSize is what a reference to the def takes, in bytes.
func (d *def) refSize() int { return len(`{"$ref":"#/$defs/"}`) + len(d.key) }

// stubExtra is what a cut reference takes more than a written one.
func (d *def) stubExtra() int { return d.stub - d.refSize() }

// choose takes in the shared schemas that the root needs, nearest first, as long
// as they fit: size is what the root takes with every reference written as one.
// What is not taken in is cut.
func (l *layout) choose(size int, uses []use, budget int) {
	l.place = map[string]placing{}
	waiting, met := []string{}, map[string]int{}
	meet := func(uses []use) {
		for _, u := range uses {
			d := l.lib.publish(u.name)
			if l.place[u.name] != shared {
				size += u.times * d.stubExtra()
			}
			if met[u.name] == 0 {
				waiting = append(waiting, u.name)
			}
			met[u.name] += u.times
		}
	}
	meet(uses)
	for i := 0; i < len(waiting); i++ {
		d := l.lib.publish(waiting[i])
		entry := d.size + len(d.key) + len(`"":,`)
		grown := size + entry - met[d.name]*d.stubExtra()
		for _, u := range d.uses {
			if l.place[u.name] != shared && u.name != d.name {
				grown += u.times * l.lib.publish(u.name).stubExtra()
			}
		}
		if grown > budget {
			l.lost = append(l.lost, d)
			continue
		}
		size += entry - met[d.name]*d.stubExtra()
		l.place[d.name] = shared
		l.order = append(l.order, d)
		meet(d.uses)
	}
}

// decisions tells what was cut, and once what differs in the types themselves.
func (l *layout) decisions() []Decision {
	var made []Decision
	for _, d := range l.order {
		made = append(made, d.tell()...)
	}
	if len(l.lost) > 0 {
		made = append(made, Decision{What: Cut, Why: lostWords(l.lost)})
	}
	return made
}

func lostWords(lost []*def) string {
	const most = 5
	names := make([]string, 0, most)
	for _, d := range lost[:min(len(lost), most)] {
		names = append(names, d.name)
	}
	words := strings.Join(names, ", ")
	if more := len(lost) - most; more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("the schema would take more than %d bytes; these types are published open: %s", maxInput, words)
}
