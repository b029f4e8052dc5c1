package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxRetries is how often a read is sent again.
	maxRetries = 2
	// retryPause is the pause before the first retry where the API names none; it
	// doubles.
	retryPause = 250 * time.Millisecond
)

// retry says whether a request is sent again, and after how long: a read that met
// a broken connection, 429 or 503, as long as the wait ends before the call does.
func retry(req *http.Request, try int, r *reply, err error) (time.Duration, bool) {
	if try >= maxRetries || !safe(req.Method) || req.Context().Err() != nil {
		return 0, false
	}
	wait := retryPause << try
	if err != nil {
		var broken *brokenError
		if !errors.As(err, &broken) {
			return 0, false
		}
	} else {
		if r.status != http.StatusTooManyRequests && r.status != http.StatusServiceUnavailable {
			return 0, false
		}
		if named := retryAfter(r.header); named > 0 {
			wait = named
		}
	}
	deadline, ok := req.Context().Deadline()
	return wait, !ok || time.Until(deadline) > wait
}

// retryAfter reads RFC 9110 section 10.2.3: seconds or a date; 0 if there is none.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now := time.Now()
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date // the server's clock, which the other date is by
	}
	return max(0, at.Sub(now).Round(time.Second))
}

func retryWords(op *operation, r *reply, wait time.Duration, try int) string {
	why := "the connection broke"
	if r != nil {
		why = "the API answered " + statusWords(r.status)
	}
	return fmt.Sprintf("%s: %s; trying again in %s (%d of %d)", op.key, why, wait, try+1, maxRetries)
}

// sleep waits, and says whether the call still goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// A brokenError is a connection that did not come about or broke, which a second
// try may mend.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }

func (e *brokenError) Unwrap() error { return e.err }
