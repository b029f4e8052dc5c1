package mapping

import (
	"fmt"
	"strconv"
	"strings"
)

// A cutting is JSON made to fit, and what it lost.
type cutting struct {
	text  []byte
	lists []shortened // arrays with fewer items than there were, in their order
	texts int         // strings that were cut
	heads int         // values of which only the beginning is left
}

// A shortened array.
type shortened struct {
	path        string // as a model would write it, "" for the answer itself
	kept, total int
}

// cutJSON makes compact JSON fit into so many bytes: trailing items of the
// longest arrays go first, then the ends of the longest strings, and last, where
// neither is enough, whatever does not fit. What is left is a beginning of what
// there was, at every depth.
func cutJSON(text []byte, room int) cutting {
	root := splitJSON(text, room)
	need := root.size - room
	fromLists, fromTexts := root.size-leastLists(root), root.size-leastTexts(root)
	c := cutting{}
	if need > 0 && (fromLists >= need || fromTexts < need) {
		need -= cutLists(root, need)
	}
	if need > 0 {
		need -= c.cutTexts(root, need)
	}
	if need > 0 {
		c.head(root, room)
	}
	c.report(root, "")
	c.text = root.append(make([]byte, 0, root.size))
	return c
}

// head keeps of a piece what fits into the room, from its beginning on.
func (c *cutting) head(p *piece, room int) {
	if p.size <= room {
		return
	}
	left := room - 2
	for i, kid := range p.kids {
		around := kid.whole() - kid.size
		if i > 0 {
			around++
		}
		if kid.size+around <= left {
			left -= kid.size + around
			continue
		}
		p.kids = p.kids[:i]
		if len(kid.kids) > 0 && left-around >= 2 {
			c.head(kid, left-around)
			p.kids = p.kids[:i+1]
		}
		break
	}
	if p.open == '"' || p.open == 0 {
		p.raw = []byte("null")
	}
	p.size = p.sum()
	if p.raw != nil {
		p.size = len(p.raw)
	}
}

// report lists the arrays that lost items.
func (c *cutting) report(p *piece, path string) {
	switch {
	case len(p.kids) == p.count:
	case p.open == '[':
		c.lists = append(c.lists, shortened{path, len(p.kids), p.count})
	default:
		c.heads++
	}
	for i, kid := range p.kids {
		switch {
		case len(kid.kids) == 0 && kid.count == 0:
		case p.open == '[':
			c.report(kid, path+"["+strconv.Itoa(i)+"]")
		default:
			c.report(kid, joinPath(path, string(kid.key)))
		}
	}
}

// joinPath adds a member's key, with its quotes, to a path.
func joinPath(path, quotedKey string) string {
	key, err := strconv.Unquote(quotedKey)
	if err != nil || !isSafeKey(key) {
		return path + "[" + unbracketed(quotedKey) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// words says what was lost, for the model.
func (c *cutting) words() string {
	var said []string
	for i, l := range c.lists {
		if i == 3 {
			said = append(said, fmt.Sprintf("%d more lists are shortened", len(c.lists)-i))
			break
		}
		list := l.path
		if list == "" {
			list = "the list"
		}
		said = append(said, fmt.Sprintf("%s has its first %d of %d items", list, l.kept, l.total))
	}
	if c.texts > 0 {
		said = append(said, "long texts end with …")
	}
	if c.heads > 0 {
		said = append(said, "what follows is left out")
	}
	return strings.Join(said, ", ")
}
