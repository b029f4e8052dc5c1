package mapping

import "strings"

// minString is what is left of each string that is cut, in bytes of JSON.
const minString = 200

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
