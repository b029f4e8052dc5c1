package github_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Each exchange that somebody recorded with the real GitHub, and that an operation
// makes, is made again: what the operation sends is what was sent, what it tells
// was in the answer, and a failure is one of the same kind.
func TestRecordingsArePlayed(t *testing.T) {
	all := tapes(t)
	o := bridgegithub.Options{Repositories: []string{"*/*"}, Token: token, Toolsets: []string{"all"}}
	catalog, err := bridgegithub.New(o).Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	made, covered, skipped := 0, 0, map[string]int{}
	for _, scenario := range slices.Sorted(maps.Keys(all)) {
		tape := all[scenario]
		for i, r := range tape {
			matched, judged := false, false
			for _, op := range catalog.Operations {
				args, fits := arguments(op, r)
				if !fits {
					continue
				}
				matched = true
				p := &player{all: tape, used: make([]bool, len(tape))}
				for before := range i {
					p.used[before] = true // a scenario tells what changed
				}
				o.Transport = p
				c := newCall(t, op.Key, string(encoded(t, args)))
				result, err := bridgegithub.New(o).Call(t.Context(), c)
				if len(p.leaked) > 0 {
					t.Errorf("%s %s: the token went to %v", r, op.Key, p.leaked)
				}
				if len(p.missing) > 0 {
					skipped[op.Key]++
					continue
				}
				judged = true
				made++
				judge(t, op.Key, r, p, result, err)
			}
			if matched && judged {
				covered++
			}
		}
	}
	t.Logf("%d exchanges were played, in %d calls; calls that need more than was recorded: %v", covered, made, skipped)
	if covered < 250 {
		t.Errorf("only %d exchanges were played", covered)
	}
}

// arguments reads the arguments of an operation off a recorded request; false if
// it is another's, or takes what the operation does not.
func arguments(op mapping.Operation, r recording) (map[string]any, bool) {
	method, template, _ := strings.Cut(op.Where, " ")
	args := map[string]any{}
	if method != r.method || r.at.Host != "api.github.com:443" && r.at.Host != "api.github.com" || !fill(strings.Split(template, "/"), strings.Split(strings.TrimSuffix(r.at.EscapedPath(), "/"), "/"), args) {
		return nil, false
	}
	for name := range r.at.Query() {
		args[name] = r.at.Query().Get(name)
	}
	if r.sent != nil {
		var body map[string]any
		if json.Unmarshal(r.sent, &body) != nil {
			return nil, false
		}
		maps.Copy(args, body)
	}
	rename(args)
	for _, p := range op.Params {
		value, given := args[p.Name]
		if !given && p.Required {
			return nil, false
		}
		if given {
			args[p.Name] = typed(p, value)
		}
	}
	for name := range args {
		if !slices.ContainsFunc(op.Params, func(p mapping.Param) bool { return p.Name == name }) {
			return nil, false
		}
	}
	return args, true
}

// rename gives GitHub's names ours.
func rename(args map[string]any) {
	for from, to := range map[string]string{"per_page": "limit", "q": "query", "recursive": "", "basehead": ""} {
		value, given := args[from]
		delete(args, from)
		if s, isText := value.(string); from == "basehead" && isText {
			args["base"], args["head"], _ = strings.Cut(s, "...")
		} else if given && to != "" {
			args[to] = value
		}
	}
}

// fill reads the parts of a path that stand in braces.
func fill(template, path []string, args map[string]any) bool {
	if len(template) == 0 || len(path) == 0 {
		return len(template) == len(path)
	}
	name, hole := strings.CutPrefix(template[0], "{")
	if !hole {
		return template[0] == path[0] && fill(template[1:], path[1:], args)
	}
	name = strings.TrimSuffix(name, "}")
	if name == "path" {
		path = append([]string{strings.Join(path, "/")}, path[len(path):]...)
	}
	args[name] = strings.ReplaceAll(path[0], "%20", " ")
	return fill(template[1:], path[1:], args)
}

// typed is a text as a parameter's schema has it.
func typed(p mapping.Param, value any) any {
	s, isText := value.(string)
	var schema struct{ Type string }
	_ = json.Unmarshal(p.Schema, &schema)
	switch {
	case isText && schema.Type == "integer":
		return json.RawMessage(s)
	case isText && schema.Type == "array":
		return strings.Split(s, ",")
	}
	return value
}

