package mapping

import "container/heap"

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
