package core

import (
	"sync/atomic"
)

// A voice is what an adapter can say while it works on one call. It falls
// silent towards the client when the call has been answered, even if the adapter
// goes on.
type voice struct {
	bridge *Bridge
	source *source
	req    request
	over   atomic.Bool
}

func (b *Bridge) newVoice(s *source, r request) *voice {
	return &voice{bridge: b, source: s, req: r}
}

func (v *voice) end() { v.over.Store(true) }

func (v *voice) progress(done, total float64, note string) {
	if v.req.progress != nil && !v.over.Load() {
		v.req.progress(done, total, note)
	}
}

func (v *voice) log(level, message string) {
	v.bridge.log.Log(v.source.life, slogLevel(level), "the adapter says", "source", v.source.name, "message", message)
	if v.req.tell != nil && !v.over.Load() {
		v.req.tell(level, message)
	}
}
