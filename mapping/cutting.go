package mapping

import (
	"container/heap"
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

// minString is what is left of each string that is cut, in bytes of JSON.
const minString = 200

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

// leastLists is the size of a piece with one item in each array.
func leastLists(p *piece) int {
	if len(p.kids) == 0 {
		return p.size
	}
	if p.open == '[' {
		return 2 + leastLists(p.kids[0])
	}
	size := p.size
	for _, kid := range p.kids {
		size -= kid.size - leastLists(kid)
	}
	return size
}

// leastTexts is the size of a piece with all strings cut.
func leastTexts(p *piece) int {
	if p.open == '"' {
		return min(p.size, minString)
	}
	size := p.size
	for _, kid := range p.kids {
		size -= kid.size - leastTexts(kid)
	}
	return size
}

// droppable is what an array can lose and keep its first item.
func (p *piece) droppable() int {
	if p.open != '[' || len(p.kids) < 2 {
		return 0
	}
	return p.size - 2 - p.kids[0].size
}

// dead says that a piece is part of what was dropped.
func (p *piece) dead() bool {
	for ; p != nil; p = p.up {
		if p.gone {
			return true
		}
	}
	return false
}

// A candidate is an array that may be the longest, with what it could lose when
// it was looked at.
type candidate struct {
	list *piece
	loss int
}

type candidates []candidate

func (c candidates) Len() int           { return len(c) }
func (c candidates) Less(i, j int) bool { return c[i].loss > c[j].loss }
func (c candidates) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)        { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// cutLists drops trailing items, each time of the array that has most to lose,
// and returns how many bytes that gave.
func cutLists(root *piece, need int) int {
	queue := &candidates{}
	eachPiece(root, func(p *piece) {
		if loss := p.droppable(); loss > 0 {
			*queue = append(*queue, candidate{p, loss})
		}
	})
	heap.Init(queue)
	given := 0
	for given < need && queue.Len() > 0 {
		c := heap.Pop(queue).(candidate)
		loss := c.list.droppable()
		if loss == 0 || c.list.dead() {
			continue
		}
		if loss == c.loss {
			given += c.list.dropLast()
			loss = c.list.droppable()
		}
		heap.Push(queue, candidate{c.list, loss})
	}
	return given
}

// dropLast removes the last item of an array with at least two.
func (p *piece) dropLast() int {
	last := p.kids[len(p.kids)-1]
	last.gone = true
	p.kids = p.kids[:len(p.kids)-1]
	p.shrink(last.size + 1)
	return last.size + 1
}

// shrink takes bytes off a piece and all around it.
func (p *piece) shrink(by int) {
	for ; p != nil; p = p.up {
		p.size -= by
	}
}

func eachPiece(p *piece, visit func(*piece)) {
	visit(p)
	for _, kid := range p.kids {
		eachPiece(kid, visit)
	}
}

// cutTexts cuts the longest strings to one length that gives what is needed, if
// any does, and returns how many bytes that gave.
func (c *cutting) cutTexts(root *piece, need int) int {
	var long []*piece
	longest := 0
	eachPiece(root, func(p *piece) {
		if p.open == '"' && p.size > minString {
			long = append(long, p)
			longest = max(longest, p.size)
		}
	})
	least, most := minString, longest
	for least < most {
		middle := (least + most + 1) / 2
		gives := 0
		for _, p := range long {
			gives += max(0, p.size-middle)
		}
		if gives >= need {
			least = middle
		} else {
			most = middle - 1
		}
	}
	given := 0
	for _, p := range long {
		if p.size > least {
			cut := cutString(p.raw, least)
			given += p.size - len(cut)
			p.up.shrink(p.size - len(cut))
			p.raw, p.size = cut, len(cut)
			c.texts++
		}
	}
	return given
}

// cutString cuts a JSON string to so many bytes, between two characters.
func cutString(raw []byte, room int) []byte {
	const end = `…"`
	at := 1
	for at < len(raw)-1 {
		next := at + characterSize(raw[at:])
		if next > room-len(end) {
			break
		}
		at = next
	}
	return append(append([]byte{}, raw[:at]...), end...)
}

// characterSize is what the first character of a JSON string takes: an escape, a
// pair of them, or a UTF-8 sequence.
func characterSize(raw []byte) int {
	switch {
	case raw[0] == '\\' && raw[1] == 'u':
		if len(raw) > 12 && strings.IndexByte("dD", raw[2]) >= 0 && strings.IndexByte("89abAB", raw[3]) >= 0 && raw[6] == '\\' {
			return 12 // a surrogate and its other half
		}
		return 6
	case raw[0] == '\\':
		return 2
	}
	size := 1
	for size < len(raw) && raw[size]&0xC0 == 0x80 {
		size++
	}
	return size
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
