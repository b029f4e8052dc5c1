package mapping

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// address gives every resource of the sources its URI, <scheme>://<source>/<path>.
func (b *builder) address() {
	for _, src := range b.sources {
		if len(src.catalog.Resources) > 0 && !schemeForm.MatchString(src.catalog.Scheme) {
			b.decide(Decision{Source: src.name, What: Dropped, Why: fmt.Sprintf("all resources: %q is no URI scheme", src.catalog.Scheme)})
			continue
		}
		var addresses []*Address
		for i := range src.catalog.Resources {
			r := &src.catalog.Resources[i]
			a, why := src.newAddress(r)
			if why != "" {
				b.decide(Decision{Source: src.name, Key: r.Path, What: Dropped, Why: why, Where: src.whereOf(r)})
				continue
			}
			text := plainText(src.words(r.Text))
			a.Text, _ = cutSentences(text, maxDescription)
			if len(a.Text) < len(text) {
				b.decide(Decision{Source: src.name, Key: r.Path, What: Cut, Where: src.whereOf(r),
					Why: fmt.Sprintf("the description of the resource is cut to %d characters", maxDescription)})
			}
			addresses = append(addresses, a)
		}
		b.surface.addresses = append(b.surface.addresses, b.route(src, addresses)...)
	}
	for _, a := range b.surface.addresses {
		b.surface.byURI[a.URI] = a
	}
}

// schemeForm is RFC 3986 §3.1, in the small letters that §6.2.2.1 normalises to.
var schemeForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// newAddress returns why there is none in words.
func (s *source) newAddress(r *Resource) (a *Address, why string) {
	t, err := parseTemplate(r.Path)
	if err != nil {
		return nil, fmt.Sprintf("the path is no resource path: %v", err)
	}
	a = &Address{Template: len(t.vars) > 0, Name: cmp.Or(r.Name, r.Path, s.name), MIME: r.MIME, Source: s.name, Path: r.Path, source: s}
	a.route = route{template: t}
	if a.URI, err = t.publish(s.catalog.Scheme + "://" + s.name + "/"); err != nil {
		return nil, fmt.Sprintf("the path is no resource path: %v", err)
	}
	if r.Operation != "" {
		if a.Tool, why = s.answering(r, t); why != "" {
			return nil, why
		}
	}
	subject := r.subject()
	if a.Tool != nil {
		// The operation has passed; what the resource says of itself may still be denied.
		if denied := first(labelling(s.policy.deny), subject); denied != nil {
			return nil, fmt.Sprintf("%s denies %q", denied.place, denied.text)
		}
		return a, ""
	}
	a.asks = s.policy.asks(subject)
	return a, s.policy.refusal(subject)
}

// answering returns the tool whose answer a resource is, or why a read of the
// resource cannot be a call of it.
func (s *source) answering(r *Resource, t *template) (tool *Tool, why string) {
	tool = s.tools[r.Operation]
	switch {
	case tool == nil:
		return nil, fmt.Sprintf("the operation %q that answers it is not in the surface", r.Operation)
	case tool.Effect != Reads:
		return nil, fmt.Sprintf("reading it would call %s, which is not a read", tool.Name)
	case tool.Confirm:
		return nil, fmt.Sprintf("reading it would call %s, which a user must confirm", tool.Name)
	case tool.op.Body != nil && tool.op.Body.Required:
		return nil, fmt.Sprintf("%s needs a body, which a URI cannot carry", tool.Name)
	}
	for _, v := range t.vars {
		known := func(p Param) bool { return p.Name == v.own && (p.In == "path" || p.In == "query" || p.In == "") }
		if !slices.ContainsFunc(tool.op.Params, known) {
			return nil, fmt.Sprintf("its variable %s is no argument of %s", v.own, tool.Name)
		}
	}
	for _, p := range tool.op.Params {
		given := func(v variable) bool { return v.own == p.Name }
		if p.Required && !slices.ContainsFunc(t.vars[:len(t.vars)-t.query], given) {
			return nil, fmt.Sprintf("%s needs %s, which no variable of its path gives", tool.Name, p.Name)
		}
	}
	return tool, ""
}

// route makes the addresses of a source findable. Of several with the same URIs
// the one whose path sorts first stays.
func (b *builder) route(src *source, addresses []*Address) []*Address {
	sorted := slices.Clone(addresses)
	slices.SortStableFunc(sorted, func(a, b *Address) int { return strings.Compare(a.Path, b.Path) })
	lost := map[*Address]bool{}
	for _, a := range sorted {
		if taken := src.routes.insert(a); taken != nil {
			lost[a] = true
			b.decide(Decision{Source: src.name, Key: a.Path, What: Dropped,
				Why: fmt.Sprintf("%s answers for the same URIs", taken.URI)})
		}
	}
	return slices.DeleteFunc(addresses, func(a *Address) bool { return lost[a] })
}

// whereOf is the place of the operation that answers a resource.
func (s *source) whereOf(r *Resource) string {
	if tool := s.tools[r.Operation]; tool != nil {
		return tool.op.Where
	}
	return ""
}
