package adaptertest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// outputRows are about all that comes out of it.
func outputRows() []row {
	return []row{
		{"output/results",
			"a malformed result breaks the message around it, and with it the connection",
			(*bench).outputResults},
		{"output/exact",
			"a client checks answers against a published output schema, and throws away those that do not fit",
			(*bench).outputExact},
		{"output/errors",
			"a model can act on a sentence, not on a stack or a type name",
			(*bench).outputErrors},
		{"output/secrets",
			"whatever comes out reaches a model and a log, and cannot be called back",
			(*bench).outputSecrets},
	}
}

// tour asks everything that the harness knows and some that fails, and hands
// each answer to look. Questions that break the adapter are left to the rows
// that are about them.
func (b *bench) tour(look func(answer)) {
	b.quiet = true
	defer func() { b.quiet = false }()
	s, c := b.surface()
	if s == nil {
		return
	}
	for _, k := range b.h.Calls {
		look(b.call(b.ctx, k.Call))
	}
	for _, missing := range b.h.MissingCalls {
		look(b.call(b.ctx, missing))
	}
	for _, k := range b.h.Reads {
		look(b.follow(s, c.Scheme, k.Path))
	}
	for _, path := range b.h.MissingReads {
		look(b.follow(s, c.Scheme, path))
	}
	look(b.call(b.ctx, mapping.Call{Key: unknown}))
	look(b.read(b.ctx, mapping.Read{Path: unknown}))
	for _, op := range b.quick(c) {
		look(b.call(b.ctx, mapping.Call{Key: op.Key}))
		for _, p := range op.Params {
			for _, v := range []string{`"../x"`, `{"x":1}`} {
				look(b.call(b.ctx, b.replace(mapping.Call{Key: op.Key}, p, json.RawMessage(v))))
			}
		}
	}
}

func (b *bench) outputResults() {
	b.tour(func(a answer) {
		if a.broken || a.err != nil {
			return
		}
		if a.result == nil {
			b.note("%s returned neither a result nor an error", a.what)
			return
		}
		r := a.result
		if r.JSON != nil && !json.Valid(r.JSON) {
			b.note("%s answered with broken JSON: %s", a.what, excerpt(string(r.JSON)))
		}
		for _, block := range r.Blocks {
			if problem := malformed(block); problem != "" {
				b.note("%s answered with %s", a.what, problem)
			}
		}
	})
}

// outputExact holds answers against the outputs that the catalog says are exact.
func (b *bench) outputExact() {
	c := b.catalog()
	if c == nil {
		return
	}
	outputs := map[string]*jsonschema.Schema{}
	for _, op := range c.Operations {
		if !op.Exact {
			continue
		}
		schema, err := outputSchema(op, c.Defs)
		if err != nil {
			b.note("the output of %q, which is said to be exact, does not compile: %v", op.Key, err)
			continue
		}
		outputs[op.Key] = schema
	}
	if len(b.seen()) == 0 && len(outputs) == 0 {
		b.skip("no operation has an exact output")
	}
	for _, k := range b.h.Calls {
		if schema := outputs[k.Call.Key]; schema != nil {
			b.fits(b.call(b.ctx, k.Call), schema)
		}
	}
}

func outputSchema(op mapping.Operation, defs map[string]json.RawMessage) (*jsonschema.Schema, error) {
	root := map[string]any{}
	for name, def := range defs {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(def))
		if err != nil {
			return nil, err
		}
		root[name] = v
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(op.Output))
	if err != nil {
		return nil, err
	}
	return compile(map[string]any{"$defs": root, "allOf": []any{v}})
}

// fits wants an answer that satisfies a schema.
func (b *bench) fits(a answer, schema *jsonschema.Schema) {
	if a.broken || a.err != nil || a.result == nil {
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.result.JSON))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		b.note("%s answered with %s, against its own output schema: %v", a.what, excerpt(string(a.result.JSON)), err)
	}
}

