package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxDetail is how many bytes of a failed answer are shown.
const maxDetail = 2000

// statusFailure says what an answer outside 2xx means and what to do. What the
// API itself says of it is data, and stands apart.
func (a *Adapter) statusFailure(op *operation, r *reply, caller mapping.Caller) error {
	f := &mapping.Error{
		Code:       statusCode(r.status),
		Problem:    "the API answered " + statusWords(r.status),
		Detail:     detail(r),
		RetryAfter: retryAfter(r.header),
	}
	f.Next = a.statusNext(op, r.status, f.Code, caller)
	if f.RetryAfter > 0 && (f.Code == mapping.Exhausted || f.Code == mapping.Unavailable) {
		f.Next = "call again" // how long to wait is said before it
	}
	return f
}

// statusCode is the code that a status stands for (RFC 9110 section 15).
func statusCode(status int) mapping.Code {
	switch status {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		return mapping.Unauthenticated
	case http.StatusForbidden, http.StatusPaymentRequired, http.StatusUnavailableForLegalReasons:
		return mapping.Denied
	case http.StatusNotFound, http.StatusGone:
		return mapping.NotFound
	case http.StatusConflict, http.StatusPreconditionFailed, http.StatusLocked, http.StatusFailedDependency, http.StatusPreconditionRequired:
		return mapping.Conflict
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage:
		return mapping.Exhausted
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return mapping.Timeout
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return mapping.Unsupported
	}
	if status >= 500 || status < 400 {
		return mapping.Unavailable
	}
	return mapping.Invalid
}

func (a *Adapter) statusNext(op *operation, status int, code mapping.Code, caller mapping.Caller) string {
	if status < 400 {
		return "it points to another place, which the bridge does not follow; do not retry"
	}
	switch code {
	case mapping.Unauthenticated:
		sent, missing := a.chosen(op, caller)
		if own := a.options.CallerScheme; own != "" && (slices.Contains(missing, own) || slices.Contains(sent, own) && caller.Credential != "") {
			return "do not retry; ask the user to look at the credential that the client sends for this API"
		}
		if len(missing) > 0 {
			return fmt.Sprintf("do not retry; ask the operator to set the credential %q of this API", missing[0])
		}
		return "do not retry; ask the operator to look at the credentials of this API"
	case mapping.Denied:
		return "do not retry; the API does not allow this with the credentials that the bridge has"
	case mapping.NotFound:
		return "look whether the identifiers in the call are right"
	case mapping.Conflict:
		return "read the item again before you call again"
	case mapping.Exhausted:
		if status == http.StatusRequestEntityTooLarge {
			return "send less"
		}
		return "wait before you call again"
	case mapping.Unsupported:
		return "do not retry"
	case mapping.Invalid:
		return "mend the arguments by what the API says and call again"
	case mapping.Timeout, mapping.Unavailable, mapping.Canceled, mapping.Internal:
	}
	return carriedOut(op)
}

// statusWords is "404 Not Found", or the number alone where it has no name.
func statusWords(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// detail is what the API says of a failure: the fields of RFC 9457, else the
// beginning of its text.
func detail(r *reply) string {
	t := r.header.Get("Content-Type")
	text := ""
	switch {
	case r.status < 400 && r.header.Get("Location") != "":
		return "Location: " + r.header.Get("Location")
	case r.coding != "":
		return fmt.Sprintf("it is in the encoding %q, which cannot be read here", r.coding)
	case len(bytes.TrimSpace(r.body)) == 0:
		return ""
	case answerKind(t, r.body) >= answerImage:
		return fmt.Sprintf("%d bytes of %s", len(r.body), essence(t))
	case essence(t) == "application/problem+json":
		text = problemText(r.body)
	case essence(t) == "text/html", essence(t) == "application/xhtml+xml":
		text = string(r.secrets.hide([]byte(htmlText(string(r.text())))))
	}
	if text == "" {
		text = string(r.text())
	}
	if len(text) > maxDetail {
		text = string(wholeRunes([]byte(text[:maxDetail]))) + "…"
	}
	return text
}

// problemText writes the members of a problem one a line: what it is, then the
// rest as the API orders it. "" is no JSON object.
func problemText(body []byte) string {
	v, err := parseValue(body)
	if err != nil || v.kind != kindObject {
		return ""
	}
	var first, rest []string
	for _, m := range v.members {
		line := m.name + ": " + m.value.plain()
		switch {
		case m.name == "status", m.name == "type" && m.value.text == "about:blank":
		case m.name == "title", m.name == "detail":
			first = append(first, line)
		default:
			rest = append(rest, line)
		}
	}
	return strings.Join(append(first, rest...), "\n")
}

// htmlText is what a reader of a page sees, with single spaces.
func htmlText(page string) string {
	var words []string
	z := html.NewTokenizer(strings.NewReader(page))
	for hide := ""; ; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " ")
		case html.StartTagToken:
			if name, _ := z.TagName(); hide == "" && (string(name) == "script" || string(name) == "style") {
				hide = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == hide {
				hide = ""
			}
		case html.TextToken:
			if hide == "" {
				words = append(words, strings.Fields(html.UnescapeString(string(z.Raw())))...)
			}
		case html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// validJSON says that b is one JSON value in UTF-8.
func validJSON(b []byte) bool { return utf8.Valid(b) && json.Valid(b) }
