package github

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A logAnswer is the end of a log and, of a job that failed, where it did.
type logAnswer struct {
	Job        string `json:"job"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion,omitempty"`
	FailedStep string `json:"failed_step,omitempty"`
	StepLog    string `json:"failed_step_log,omitempty"`
	Lines      int    `json:"lines"`
	Tail       string `json:"tail"`
}

// maxTail is how many lines are kept at most.
const maxTail = 2000

// jobLog streams a log and keeps its end, and the end of the step that failed.
func jobLog(ctx context.Context, r *request) (*mapping.Result, error) {
	id := r.text("job_id")
	var j github.WorkflowJob
	if _, err := r.get(ctx, r.path("/actions/jobs/%s", id), nil, &j); err != nil {
		return nil, r.missing(err)
	}
	out := logAnswer{Job: clean(j.GetName()), Status: j.GetStatus(), Conclusion: j.GetConclusion()}
	step := failedStep(&j)
	if step != nil {
		out.FailedStep = clean(step.GetName())
	}
	body, err := r.openLog(ctx, id)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	room := int(r.call.Budget - reserve)
	l := logReader{tail: ring{lines: min(max(r.number("tail", 100), 1), maxTail), bytes: room}}
	if step != nil {
		l.during(step)
		l.tail.bytes, l.step = room/2, ring{lines: l.tail.lines, bytes: room / 2}
	}
	if err := l.read(body, r.call.Progress); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read the log: %w", ctx.Err())
		}
		return nil, &mapping.Error{Code: mapping.Unavailable, Problem: "the log broke off", Next: "try again later", Err: err}
	}
	out.Lines, out.Tail, out.StepLog = l.lines, l.tail.text(), l.step.text()
	result := &mapping.Result{}
	if l.tail.dropped || l.step.dropped {
		result.Truncated = true
		result.Note = fmt.Sprintf("the log has %d lines; tail shows more from the end, as far as they fit", l.lines)
	}
	result.JSON, err = encode(out)
	return result, err
}

// openLog follows GitHub to where the log is kept. The address there is signed:
// it needs no token and gets none.
func (r *request) openLog(ctx context.Context, id string) (io.ReadCloser, error) {
	var where *url.URL
	noHop := errors.New("redirected")
	hop := http.Client{Transport: r.gate, CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if r.adapter.host.isAPI(to.URL) { // of a repository that was renamed
			return checkRedirect(to, via)
		}
		where = to.URL
		return noHop
	}}
	req, err := r.request(exchange{method: http.MethodGet, path: r.path("/actions/jobs/%s/logs", id)})
	if err != nil {
		return nil, err
	}
	resp, err := hop.Do(req.WithContext(withLimit(ctx, math.MaxInt64)))
	if err == nil {
		return resp.Body, nil // a server of one's own may keep logs itself
	}
	if resp != nil {
		resp.Body.Close()
	}
	if where == nil || !errors.Is(err, noHop) {
		return nil, r.noLog(err)
	}
	return r.fetchLog(ctx, where)
}

func (r *request) fetchLog(ctx context.Context, where *url.URL) (io.ReadCloser, error) {
	if where.Scheme != "https" && !isLoopback(where.Hostname()) {
		return nil, &mapping.Error{Code: mapping.Denied, Problem: "GitHub keeps the log at an address without encryption", Next: "do not retry"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	resp, err := r.adapter.wire.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "the log is not kept any more, or not yet", Next: "do not retry at once", Err: fmt.Errorf("log store: %s", resp.Status)}
	}
	return resp.Body, nil
}

// noLog words what GitHub answers where there is no log.
func (r *request) noLog(err error) error {
	if mapping.CodeOf(err) == mapping.NotFound {
		return &mapping.Error{Code: mapping.NotFound, Problem: "the job has no log: it is still running, or the log has expired", Next: "do not retry at once", Err: err}
	}
	return err
}

// A logReader goes through a log once.
type logReader struct {
	tail, step ring
	from, to   time.Time // of the step that failed
	lines      int
}

// during limits the step's lines by when they were printed. GitHub tells whole
// seconds.
func (l *logReader) during(s *github.TaskStep) {
	if s.StartedAt != nil && s.CompletedAt != nil {
		l.from, l.to = s.StartedAt.Time, s.CompletedAt.Add(time.Second)
	}
}

// maxLogLine bounds one line that is kept.
const maxLogLine = 1000

func (l *logReader) read(r io.Reader, progress func(done, total float64, note string)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	read := 0
	var line []byte
	for {
		kept, size, err := logLine(in, line[:0])
		if line = kept; size > 0 {
			l.add(line)
		}
		if read += size; read>>20 != (read-size)>>20 {
			progress(float64(read), 0, "reading the log")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// logLine reads one line of any length and keeps its beginning, in the given
// space.
func logLine(in *bufio.Reader, kept []byte) (line []byte, size int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		size += len(part)
		kept = append(kept, part[:min(len(part), max(maxLogLine-len(kept), 0))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(kept, "\r\n"), size, err
		}
	}
}

// add keeps a line as it came: most are dropped again, so none is read closely.
func (l *logReader) add(line []byte) {
	l.lines++
	l.tail.add(line)
	if !l.from.IsZero() {
		if at, _ := stamped(line); !at.Before(l.from) && at.Before(l.to) {
			l.step.add(line)
		}
	}
}

// stamped splits off the time at which a line was printed; it is zero where there
// is none.
func stamped(line []byte) (at time.Time, text []byte) {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	first, rest, _ := bytes.Cut(line, []byte(" "))
	if len(first) < len("2006-01-02T15:04:05Z") || first[0] < '0' || first[0] > '9' {
		return time.Time{}, line
	}
	at, err := time.Parse(time.RFC3339Nano, string(first))
	if err != nil {
		return time.Time{}, line
	}
	return at, rest
}

// ansi are the escapes by which a log has colours.
func ansi() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]") }

// A ring keeps the last lines of a text, as many as it may have and as fit.
type ring struct {
	lines, bytes int
	kept         [][]byte // in a circle: the oldest is at first
	first        int
	dropped      bool
}

func (r *ring) add(line []byte) {
	if len(r.kept) < r.lines {
		r.kept = append(r.kept, append([]byte{}, line...))
		return
	}
	if r.lines == 0 {
		return
	}
	r.kept[r.first] = append(r.kept[r.first][:0], line...)
	r.first = (r.first + 1) % r.lines
	r.dropped = true
}

// text is what was kept, without times, colours and what cannot be seen.
func (r *ring) text() string {
	colours := ansi()
	var lines []string
	room := r.bytes
	for i := range r.kept { // from the end
		at := (r.first + len(r.kept) - 1 - i) % len(r.kept)
		_, raw := stamped(r.kept[at])
		line := clean(colours.ReplaceAllString(strings.ToValidUTF8(string(raw), "\uFFFD"), ""))
		if room -= escapedSize(line) + 2; room < 0 {
			r.dropped = true
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}
