package core

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Limits bound what a call may take. Zero fields have the defaults named here.
type Limits struct {
	// Timeout is how long one call, read or completion may take; 30 s.
	Timeout time.Duration
	// SourceTimeouts are Timeouts of single sources, by name.
	SourceTimeouts map[string]time.Duration
	// Concurrent is how many calls and reads one source works on at a time; 16.
	// Four times as many wait, and what comes beyond is told that it is busy.
	Concurrent int
	// CallerConcurrent is how many calls, reads and completions of one caller are
	// worked on at a time, in all sources together; 8. Four times as many wait.
	// Callers without ID are not told apart, and it does not bound them.
	CallerConcurrent int
	// Rate is how often one caller may call, read or complete from one source; the zero Rate does
	// not bound it. Callers without ID count as one.
	Rate Rate
	// SourceRates are Rates of single sources, by name.
	SourceRates map[string]Rate
	// ArgumentBytes is how long the arguments of a call may be; 1 MiB.
	ArgumentBytes int
	// BodyBytes is how long the body of an HTTP request may be; 4 MiB.
	BodyBytes int64
	// Sessions is how many sessions there may be over HTTP, of revisions before
	// 2026-07-28; 1000. Beyond that the one that has been idle longest makes room, if
	// it has been for a minute. Callers without ID may keep as many listens open.
	Sessions int
	// CallerSessions is how many of them one caller may have; 100. Beyond that the
	// same goes for its own.
	CallerSessions int
	// SessionIdle is how long a session over HTTP lives without a request; 30 min.
	SessionIdle time.Duration
	// Subscriptions is how many resources one caller may watch, and where callers
	// have no ID one session; 100.
	Subscriptions int
	// Listens is how many streams of notifications (subscriptions/listen) one
	// caller may keep open over HTTP; 16.
	Listens int
	// MaxBytes is what an adapter may read from its backend for one call; 16 MiB.
	MaxBytes int64
	// FirstPublish is how long lists and calls wait for slow sources after New;
	// 5 s. Then those that have answered are served, and later ones join.
	FirstPublish time.Duration
}

const (
	defaultTimeout    = 30 * time.Second
	defaultConcurrent = 16
	defaultMaxBytes   = 16 << 20

	defaultCallerConcurrent = 8
	defaultArgumentBytes    = 1 << 20
	defaultBodyBytes        = 4 << 20
	defaultSessions         = 1000
	defaultCallerSessions   = 100
	defaultSessionIdle      = 30 * time.Minute
	defaultSubscriptions    = 100
	defaultListens          = 16

	defaultFirstPublish = 5 * time.Second
	queuePerSlot        = 4
)

// withDefaults returns the limits with every zero field filled in.
func (l Limits) withDefaults() Limits {
	l.Timeout = cmp.Or(l.Timeout, defaultTimeout)
	l.Concurrent = cmp.Or(l.Concurrent, defaultConcurrent)
	l.CallerConcurrent = cmp.Or(l.CallerConcurrent, defaultCallerConcurrent)
	l.ArgumentBytes = cmp.Or(l.ArgumentBytes, defaultArgumentBytes)
	l.BodyBytes = cmp.Or(l.BodyBytes, defaultBodyBytes)
	l.Sessions = cmp.Or(l.Sessions, defaultSessions)
	l.CallerSessions = cmp.Or(l.CallerSessions, defaultCallerSessions)
	l.SessionIdle = cmp.Or(l.SessionIdle, defaultSessionIdle)
	l.Subscriptions = cmp.Or(l.Subscriptions, defaultSubscriptions)
	l.Listens = cmp.Or(l.Listens, defaultListens)
	l.MaxBytes = cmp.Or(l.MaxBytes, defaultMaxBytes)
	l.FirstPublish = cmp.Or(l.FirstPublish, defaultFirstPublish)
	return l
}

// check reports what is negative.
func (l Limits) check() error {
	var errs []error
	refuse := func(negative bool, name string) {
		if negative {
			errs = append(errs, fmt.Errorf("%s is negative; leave it out for the default", name))
		}
	}
	refuse(l.Timeout < 0, "limits.timeout")
	refuse(l.Concurrent < 0, "limits.concurrent")
	refuse(l.CallerConcurrent < 0, "limits.callerConcurrent")
	refuse(l.Rate.negative(), "limits.rate")
	refuse(l.ArgumentBytes < 0, "limits.argumentBytes")
	refuse(l.BodyBytes < 0, "limits.bodyBytes")
	refuse(l.Sessions < 0, "limits.sessions")
	refuse(l.CallerSessions < 0, "limits.callerSessions")
	refuse(l.SessionIdle < 0, "limits.sessionIdle")
	refuse(l.Subscriptions < 0, "limits.subscriptions")
	refuse(l.Listens < 0, "limits.listens")
	refuse(l.MaxBytes < 0, "limits.maxBytes")
	refuse(l.FirstPublish < 0, "limits.firstPublish")
	for _, name := range slices.Sorted(maps.Keys(l.SourceTimeouts)) {
		refuse(l.SourceTimeouts[name] < 0, "sources."+name+".timeout")
	}
	for _, name := range slices.Sorted(maps.Keys(l.SourceRates)) {
		refuse(l.SourceRates[name].negative(), "sources."+name+".rate")
	}
	return errors.Join(errs...)
}

func (r Rate) negative() bool { return r.Calls < 0 || r.Per < 0 || r.Burst < 0 }

// timeout returns how long one call of a source may take.
func (l Limits) timeout(source string) time.Duration {
	return cmp.Or(l.SourceTimeouts[source], l.Timeout)
}

// rate returns how often one caller may call a source.
func (l Limits) rate(source string) Rate { return cmp.Or(l.SourceRates[source], l.Rate) }
