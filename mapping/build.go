package mapping

import "errors"

// Build decides what a model sees of the catalogs, by source name. It is the
// only producer of a Surface. Source names match [a-z][a-z0-9-]{0,15}, and rules
// have passed Check.
func Build(catalogs map[string]*Catalog, rules Rules) *Surface {
	return &Surface{byName: map[string]*Tool{}}
}

// Check reports every entry of the rules that cannot mean anything: an unknown
// kind, a bad glob, a word that is not one of the allowed. Errors name the entry
// by its path in a config file ("rules.confirm[2]").
func (r Rules) Check() error { return errors.New("unwritten") }