// malformed says what a block lacks, "" if it is whole.
func malformed(block mapping.Block) string {
	switch block.Kind {
	case mapping.Text, mapping.TextResource:
		if block.Data != nil {
			return "a text block that has Data"
		}
	case mapping.Image, mapping.Audio:
		if block.MIME == "" || block.Text != "" {
			return "an " + string(block.Kind) + " block without MIME, or with Text"
		}
	case mapping.Blob:
		if block.Text != "" {
			return "a blob block that has Text"
		}
	case mapping.Link:
		if block.URI == "" {
			return "a link without URI"
		}
	default:
		return "a block of the kind " + string(block.Kind) + ", which does not exist"
	}
	return ""
}

// gobbledygook is what belongs in a log: words of Go and its libraries, formatting mistakes,
// stacks and addresses.
var gobbledygook = regexp.MustCompile(`%!|goroutine \d|\.go:\d|nil pointer|runtime error|json: |unmarshal|strconv\.|\bEOF\b|0x[0-9a-f]{6,}|dial tcp|lookup `)

func (b *bench) outputErrors() {
	codes := []mapping.Code{
		mapping.Invalid, mapping.NotFound, mapping.Denied, mapping.Unauthenticated, mapping.Conflict, mapping.Exhausted,
		mapping.Unavailable, mapping.Timeout, mapping.Canceled, mapping.Unsupported, mapping.Internal,
	}
	b.tour(func(a answer) {
		if a.broken || a.err == nil {
			return
		}
		var e *mapping.Error
		switch {
		case !errors.As(a.err, &e):
			if !errors.Is(a.err, context.Canceled) && !errors.Is(a.err, context.DeadlineExceeded) {
				b.note("%s failed with %s; a model sees none of its words", a.what, words(a.err))
			}
		case !slices.Contains(codes, e.Code):
			b.note("%s failed with the code %q, which does not exist", a.what, e.Code)
		case strings.TrimSpace(e.Problem) == "":
			b.note("%s failed with code %s and does not say what the problem is", a.what, e.Code)
		case gobbledygook.MatchString(e.Error()):
			b.note("%s failed in words that are for a log: %s", a.what, excerpt(e.Error()))
		}
	})
}

// outputSecrets looks for the secrets in all that came out of a tour.
func (b *bench) outputSecrets() {
	if len(b.h.Secrets)+len(b.h.Addresses) == 0 {
		b.skip("the harness has no Secrets and no Addresses")
		return
	}
	b.listens = true
	b.tour(func(answer) {})
	if checker, ok := b.subject.Adapter.(core.Checker); ok {
		b.findings(checker)
	}
	b.close()
	if b.subject.Logged != nil {
		b.overhear("the log", b.subject.Logged())
	}
	for _, secret := range b.h.Secrets {
		for _, form := range formsOf(secret) {
			b.absent("a secret", form, true)
		}
	}
	for _, address := range b.h.Addresses {
		b.absent("the backend's address", address, false)
	}
}

// absent notes where a text was heard. Without all, what only an operator sees
// does not count.
func (b *bench) absent(what, text string, all bool) {
	for _, o := range b.heard {
		if (all || !o.operator) && strings.Contains(o.text, text) {
			b.note("%s holds %s: …%s…", o.where, what, around(o.text, text))
		}
	}
}

// formsOf returns a secret as it is and as it may be written elsewhere.
func formsOf(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret))}
	// In base64 the form depends on what stands before; the edges may differ.
	for lead := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", lead) + secret))
		if inner := strings.TrimRight(text, "="); len(inner) > 12 {
			forms = append(forms, inner[4:len(inner)-2])
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// around shows where in a text a secret stands, without the secret.
func around(text, secret string) string {
	before, after, _ := strings.Cut(text, secret)
	return before[max(0, len(before)-30):] + "[SECRET]" + after[:min(30, len(after))]
}
