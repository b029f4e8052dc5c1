package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An entry is one operation as the index knows it: where it is.
type entry struct {
	key, method, path string
	item, op          place // references of the path item followed
}

// A described is an operation with its fields, and those of its path item, read.
type described struct {
	entry
	own, shared *object
}

func (e entry) describe() *described { return &described{e, e.op.object(), e.item.object()} }

// indexOperations lists every operation below paths. Webhooks and callbacks are
// calls that the backend makes, so they are none.
func (d *document) indexOperations() {
	d.byKey = map[string]int{}
	paths := d.root.whole().member("paths")
	for path, raw := range paths.raw.members() {
		if strings.HasPrefix(path, "x-") {
			continue
		}
		item := paths.child(path, raw)
		if !strings.HasPrefix(path, "/") {
			d.note(mapping.Repaired, "", item, "the path %q does not begin with a slash; one was added", path)
			path = "/" + path
		}
		d.indexItem(path, item)
	}
	if len(d.entries) == 0 {
		d.note(mapping.Noted, "", d.root.whole(), "the document describes no operation")
	}
}

// indexItem lists the operations of one path item. Fields beside its $ref win
// over those of what it refers to.
func (d *document) indexItem(path string, item place) {
	if !item.raw.isObject() {
		if item.raw.kind() != 'n' {
			d.note(mapping.Dropped, path, item, "a path item must be an object")
		}
		return
	}
	target, err := d.follow(item)
	if err != nil {
		d.note(mapping.Dropped, path, item, "the operations of this path are unknown: %v", err)
		target = item
	}
	for _, p := range []place{item, target} {
		d.indexMethods(path, target, p)
		if target.at == item.at && target.file == item.file {
			break
		}
	}
}

func (d *document) indexMethods(path string, item, p place) {
	for field, raw := range p.raw.members() {
		op := p.child(field, raw)
		if field == "additionalOperations" {
			for method, raw := range raw.members() {
				d.addEntry(method, path, item, op.child(method, raw))
			}
			continue
		}
		method := strings.ToUpper(field)
		if !isMethod(method) {
			continue
		}
		if field != strings.ToLower(field) {
			d.note(mapping.Repaired, method+" "+path, op, "%q is not a field of a path item; it is read as %q", field, strings.ToLower(field))
		}
		d.addEntry(method, path, item, op)
	}
}

// isMethod tells the fields of a path item that are operations.
func isMethod(method string) bool {
	return slices.Contains([]string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"}, method)
}

func (d *document) addEntry(method, path string, item, written place) {
	key := method + " " + path
	// The specification has no reference in place of an operation; people do.
	op, err := d.follow(written)
	switch _, known := d.byKey[key]; {
	case err != nil:
		d.note(mapping.Dropped, key, written, "%v", err)
	case len(path) > maxPath:
		d.note(mapping.Dropped, key[:100], written, "the path is longer than %d bytes", maxPath)
	case !op.raw.isObject():
		d.note(mapping.Dropped, key, op, "an operation must be an object")
	case known:
		d.note(mapping.Dropped, key, op, "the operation is described twice; the first holds")
	case method == "TRACE" || method == "CONNECT":
		d.note(mapping.Dropped, key, op, "%s is for diagnosis of a connection and is not sent", method)
	default:
		d.byKey[key] = len(d.entries)
		d.entries = append(d.entries, entry{key: key, method: method, path: path, item: item, op: op})
	}
}

// note records a decision about a place.
func (d *document) note(what, key string, p place, format string, args ...any) {
	d.lost = append(d.lost, decision(what, key, p, format, args...))
}

func decision(what, key string, p place, format string, args ...any) mapping.Decision {
	return mapping.Decision{Key: key, What: what, Why: fmt.Sprintf(format, args...), Where: p.where()}
}
