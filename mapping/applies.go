package mapping

import "github.com/santhosh-tekuri/jsonschema/v6"

// A types is a set of JSON types.
type types uint

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber // integers included
	typeString
	typeArray
	typeObject

	anyType = typeNull | typeBoolean | typeInteger | typeNumber | typeString | typeArray | typeObject
)

func typeNamed(name string) types {
	switch name {
	case "null":
		return typeNull
	case "boolean":
		return typeBoolean
	case "integer":
		return typeInteger
	case "number":
		return typeNumber | typeInteger
	case "string":
		return typeString
	case "array":
		return typeArray
	case "object":
		return typeObject
	}
	return 0
}

// maxChain bounds how many references are followed without taking a step into
// the value.
const maxChain = 32

// wanted returns the types that a schema allows, as far as it says so with types
// and values.
func wanted(s *jsonschema.Schema) types { return wantedWithin(s, maxChain) }

func wantedWithin(s *jsonschema.Schema, chain int) types {
	all := anyType
	if s == nil || chain == 0 {
		return all
	}
	if s.Types != nil && !s.Types.IsEmpty() {
		var named types
		for _, name := range s.Types.ToStrings() {
			named |= typeNamed(name)
		}
		all &= named
	}
	if s.Enum != nil {
		var valued types
		for _, v := range s.Enum.Values {
			valued |= typeOfValue(v)
		}
		all &= valued
	}
	if s.Const != nil {
		all &= typeOfValue(*s.Const)
	}
	if s.Ref != nil {
		all &= wantedWithin(s.Ref, chain-1)
	}
	for _, part := range s.AllOf {
		all &= wantedWithin(part, chain-1)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(list) == 0 {
			continue
		}
		var either types
		for _, part := range list {
			either |= wantedWithin(part, chain-1)
		}
		all &= either
	}
	return all
}

// parts returns the schemas that a value must satisfy because it must satisfy
// this one: itself, what it refers to, and all of its allOf.
func parts(s *jsonschema.Schema) []*jsonschema.Schema { return appendParts(nil, s, maxChain) }

func appendParts(list []*jsonschema.Schema, s *jsonschema.Schema, chain int) []*jsonschema.Schema {
	if s == nil || chain == 0 {
		return list
	}
	list = append(list, s)
	list = appendParts(list, s.Ref, chain-1)
	for _, part := range s.AllOf {
		list = appendParts(list, part, chain-1)
	}
	return list
}

// applying returns the schemas that describe a value: the parts, and of each
// choice those alternatives that the value fits.
func applying(s *jsonschema.Schema, v any) []*jsonschema.Schema {
	list := parts(s)
	for i := 0; i < len(list) && i < maxChain; i++ {
		for _, choice := range [][]*jsonschema.Schema{list[i].AnyOf, list[i].OneOf} {
			for _, alternative := range choice {
				if alternative.Validate(plain(v)) == nil {
					list = append(list, parts(alternative)...)
				}
			}
		}
	}
	return list
}

// below returns the schemas of one member of an object.
func below(list []*jsonschema.Schema, key string) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, s := range list {
		described := false
		if sub := s.Properties[key]; sub != nil {
			found, described = append(found, sub), true
		}
		for pattern, sub := range s.PatternProperties {
			if pattern.MatchString(key) {
				found, described = append(found, sub), true
			}
		}
		if sub, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && !described {
			found = append(found, sub)
		}
	}
	return found
}

// within returns the schemas of one item of an array.
func within(list []*jsonschema.Schema, i int) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, s := range list {
		switch {
		case i < len(s.PrefixItems):
			found = append(found, s.PrefixItems[i])
		case s.Items2020 != nil:
			found = append(found, s.Items2020)
		}
	}
	return found
}
