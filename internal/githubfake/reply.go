package githubfake

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// docs is where GitHub's errors point.
const docs = "https://docs.github.com/rest"

const jsonType = "application/json; charset=utf-8"

type object = map[string]any

// A reply is an answer before it is written.
type reply struct {
	status int // 200 if zero
	body   any // as JSON
	raw    []byte
	mime   string // of raw
}

func ok(body any) reply      { return reply{body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }
func nothing() reply         { return reply{status: http.StatusNoContent} }

func fail(status int, message string) reply {
	return reply{status: status, body: object{"message": message, "documentation_url": docs, "status": strconv.Itoa(status)}}
}

func notFound() reply { return fail(http.StatusNotFound, "Not Found") }

// invalid is what GitHub says of a field, by its own codes: missing,
// missing_field, invalid, already_exists, custom.
func invalid(resource, field, code, message string) reply {
	e := object{"resource": resource, "field": field, "code": code}
	if message != "" {
		e["message"] = message
	}
	return reply{status: http.StatusUnprocessableEntity, body: object{
		"message": "Validation Failed", "errors": []object{e}, "documentation_url": docs, "status": "422",
	}}
}

// write sends a reply with the headers that all of them have.
func (x *exchange) write(w http.ResponseWriter, a reply) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	data, mime := a.raw, a.mime
	if a.body != nil {
		mime = jsonType
		var err error
		if data, err = json.Marshal(a.body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	h := w.Header()
	for k, v := range x.head {
		h[k] = v
	}
	h.Set("X-GitHub-Media-Type", "github.v3; format=json")
	h.Set("X-GitHub-Request-Id", fmt.Sprintf("FAKE:%d", len(x.hub.log)))
	if x.who != "" {
		h.Set("Cache-Control", "private, max-age=60, s-maxage=60")
	}
	if a.status == http.StatusOK && x.r.Method == http.MethodGet {
		tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(data))
		h.Set("ETag", tag)
		if same(x.r.Header.Get("If-None-Match"), tag) {
			x.refund()
			x.limits(h)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	x.limits(h)
	if data != nil {
		h.Set("Content-Type", mime)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(data)
}

func same(asked, tag string) bool {
	for one := range strings.SplitSeq(asked, ",") {
		if strings.TrimPrefix(strings.TrimSpace(one), "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// page cuts a list to the page that was asked for and links to the others, below
// the repository's number, as GitHub does.
func page[T any](x *exchange, all []T) []T {
	size := min(max(x.number("per_page", 30), 1), 100)
	at := max(x.number("page", 1), 1)
	last := max((len(all)+size-1)/size, 1)
	x.link(at, last)
	from := min((at-1)*size, len(all))
	return all[from:min(from+size, len(all))]
}

func (x *exchange) link(at, last int) {
	var links []string
	add := func(page int, rel string) {
		q := maps.Clone(x.query)
		q.Set("page", strconv.Itoa(page))
		links = append(links, fmt.Sprintf("<%s%s?%s>; rel=%q", x.api, x.canonical(), q.Encode(), rel))
	}
	if at > 1 {
		add(at-1, "prev")
	}
	if at < last {
		add(at+1, "next")
		add(last, "last")
	}
	if at > 1 {
		add(1, "first")
	}
	if links != nil {
		x.head.Set("Link", strings.Join(links, ", "))
	}
}

// canonical is the path of the request with the repository's number.
func (x *exchange) canonical() string {
	path := strings.TrimPrefix(x.r.URL.EscapedPath(), "/api/v3")
	if x.repo == nil || !strings.HasPrefix(path, "/repos/") {
		return path
	}
	rest := strings.SplitN(path, "/", 5)[4:]
	return strings.Join(append([]string{"/repositories", fmt.Sprint(x.repo.id)}, rest...), "/")
}

// get is a query parameter, "" if it was not sent.
func (x *exchange) get(name string) string { return x.query.Get(name) }

func (x *exchange) number(name string, otherwise int) int {
	n, err := strconv.Atoi(x.get(name))
	if err != nil {
		return otherwise
	}
	return n
}

// wants tells whether a media type of GitHub's was asked for: raw, diff, patch.
func (x *exchange) wants(kind string) bool {
	for one := range strings.SplitSeq(x.r.Header.Get("Accept"), ",") {
		one, _, _ = strings.Cut(strings.TrimSpace(one), ";")
		one = strings.TrimSuffix(one, "+json")
		if one == "application/vnd.github."+kind || one == "application/vnd.github.v3."+kind {
			return true
		}
	}
	return false
}

// decode reads the body, and says GitHub's words where it is not JSON.
func (x *exchange) decode(into any) (reply, bool) {
	if len(x.body) == 0 {
		return reply{}, true
	}
	if err := json.Unmarshal(x.body, into); err != nil {
		return fail(http.StatusBadRequest, "Problems parsing JSON"), false
	}
	return reply{}, true
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// orNull is null for an empty text.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
