package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxAliases bounds how often a YAML document may repeat a value by its anchor.
// Each repetition is written out, so a few lines could otherwise become
// gigabytes.
const maxAliases = 10_000

// A yamlWriter writes a YAML document as JSON. Plain scalars mean what YAML 1.2's
// core schema says, so yes, on and 2024-01-01 are texts, and numbers keep their
// digits.
type yamlWriter struct {
	out     []byte
	limit   int // bytes of JSON
	aliases int
	at      []string // the pointer of the value being written
	lost    []mapping.Decision
}

// yamlToJSON returns the first document of data as JSON of at most limit bytes,
// and what it had to repair.
func yamlToJSON(data []byte, limit int) ([]byte, []mapping.Decision, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(withoutDirective(data)))
	if err != nil {
		return nil, nil, err
	}
	var root yaml.Node
	if err := loader.Load(&root); err != nil {
		return nil, nil, yamlError(err)
	}
	w := &yamlWriter{limit: limit, out: make([]byte, 0, min(limit, 2*len(data)))}
	if err := w.value(&root, 0); err != nil {
		return nil, nil, err
	}
	return w.out, w.lost, nil
}

// withoutDirective blanks a %YAML line at the beginning: the parser knows only
// version 1.1 of it, and reads what follows as 1.2 writes it either way.
func withoutDirective(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("%YAML")) {
		return data
	}
	if i := bytes.IndexAny(data, "\r\n"); i > 0 {
		return append(bytes.Repeat([]byte(" "), i), data[i:]...)
	}
	return data
}

// yamlError puts a parser's complaint into words with its line.
func yamlError(err error) error {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		return err
	}
	text := e.Message
	if text == "found character that cannot start any token" {
		text = "a value cannot begin with this character (a tab in place of spaces, @ or `)"
	}
	return fmt.Errorf("line %d, column %d: %s", e.Mark.Line, max(e.Mark.Column, 1), text)
}

func (w *yamlWriter) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{n.Line}, args...)...)
}

func (w *yamlWriter) value(n *yaml.Node, depth int) error {
	if depth > maxDepth {
		return w.errorf(n, "values nest more than %d deep", maxDepth)
	}
	if len(w.out) > w.limit {
		return w.errorf(n, "the document grows beyond %d bytes", w.limit)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return w.value(n.Content[0], depth)
	case yaml.AliasNode:
		if w.aliases++; w.aliases > maxAliases {
			return w.errorf(n, "anchors are repeated more than %d times", maxAliases)
		}
		return w.value(n.Alias, depth+1)
	case yaml.MappingNode:
		return w.mapping(n, depth)
	case yaml.SequenceNode:
		return w.sequence(n, depth)
	}
	w.out = appendScalar(w.out, n)
	return nil
}

