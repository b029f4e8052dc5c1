package mapping

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

const (
	// maxName is what every vendor takes for a tool name.
	maxName = 64
	// longName is from where hosts that add their own prefix may refuse a name.
	longName = 48
	// hashDigits tell two names apart that would otherwise be one.
	hashDigits = 6
)

// A claim is a name that one operation or prompt asks for.
type claim struct {
	source, key string
	// own is the backend's name, base what it asks for: prefix and snake_case, or
	// an override as it stands.
	own, base string
	// fixed claims keep their base; override says so to an operator.
	fixed bool
	// why says what base has to do with own where that is not plain; "" is plain.
	why string
	// digits is how much of the hash the name carries.
	digits int
	name   string
}

// newClaim asks for the name of an operation or prompt under a prefix. An
// override is asked for as it stands.
func newClaim(source, key, own, prefix, override string) claim {
	c := claim{source: source, key: key, own: own}
	if override != "" {
		c.base, c.fixed = override, true
		c.why = "named by an override"
		return c
	}
	c.base = snake(own)
	if c.base == "" {
		c.base = snake(key)
		c.why = fmt.Sprintf("the name %q has no letter a-z, so it is made from the key", own)
	}
	if c.base == "" {
		c.base, c.digits = "tool", hashDigits
		c.why = fmt.Sprintf("neither the name %q nor the key has a letter a-z", own)
	}
	c.base = prefix + c.base
	if isDigit(c.base[0]) {
		c.base = "_" + c.base
		c.why = fmt.Sprintf("some vendors refuse a name that begins with a digit, as %q does", own)
	}
	return c
}

// settle gives every claim a name of at most 64 characters that no other has.
// What a claim gets depends on the set of claims, never on their order: of two
// that ask for one name both are told apart by a hash of source and key, so
// that nothing moves when a document is reordered.
func settle(claims []claim) {
	for i := range claims {
		c := &claims[i]
		if len(c.base) > maxName {
			c.fixed, c.digits = false, hashDigits
			c.why = fmt.Sprintf("%q is longer than %d characters", c.base, maxName)
		}
		c.name = hashed(c.base, c.source, c.key, c.digits)
	}
	for again := true; again; {
		again = false
		owners := make(map[string][]*claim, len(claims))
		for i := range claims {
			c := &claims[i]
			owners[c.name] = append(owners[c.name], c)
		}
		for _, shared := range owners {
			if len(shared) > 1 {
				tellApart(shared)
				again = true
			}
		}
	}
}

// tellApart gives more of the hash to every claim of one name. One that is
// fixed keeps the name, unless several are.
func tellApart(shared []*claim) {
	fixed := 0
	for _, c := range shared {
		if c.fixed {
			fixed++
		}
	}
	for _, c := range shared {
		if c.fixed && fixed == 1 {
			continue
		}
		c.fixed = false
		c.digits += hashDigits
		c.why = fmt.Sprintf("%q would be the name of several", c.name)
		c.name = hashed(c.base, c.source, c.key, c.digits)
	}
}

// hashed ends a name in "_" and this many hex digits of the SHA-256 of source
// and key, and keeps as much of it as fits before them.
func hashed(base, source, key string, digits int) string {
	if digits == 0 {
		return base
	}
	sum := sha256.Sum256([]byte(source + "\x00" + key))
	tail := "_" + hex.EncodeToString(sum[:])[:digits]
	return base[:min(len(base), maxName-len(tail))] + tail
}

// decision tells an operator of a name that is not simply the backend's own in
// snake_case, nil where it is. Which operation has which name is in the list.
func (c *claim) decision(where string) *Decision {
	d := &Decision{Source: c.source, Key: c.key, Where: where}
	switch {
	case c.why != "":
		d.What, d.Why = Renamed, fmt.Sprintf("published as %s: %s", c.name, c.why)
	case len(c.name) > longName:
		d.What, d.Why = Noted, fmt.Sprintf("the name %s has %d characters; hosts that add their own prefix may refuse more than %d", c.name, len(c.name), longName)
	default:
		return nil
	}
	return d
}
