package github

import (
	"encoding/json"
	"reflect"
	"strings"
)

// schemaOf writes the JSON Schema of what a trimmed answer can be. Nothing is
// required, so that an answer which had to be cut stays true to it.
func schemaOf[T any]() json.RawMessage {
	return json.RawMessage(schemaText(reflect.TypeFor[T]()))
}

func schemaText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaText(t.Elem())
	case reflect.Bool:
		return `{"type":"boolean"}`
	case reflect.Int, reflect.Int64:
		return `{"type":"integer"}`
	case reflect.Slice:
		return `{"type":"array","items":` + schemaText(t.Elem()) + `}`
	case reflect.Struct:
		var properties []string
		eachField(t, func(name string, field reflect.StructField) {
			properties = append(properties, `"`+name+`":`+schemaText(field.Type))
		})
		return `{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`
	default:
		return `{"type":"string"}`
	}
}

// eachField visits the fields that JSON has, those of embedded structs too.
func eachField(t reflect.Type, visit func(name string, field reflect.StructField)) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			eachField(field.Type, visit)
			continue
		}
		visit(name, field)
	}
}

// pageSchema is the schema of one page of items.
func pageSchema[T any](property string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"` + property + `":{"type":"array","items":` + string(schemaOf[T]()) +
		`},"has_more":{"type":"boolean"},"next_cursor":{"type":"string"},"total":{"type":"integer"},"incomplete":{"type":"boolean"}}}`)
}
