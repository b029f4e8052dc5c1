package openapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestWire runs testdata/wire/*.txtar. Each archive says in its comment which
// tables its expected values come from, and holds
//
//	spec             an OpenAPI document; "openapi" and "info" are added if absent
//	options          the Options of the cases below it, as JSON
//	NAME/call        an operation's key, then its arguments by place as JSON
//	NAME/request     the request that it makes: request line, headers, body
//	NAME/error       or the error that it ends in, as a model reads it
//	NAME/response    what the server answers; 204 if absent
//	NAME/result      what comes back: JSON of a mapping.Result, or the error
//
// Accept, User-Agent and Host stand in a request only where the case names them,
// and a boundary of multipart is written BOUNDARY.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no wire files: %v", err)
	}
	cases := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		suite := newWireSuite(t, archive)
		for _, c := range suite.cases {
			cases++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+c.name, c.run)
		}
	}
	if cases < 80 {
		t.Errorf("%d cases, want at least 80", cases)
	}
}

type wireSuite struct {
	cases []*wireCase
}

type wireCase struct {
	name    string
	spec    []byte
	options Options
	parts   map[string]string // call, request, error, response, result
}

func newWireSuite(t *testing.T, archive *txtar.Archive) wireSuite {
	t.Helper()
	var suite wireSuite
	var spec []byte
	var options Options
	for _, f := range archive.Files {
		name, part, isCase := strings.Cut(f.Name, "/")
		switch {
		case f.Name == "spec":
			spec = withHead(f.Data)
		case f.Name == "options":
			options = Options{}
			if err := json.Unmarshal(f.Data, &options); err != nil {
				t.Fatalf("options: %v", err)
			}
		case isCase:
			i := slices.IndexFunc(suite.cases, func(c *wireCase) bool { return c.name == name })
			if i < 0 {
				i = len(suite.cases)
				suite.cases = append(suite.cases, &wireCase{name: name, spec: spec, options: options, parts: map[string]string{}})
			}
			suite.cases[i].parts[part] = string(f.Data)
		default:
			t.Fatalf("file %q is not part of a case", f.Name)
		}
	}
	return suite
}

// withHead adds what every document needs.
func withHead(spec []byte) []byte {
	if bytes.Contains(spec, []byte("openapi:")) || bytes.Contains(spec, []byte("swagger:")) {
		return spec
	}
	return append([]byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\n"), spec...)
}

func (c *wireCase) run(t *testing.T) {
	server := &wireServer{response: c.parts["response"], want: c.parts["request"]}
	o := c.options
	o.Handler = server
	result, err := callWire(t, c.spec, o, c.parts["call"])
	if want, ok := c.parts["error"]; ok {
		if err == nil {
			t.Fatalf("call succeeded with request\n%s\nwant the error %q", server.got, want)
		}
		if got := errorText(err); got != strings.TrimSpace(want) {
			t.Errorf("error is\n%s\nwant\n%s", got, want)
		}
		if server.got != "" {
			t.Errorf("a request was sent all the same:\n%s", server.got)
		}
		return
	}
	if want, ok := c.parts["request"]; ok {
		if err != nil && c.parts["result"] == "" {
			t.Fatalf("call: %v", err)
		}
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(server.got, "\n")); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
	}
	if want, ok := c.parts["result"]; ok {
		if diff := cmp.Diff(strings.TrimSpace(want), resultText(t, result, err)); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
	}
}

// callWire makes the call that text describes: the key, then arguments.
func callWire(t *testing.T, spec []byte, o Options, text string) (*mapping.Result, error) {
	t.Helper()
	key, args, _ := strings.Cut(text, "\n")
	c := testCall(t, strings.TrimSpace(key), args)
	a := New(Bytes(spec), o)
	t.Cleanup(func() { a.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return a.Call(ctx, c)
}

// testCall reads {"path": {NAME: VALUE}, "query": …, "header": …, "cookie": …, "body": …}.
func testCall(t *testing.T, key, args string) mapping.Call {
	t.Helper()
	c := mapping.Call{
		Key: key, Budget: 60_000, MaxBytes: 16 << 20,
		Progress: func(float64, float64, string) {}, Log: func(string, string) {},
	}
	if strings.TrimSpace(args) == "" {
		return c
	}
	var places map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &places); err != nil {
		t.Fatalf("arguments %s: %v", args, err)
	}
	for _, in := range []string{"path", "query", "header", "cookie"} {
		var byName map[string]json.RawMessage
		if err := json.Unmarshal(cmpOr(places[in], "{}"), &byName); err != nil {
			t.Fatalf("arguments in %s: %v", in, err)
		}
		for name, v := range byName {
			c.Args = append(c.Args, mapping.Arg{In: in, Name: name, Value: v})
		}
	}
	slices.SortFunc(c.Args, func(a, b mapping.Arg) int { return strings.Compare(a.In+a.Name, b.In+b.Name) })
	c.Body = places["body"]
	return c
}

func cmpOr(raw json.RawMessage, otherwise string) []byte {
	if raw == nil {
		return []byte(otherwise)
	}
	return raw
}

// A wireServer writes down the request and answers what the case says.
type wireServer struct {
	response string
	want     string // names the headers that are usually left out
	got      string
}

func (s *wireServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.got += s.dump(r)
	if s.response == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	// An archive ends lines with a newline and text with one more.
	text := strings.ReplaceAll(s.response, "\n\n", "\r\n\r\n")
	head, body, _ := strings.Cut(text, "\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n")), r)
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	fmt.Fprint(w, unescapeBytes(strings.TrimSuffix(body, "\n")))
}

// unescapeBytes turns \xNN into that byte, for bodies that are no text.
func unescapeBytes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\x`) && len(s) >= i+4 {
			var c byte
			if _, err := fmt.Sscanf(s[i+2:i+4], "%02x", &c); err == nil {
				b.WriteByte(c)
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapeBytes writes what is no text as \xNN.
func escapeBytes(body []byte) string {
	var b strings.Builder
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\r' && r != '\n' && r != '\t' {
			fmt.Fprintf(&b, `\x%02x`, body[0])
		} else {
			b.Write(body[:n])
		}
		body = body[n:]
	}
	return b.String()
}

func (s *wireServer) dump(r *http.Request) string {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, r.RequestURI)
	r.Header.Set("Host", r.Host)
	var names []string
	for name := range r.Header {
		if slices.Contains([]string{"Accept", "User-Agent", "Host"}, name) && !strings.Contains(s.want, "\n"+name+": ") {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range r.Header[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	if len(body) > 0 {
		fmt.Fprintf(&b, "\n%s", escapeBytes(body))
	}
	text := b.String()
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && params["boundary"] != "" {
		text = strings.ReplaceAll(text, params["boundary"], "BOUNDARY")
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// errorText is an error as a model reads it, after its code.
func errorText(err error) string {
	var e *mapping.Error
	if !errors.As(err, &e) {
		return "not a mapping.Error: " + err.Error()
	}
	text := string(e.Code) + ": " + e.Error()
	if e.RetryAfter > 0 {
		text += "\nretry after: " + e.RetryAfter.String()
	}
	if e.Detail != "" {
		text += "\ndetail: " + e.Detail
	}
	return text
}

// resultText is a result as JSON, one field a line.
func resultText(t *testing.T, r *mapping.Result, err error) string {
	t.Helper()
	if err != nil {
		return "error " + errorText(err)
	}
	var lines []string
	if r.JSON != nil {
		lines = append(lines, "json "+string(r.JSON))
	}
	for _, b := range r.Blocks {
		line := string(b.Kind)
		if b.MIME != "" {
			line += " " + b.MIME
		}
		if b.Data != nil {
			line += fmt.Sprintf(" %q", b.Data)
		} else {
			line += " " + b.Text
		}
		lines = append(lines, line)
	}
	if r.Truncated {
		lines = append(lines, "truncated")
	}
	if r.Note != "" {
		lines = append(lines, "note "+r.Note)
	}
	if r.Next != nil {
		for _, a := range r.Next.Args {
			lines = append(lines, fmt.Sprintf("next %s %s=%s", a.In, a.Name, a.Value))
		}
		if r.Next.Body != nil {
			lines = append(lines, "next body "+string(r.Next.Body))
		}
	}
	return strings.Join(lines, "\n")
}
