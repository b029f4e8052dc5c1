package adaptertest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// readRows are about its reads.
func readRows() []row {
	return []row{
		{"read/known",
			"a resource that is listed must have the content it says",
			(*bench).readKnown},
		{"read/unknown",
			"a resource that is gone must be not found, as on the web",
			(*bench).readUnknown},
		{"read/missing",
			"not_found is how a model learns that it has a wrong id, instead of trying again",
			(*bench).readMissing},
		{"read/max-bytes",
			"one huge resource must not take the memory of everybody else",
			(*bench).readMaxBytes},
		{"read/traversal",
			"what a caller writes into a variable names one item; it must never lead out to another",
			(*bench).readTraversal},
		{"read/harmless",
			"hosts run without asking what says that it only reads",
			(*bench).readHarmless},
	}
}

func (b *bench) readKnown() {
	if len(b.h.Reads) == 0 {
		b.skip("the harness has no Reads")
		return
	}
	s, c := b.surface()
	if s == nil {
		return
	}
	for _, k := range b.h.Reads {
		b.hold(b.follow(s, c.Scheme, k.Path), k.Want)
	}
}

func (b *bench) readUnknown() {
	c := b.catalog()
	if c == nil {
		return
	}
	for _, path := range []string{unknown, "", "{x}"} {
		if slices.ContainsFunc(c.Resources, func(r mapping.Resource) bool { return r.Path == path }) {
			continue // "" is the root, which an adapter may have
		}
		b.gone(b.read(b.ctx, mapping.Read{Path: path, Vars: map[string]string{"x": "1"}}))
	}
}

func (b *bench) readMissing() {
	if len(b.h.MissingReads) == 0 {
		b.skip("the harness has no MissingReads")
		return
	}
	s, c := b.surface()
	if s == nil {
		return
	}
	for _, path := range b.h.MissingReads {
		b.hold(b.follow(s, c.Scheme, path), Fails(mapping.NotFound))
	}
}

// readMaxBytes makes each known read again with room for half of its answer.
func (b *bench) readMaxBytes() {
	tried := false
	for _, r := range b.knownReads() {
		tried = b.halved(func(limit int64) answer {
			r.MaxBytes = limit
			return b.read(b.ctx, r)
		}) || tried
	}
	if !tried && len(b.seen()) == 0 {
		b.skip("the harness has no read that the adapter's Read answers with 16 bytes or more")
	}
}

// readTraversal puts texts that name no item in place of each path variable.
// An answer means that the text led somewhere.
func (b *bench) readTraversal() {
	calls, reads := b.variableQuestions()
	if len(b.seen()) == 0 && len(calls)+len(reads) == 0 {
		b.skip("nothing in the catalog has a path variable")
	}
	for _, c := range calls {
		for _, a := range c.Args {
			if !inPath(a) {
				continue
			}
			for _, text := range traversals() {
				value, _ := json.Marshal(text) // a string always has a JSON form
				b.refused(b.call(b.ctx, with(c, a.In, a.Name, value)))
			}
		}
	}
	for _, r := range reads {
		for name := range r.Vars {
			for _, text := range traversals() {
				changed := r
				changed.Vars = maps.Clone(r.Vars)
				changed.Vars[name] = text
				b.refused(b.read(b.ctx, changed))
			}
		}
	}
}

// refused wants a failure in words that a model can act on.
func (b *bench) refused(a answer) {
	switch code := mapping.CodeOf(a.err); {
	case a.broken:
	case code == "":
		b.note("%s led somewhere: %s", a.what, excerpt(contentOf(a.result)))
	case code == mapping.Internal:
		b.note("%s failed with %s, want another code than %s", a.what, words(a.err), mapping.Internal)
	}
}

// variableQuestions returns a call for each reading operation with path params
// and a read for each template: the known ones, whose other values are right, and
// for the rest one whose values are all the same wrong one.
func (b *bench) variableQuestions() (calls []mapping.Call, reads []mapping.Read) {
	c := b.catalog()
	if c == nil {
		return nil, nil
	}
	known := map[string]bool{}
	for _, k := range b.reading() {
		known[k.Call.Key] = true
		if slices.ContainsFunc(k.Call.Args, inPath) {
			calls = append(calls, k.Call)
		}
	}
	for _, op := range b.quick(c) {
		if op.Effect != mapping.Reads || known[op.Key] {
			continue
		}
		call := mapping.Call{Key: op.Key}
		for _, p := range op.Params {
			if p.In == "path" {
				call.Args = append(call.Args, mapping.Arg{In: p.In, Name: p.Name, Value: json.RawMessage(`"x"`)})
			}
		}
		if len(call.Args) > 0 {
			calls = append(calls, call)
		}
	}
	for _, r := range c.Resources {
		if r.Operation != "" {
			continue
		}
		vars := map[string]string{}
		required, _, _ := variablesOf(r.Path) // catalogResources tells of the error
		for _, name := range required {
			vars[name] = "x"
		}
		if len(vars) > 0 {
			reads = append(reads, mapping.Read{Path: r.Path, Vars: vars})
		}
	}
	for _, r := range b.knownReads() {
		if len(r.Vars) > 0 {
			reads = append(reads, r)
		}
	}
	return calls, reads
}

func inPath(a mapping.Arg) bool { return a.In == "path" }

// knownReads returns the known reads that the adapter's Read answers.
func (b *bench) knownReads() []mapping.Read {
	s, c := b.surface()
	if s == nil {
		return nil
	}
	var reads []mapping.Read
	for _, k := range b.h.Reads {
		target, err := s.Resolve(address(c.Scheme, k.Path))
		if err == nil && target.Read != nil {
			reads = append(reads, *target.Read)
		}
	}
	return reads
}

// readHarmless compares the backend before and after everything that reads.
func (b *bench) readHarmless() {
	if b.subject.State == nil {
		b.skip("the subject has no State")
		return
	}
	before, err := b.subject.State(b.ctx)
	if err != nil {
		b.note("the state before cannot be seen: %v", err)
		return
	}
	s, c := b.surface()
	if s == nil {
		return
	}
	for _, k := range b.reading() {
		b.call(b.ctx, k.Call)
	}
	for _, op := range b.quick(c) {
		if op.Effect == mapping.Reads {
			b.call(b.ctx, mapping.Call{Key: op.Key})
		}
	}
	for _, k := range b.h.Reads {
		b.follow(s, c.Scheme, k.Path)
	}
	after, err := b.subject.State(b.ctx)
	if err != nil {
		b.note("the state after cannot be seen: %v", err)
	} else if after != before {
		b.note("the backend was %s and is now %s, and nothing but reads was asked", excerpt(before), excerpt(after))
	}
}