func judge(t *testing.T, key string, r recording, p *player, result *mapping.Result, err error) {
	t.Helper()
	last := p.played[len(p.played)-1]
	if last.status >= 400 {
		codes := map[int][]mapping.Code{
			400: {mapping.Invalid}, 401: {mapping.Unauthenticated}, 403: {mapping.Denied, mapping.Exhausted, mapping.Conflict}, 404: {mapping.NotFound}, 406: {mapping.Unsupported},
			409: {mapping.Conflict}, 410: {mapping.NotFound}, 422: {mapping.Invalid, mapping.NotFound, mapping.Conflict}, 429: {mapping.Exhausted}, 503: {mapping.Unavailable},
		}[last.status]
		if !slices.Contains(codes, mapping.CodeOf(err)) {
			t.Errorf("%s %s: %v (%s), want one of %v", r, key, err, mapping.CodeOf(err), codes)
		}
		return
	}
	if last.status >= 300 {
		if err == nil {
			t.Errorf("%s %s: worked, though it was sent elsewhere", r, key)
		}
		return
	}
	if mapping.CodeOf(err) == mapping.Unsupported && (key == "list_directory" || key == "get_file") {
		return // a file is no directory
	}
	if err != nil {
		cause := err
		for e := (*mapping.Error)(nil); errors.As(cause, &e) && e.Err != nil; {
			cause = e.Err
		}
		t.Errorf("%s %s: %v (%v)", r, key, err, cause)
		return
	}
	if r.method != http.MethodGet && r.sent != nil && !sameJSON(r.sent, json.RawMessage("{}")) && !slices.ContainsFunc(p.sent, func(sent json.RawMessage) bool { return sameJSON(r.sent, sent) }) {
		t.Errorf("%s %s: sent %s, the recording has %s", r, key, p.sent, r.sent)
	}
	told := map[string]bool{}
	var body strings.Builder
	for _, played := range p.played {
		gather(told, &body, played.body)
		gather(told, &body, played.sent)
	}
	var answer any
	if result.JSON != nil {
		if err := json.Unmarshal(result.JSON, &answer); err != nil {
			t.Errorf("%s %s: %v", r, key, err)
		}
	}
	for _, made := range invented(answer, "", told, body.String()) {
		t.Errorf("%s %s: tells %s, which was not in the answer", r, key, made)
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// gather collects the numbers and texts of an answer.
func gather(told map[string]bool, body *strings.Builder, text []byte) {
	var v any
	if json.Unmarshal(text, &v) != nil {
		body.Write(text)
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
			if s, isText := v["content"].(string); isText {
				data, _ := base64.StdEncoding.DecodeString(strings.ReplaceAll(s, "\n", ""))
				body.Write(data)
			}
		case []any:
			told[strconv.Itoa(len(v))] = true
			for _, x := range v {
				walk(x)
			}
		case string:
			body.WriteString(strings.Join(strings.Fields(v), " ") + "\n" + v + "\n")
		case float64:
			told[strconv.FormatFloat(v, 'f', -1, 64)] = true
		}
	}
	walk(v)
}

// own are the fields that we make ourselves.
var own = []string{"has_more", "next_cursor", "kind", "lines", "state", "visibility", "files", "comments", "is_pull", "total", "start_line", "end_line"}

// invented lists what an answer tells that GitHub did not.
func invented(v any, name string, told map[string]bool, body string) []string {
	var all []string
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			all = append(all, invented(x, k, told, body)...)
		}
	case []any:
		for _, x := range v {
			all = append(all, invented(x, name, told, body)...)
		}
	case string:
		v = strings.TrimSuffix(v, "…")
		if !strings.Contains(body, v) && !strings.Contains(body, strings.TrimSuffix(v, "\n")) && !slices.Contains(own, name) {
			all = append(all, name+" "+strconv.Quote(v))
		}
	case float64:
		if n := strconv.FormatFloat(v, 'f', -1, 64); !told[n] && v != 0 && !slices.Contains(own, name) {
			all = append(all, name+" "+n)
		}
	}
	return all
}
