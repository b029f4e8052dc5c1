package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// What the files of one document may be together.
const (
	maxFiles = 10_000
	maxTree  = maxDocument
)

// A loader reads a document and the files that it refers to. Everything is read
// before the first operation is looked at, so that a document never changes and
// a call never waits for a disk.
type loader struct {
	source  Document
	options Options
	root    *os.Root // the folder of a document on disk, nil for any other
	client  *http.Client
	doc     *document
	bytes   int
}

func newLoader(s Document, o Options) (*loader, error) {
	l := &loader{source: s, options: o}
	l.client = newFetcher(l.mayFetch, o.Proxy)
	if s.path == "" {
		return l, nil
	}
	root, err := s.folder()
	if err != nil {
		return nil, openError(err)
	}
	l.root = root
	return l, nil
}

func (l *loader) close() {
	l.client.CloseIdleConnections()
	if l.root != nil {
		l.root.Close()
	}
}

// others reads the files that doc refers to, and those that these refer to. One
// that cannot be read is remembered with the reason: it costs what refers to it.
func (l *loader) others(ctx context.Context, doc *document) error {
	l.doc = doc
	queue := []*docFile{doc.root}
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		for _, name := range doc.references(file) {
			if doc.files[name] != nil || doc.unread[name] != "" {
				continue
			}
			next, err := l.read(ctx, name)
			if ctx.Err() != nil {
				return contextError(ctx.Err())
			}
			if err != nil {
				doc.unread[name] = err.Error()
				continue
			}
			doc.files[name] = next
			queue = append(queue, next)
		}
	}
	return nil
}

// read reads one more file.
func (l *loader) read(ctx context.Context, name string) (*docFile, error) {
	if len(l.doc.files) >= maxFiles || l.bytes >= maxTree {
		return nil, fmt.Errorf("leads to one file too many: a document may have %d, of %d MB together", maxFiles, maxTree>>20)
	}
	data, err := l.load(ctx, name)
	if err != nil {
		return nil, err
	}
	l.bytes += len(data)
	root, lost, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("leads to a file that cannot be read: %w", err)
	}
	for _, d := range lost {
		d.Where = name + "#" + d.Where
		l.doc.lost = append(l.doc.lost, d)
	}
	return newDocFile(name, root), nil
}

// load returns the bytes of a file that a reference leads to, if it may be read.
func (l *loader) load(ctx context.Context, name string) ([]byte, error) {
	if isURL(name) {
		if u, err := url.Parse(name); err != nil || !l.mayFetch(u.Host) {
			return nil, errors.New("leads to another host, from which nothing may be fetched unless its name is allowed")
		}
		data, _, err := l.fetch(ctx, name)
		return data, wrapped(err)
	}
	if l.root == nil {
		return nil, errors.New("leads to another file, and this document has no folder")
	}
	local := filepath.FromSlash(name)
	open := l.openInFolder
	switch {
	case l.options.Outside:
		open = l.openAnywhere
	case !filepath.IsLocal(local):
		return nil, errors.New("leads out of the document's folder, where nothing may be read unless that is allowed")
	}
	f, err := open(local)
	data, err := readFile(f, err, maxDocument)
	return data, wrapped(err)
}

func (l *loader) openInFolder(local string) (*os.File, error) {
	if info, err := l.root.Stat(local); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errNoFile // opening a pipe waits for its writer
	}
	return l.root.Open(local)
}

func (l *loader) openAnywhere(local string) (*os.File, error) {
	if !filepath.IsAbs(local) {
		local = filepath.Join(filepath.Dir(l.source.path), local)
	}
	if info, err := os.Stat(local); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errNoFile
	}
	return os.Open(local)
}

var errNoFile = errors.New("leads to a pipe or a device, not to a file")

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("leads to a file that cannot be read: %w", err)
}

// absolute returns the name of the file that a reference written at from names: a
// path from the document's folder, or a URL; "" is the document itself.
func (d *document) absolute(from place, target string) string {
	if target == "" || target == d.self {
		return from.file.nameOf(target)
	}
	base := from.file.name
	if folder := d.self[:strings.LastIndexByte(d.self, '/')+1]; folder != "" && d.base == nil && strings.HasPrefix(target, folder) {
		base, target = "", target[len(folder):]
	}
	if base == "" && d.base != nil {
		base = d.base.String()
	}
	if isURL(target) || isURL(base) {
		return d.absoluteURL(base, target)
	}
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	name := path.Clean(target)
	if !path.IsAbs(target) {
		name = path.Join(path.Dir(base), target)
	}
	if name == d.name {
		return ""
	}
	return name
}

func (d *document) absoluteURL(base, target string) string {
	to, err := url.Parse(target)
	if err != nil {
		return target
	}
	if from, err := url.Parse(base); err == nil {
		to = from.ResolveReference(to)
	}
	if d.base != nil && to.String() == d.base.String() {
		return ""
	}
	return to.String()
}

// nameOf is the file itself for no target, and the document for its own URL.
func (f *docFile) nameOf(target string) string {
	if target == "" {
		return f.name
	}
	return ""
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// references lists the files that a file refers to, in their order.
func (d *document) references(f *docFile) []string {
	if !refersOut(f.root) {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	walkRefs(f.whole(), false, func(p place, ref string) {
		target, _, _ := strings.Cut(ref, "#")
		if target == "" || f.ids[target].file != nil {
			return
		}
		if name := d.absolute(p, target); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	})
	return names
}

// refersOut tells whether any reference of a text leads out of it, without a walk
// through all of it.
func refersOut(text []byte) bool {
	for {
		_, after, found := bytes.Cut(text, []byte(`"$ref"`))
		if !found {
			return false
		}
		text = after
		value := bytes.TrimLeft(after[:min(len(after), 64)], " \t\r\n:")
		if !bytes.HasPrefix(value, []byte(`"#`)) {
			return true
		}
	}
}

// walkRefs visits every reference. Examples are data, not references; a property
// of that name is none.
func walkRefs(p place, properties bool, visit func(place, string)) {
	for i, raw := range p.raw.items() {
		walkRefs(p.item(i, raw), false, visit)
	}
	for key, raw := range p.raw.members() {
		if key == "$ref" && raw.isString() {
			visit(p, raw.text())
			continue
		}
		if !properties && (key == "example" || key == "examples" || key == "enum" || key == "default" || key == "const") {
			continue
		}
		walkRefs(p.child(key, raw), key == "properties", visit)
	}
}

// contextError says that time is up, so that the document is asked for again.
func contextError(err error) error {
	code := mapping.Timeout
	if errors.Is(err, context.Canceled) {
		code = mapping.Canceled
	}
	return &mapping.Error{Code: code, Problem: "it was not read in time", Err: err}
}
