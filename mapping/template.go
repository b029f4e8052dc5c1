package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"
)

// A template is a parsed Resource.Path: a fixed path is one without variables.
type template struct {
	segments []segment
	// vars are the variables in the order of the path, then those of the query.
	vars []variable
	// query is how many of vars, at the end, stand in {?x,y}.
	query int
}

var errEscape = errors.New("a % in it does not begin the code of a byte of UTF-8 text")

// A variable has the name that the catalog gives it and one that RFC 6570
// allows, under which it is published.
type variable struct{ own, public string }

// A segment is what stands between two slashes of a path, or a rest.
type segment struct {
	kind segmentKind
	// parts of a mixed segment are literals, canonical, with one variable between
	// each two. A literal has one part, decoded.
	parts []string
}

type segmentKind int

const (
	literal  segmentKind = iota // text
	whole                       // {x}: one segment, not empty
	mixed                       // {x}.json, {a}:{b}
	reserved                    // {+x}: one or more segments
	exploded                    // {/x*}: any number of segments, also none
)

// parseTemplate reads a Resource.Path. The error says in words what a path may
// not hold.
func parseTemplate(path string) (*template, error) {
	path, query, err := cutQuery(path)
	if err != nil {
		return nil, err
	}
	t := &template{query: len(query)}
	for _, text := range splitPath(path) {
		if err := t.addSegment(text); err != nil {
			return nil, err
		}
	}
	for _, name := range query {
		if err := t.addVar(name); err != nil {
			return nil, err
		}
	}
	return t, t.check()
}

// cutQuery splits the {?x,y} at the end off a path.
func cutQuery(path string) (rest string, names []string, err error) {
	rest, list, found := strings.Cut(path, "{?")
	if found {
		inner, tail, closed := strings.Cut(list, "}")
		if !closed || tail != "" {
			return "", nil, errors.New("{?…} stands anywhere but at the end")
		}
		names = strings.Split(inner, ",")
	}
	if strings.ContainsAny(rest, "?#") {
		return "", nil, errors.New("it holds a ? or # outside a variable; a path writes them %3F and %23")
	}
	return rest, names, nil
}

// splitPath splits at each slash outside a variable, and before each {/x*},
// which brings its own.
func splitPath(path string) []string {
	var texts []string
	from, inside := 0, false
	for i := range len(path) {
		switch c := path[i]; {
		case c == '{':
			inside = true
			if at(path, i+1) == '/' {
				texts = append(texts, path[from:i])
				from = i
			}
		case c == '}':
			inside = false
		case c == '/' && !inside:
			texts = append(texts, path[from:i])
			from = i + 1
		}
	}
	return append(texts, path[from:])
}

// addSegment adds one text of splitPath.
func (t *template) addSegment(text string) error {
	switch {
	case !strings.ContainsAny(text, "{}"):
		plain, ok := unescape(text)
		if !ok {
			return errEscape
		}
		t.segments = append(t.segments, segment{kind: literal, parts: []string{plain}})
		return nil
	case strings.HasPrefix(text, "{/"):
		return t.addRest(exploded, text, "{/", "*}")
	case strings.HasPrefix(text, "{+"):
		return t.addRest(reserved, text, "{+", "}")
	}
	return t.addMixed(text)
}

func (t *template) addRest(kind segmentKind, text, open, close string) error {
	name, found := strings.CutSuffix(strings.TrimPrefix(text, open), close)
	if !found {
		return fmt.Errorf("%s is not a segment of the form %sx%s", text, open, close)
	}
	t.segments = append(t.segments, segment{kind: kind})
	return t.addVar(name)
}

// addMixed adds a segment of literals and {x} in turn.
func (t *template) addMixed(text string) error {
	s := segment{kind: mixed}
	for text != "" {
		before, after, found := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			return errors.New("a } has no {")
		}
		part, ok := canonical(before)
		if !ok {
			return errEscape
		}
		s.parts = append(s.parts, part)
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return errors.New("a { has no }")
		}
		if strings.HasPrefix(tail, "{") {
			return errors.New("two variables stand side by side, so nothing tells where one ends")
		}
		if err := t.addVar(name); err != nil {
			return err
		}
		if tail == "" {
			s.parts = append(s.parts, "")
		}
		text = tail
	}
	if len(s.parts) == 2 && s.parts[0] == "" && s.parts[1] == "" {
		s = segment{kind: whole}
	}
	t.segments = append(t.segments, s)
	return nil
}

// addVar takes a variable's name as the path has it, percent-encoded or not.
func (t *template) addVar(name string) error {
	own, ok := unescape(name)
	if !ok || own == "" || strings.ContainsAny(own[:1], "+#./;?&=,!@|") || strings.ContainsAny(own, "{}*,:") {
		return fmt.Errorf("{%s} is not one of the forms {x}, {+x}, {/x*} and {?x,y}", name)
	}
	v := variable{own: own, public: publicName(own)}
	for n := 2; slices.ContainsFunc(t.vars, func(o variable) bool { return o.public == v.public }); n++ {
		if slices.ContainsFunc(t.vars, func(o variable) bool { return o.own == own }) {
			return fmt.Errorf("the variable %s stands in it twice", own)
		}
		v.public = fmt.Sprintf("%s_%d", publicName(own), n)
	}
	t.vars = append(t.vars, v)
	return nil
}

// publicName spells a name with the characters that RFC 6570 §2.3 allows.
func publicName(own string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isWord(byte(r)) {
			return r
		}
		return '_'
	}, own)
}

// check refuses what could be matched in more than one way.
func (t *template) check() error {
	rests := 0
	for _, s := range t.segments {
		if s.kind == reserved || s.kind == exploded {
			rests++
		}
	}
	if rests > 1 {
		return errors.New("two variables may each take several segments, so nothing tells where one ends")
	}
	return nil
}

// publish writes the template below a base such as "api://pets/", and checks it
// by RFC 6570.
func (t *template) publish(base string) (string, error) {
	var b strings.Builder
	b.WriteString(base)
	vars := t.vars
	next := func() string {
		v := vars[0]
		vars = vars[1:]
		return v.public
	}
	for i, s := range t.segments {
		if i > 0 && s.kind != exploded {
			b.WriteByte('/')
		}
		switch s.kind {
		case literal:
			b.WriteString(escape(s.parts[0]))
		case whole:
			b.WriteString("{" + next() + "}")
		case reserved:
			b.WriteString("{+" + next() + "}")
		case exploded:
			b.WriteString("{/" + next() + "*}")
		case mixed:
			for j, part := range s.parts {
				if j > 0 {
					b.WriteString("{" + next() + "}")
				}
				b.WriteString(part)
			}
		}
	}
	if t.query > 0 {
		b.WriteString("{?")
		for i, v := range vars {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(v.public)
		}
		b.WriteByte('}')
	}
	uri := b.String()
	if _, err := uritemplate.New(uri); err != nil {
		return "", fmt.Errorf("RFC 6570 does not allow it: %w", err)
	}
	return uri, nil
}