func (w *yamlWriter) sequence(n *yaml.Node, depth int) error {
	w.out = append(w.out, '[')
	for i, item := range n.Content {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.child(strconv.Itoa(i), item, depth); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

// child writes a value below the current one.
func (w *yamlWriter) child(token string, n *yaml.Node, depth int) error {
	w.at = append(w.at, token)
	err := w.value(n, depth+1)
	w.at = w.at[:len(w.at)-1]
	return err
}

func (w *yamlWriter) mapping(n *yaml.Node, depth int) error {
	members, err := w.members(n, depth)
	if err != nil {
		return err
	}
	w.out = append(w.out, '{')
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = appendString(w.out, m.key)
		w.out = append(w.out, ':')
		if err := w.child(m.key, m.value, depth); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

type yamlMember struct {
	key    string
	value  *yaml.Node
	merged bool // from a merge key, so a key of the mapping itself wins
}

// members returns what a mapping holds, merge keys (<<) followed and repeated keys
// settled: the last one holds.
func (w *yamlWriter) members(n *yaml.Node, depth int) ([]yamlMember, error) {
	var all []yamlMember
	index := make(map[string]int, len(n.Content)/2)
	add := func(m yamlMember) bool {
		i, seen := index[m.key]
		if !seen {
			index[m.key] = len(all)
			all = append(all, m)
			return false
		}
		again := !m.merged && !all[i].merged
		if !m.merged {
			all[i] = m
		}
		return again
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Style == 0 {
			merged, err := w.merge(value, depth+1)
			if err != nil {
				return nil, err
			}
			for _, m := range merged {
				add(m)
			}
			continue
		}
		name, err := w.key(key)
		if err != nil {
			return nil, err
		}
		if add(yamlMember{key: name, value: value}) {
			w.lost = append(w.lost, mapping.Decision{
				What: mapping.Repaired, Where: pointer(append(w.at, name)...),
				Why: fmt.Sprintf("the key %q is written twice, again on line %d; the last one holds", name, key.Line),
			})
		}
	}
	return all, nil
}

// key returns a key's text. YAML allows keys that are lists or mappings; OpenAPI
// does not.
func (w *yamlWriter) key(n *yaml.Node) (string, error) {
	for hops := 0; n.Kind == yaml.AliasNode && hops < maxDepth; hops++ {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", w.errorf(n, "a key must be a text")
	}
	return n.Value, nil
}

// merge returns the members that a merge key brings: of one mapping, or of a list
// of them, where the earlier one wins.
func (w *yamlWriter) merge(n *yaml.Node, depth int) ([]yamlMember, error) {
	if w.aliases++; w.aliases > maxAliases || depth > maxDepth {
		return nil, w.errorf(n, "anchors are repeated more than %d times", maxAliases)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.merge(n.Alias, depth+1)
	case yaml.MappingNode:
		all, err := w.members(n, depth+1)
		for i := range all {
			all[i].merged = true
		}
		return all, err
	case yaml.SequenceNode:
		var all []yamlMember
		for _, item := range n.Content {
			more, err := w.merge(item, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	return nil, w.errorf(n, "a merge key (<<) needs a mapping")
}

// appendScalar writes a scalar as YAML 1.2's core schema reads it.
func appendScalar(out []byte, n *yaml.Node) []byte {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted != 0 || n.Style&yaml.TaggedStyle != 0 && n.ShortTag() == "!!str" {
		return appendString(out, n.Value)
	}
	switch v := n.Value; v {
	case "", "~", "null", "Null", "NULL":
		return append(out, "null"...)
	case "true", "True", "TRUE":
		return append(out, "true"...)
	case "false", "False", "FALSE":
		return append(out, "false"...)
	default:
		if number := yamlNumber(v); number != "" {
			return append(out, number...)
		}
		return appendString(out, v)
	}
}

var yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// yamlNumber returns a plain scalar as a JSON number with the same digits, or ""
// where it is none. Infinity and NaN have no JSON and stay texts.
func yamlNumber(v string) string {
	if !strings.ContainsAny(v[:1], "0123456789+-.") {
		return ""
	}
	if isNumber([]byte(v)) {
		return v
	}
	if len(v) > 2 && (strings.HasPrefix(v, "0x") || strings.HasPrefix(v, "0o")) {
		if n, ok := new(big.Int).SetString(v, 0); ok && !strings.Contains(v, "_") {
			return n.String()
		}
		return ""
	}
	if !yamlFloat.MatchString(v) {
		return ""
	}
	return jsonNumber(v)
}

// jsonNumber mends what YAML allows in a number and JSON does not: a plus sign,
// leading zeros, a point without digits on one side.
func jsonNumber(v string) string {
	v = strings.TrimPrefix(v, "+")
	minus := strings.HasPrefix(v, "-")
	v = strings.TrimPrefix(v, "-")
	mantissa, exponent := v, ""
	if i := strings.IndexAny(v, "eE"); i >= 0 {
		mantissa, exponent = v[:i], v[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	if minus {
		whole = "-" + whole
	}
	return whole + fraction + exponent
}
