package githubfake

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// showJobLog sends the caller to the server of logs.
func showJobLog(x *exchange) reply {
	_, j := x.job()
	switch {
	case j == nil:
		return notFound()
	case j.NoLog:
		return fail(http.StatusGone, "Logs for this job have expired and are no longer available.")
	}
	x.head.Set("Location", fmt.Sprintf("%s/logs/%d.txt?se=2026-01-01&sig=%s", x.hub.blobs.URL, j.id, signature))
	return reply{status: http.StatusFound, raw: []byte{}, mime: "text/html;charset=utf-8"}
}

// signature is what makes an address of the server of logs good.
const signature = "fake%2Fsignature%3D"

// serveBlob is the server of logs. It has no use for a token, and refuses one as
// Azure's storage does.
func (g *GitHub) serveBlob(w http.ResponseWriter, r *http.Request) {
	g.note(r, nil, true)
	if f := g.faultAt(r, true); f != nil {
		f.play(w, r, func(w http.ResponseWriter) { g.blob(w, r) })
		return
	}
	g.blob(w, r)
}

func (g *GitHub) blob(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" || r.URL.Query().Get("sig") == "" {
		http.Error(w, "<Error><Code>InvalidAuthenticationInfo</Code></Error>", http.StatusUnauthorized)
		return
	}
	j := g.logged(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/logs/"), ".txt"))
	if j == nil {
		http.Error(w, "<Error><Code>BlobNotFound</Code></Error>", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	if j.LogSize == 0 {
		_, _ = w.Write(j.Log)
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(j.LogSize))
	out := bufio.NewWriterSize(w, 64<<10)
	defer out.Flush()
	_, _ = io.CopyN(out, &lines{}, j.LogSize)
}

func (g *GitHub) logged(id string) *job {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.repos {
		for _, n := range r.runs {
			for _, j := range n.jobs {
				if fmt.Sprint(j.id) == id {
					return j
				}
			}
		}
	}
	return nil
}

// lines is a log without an end: a line for each number.
type lines struct {
	n    int
	rest []byte
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		l.n++
		l.rest = fmt.Appendf(l.rest, "2025-01-01T00:00:00.0000000Z line %d of a long log\n", l.n)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
