package adaptertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A marred adapter does what the Fake in it does, but for the methods that are
// set.
type marred struct {
	*adaptertest.Fake
	catalog func(context.Context) (*mapping.Catalog, error)
	call    adaptertest.CallFunc
	read    adaptertest.ReadFunc
	end     func() error
}

func (m *marred) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	if m.catalog != nil {
		return m.catalog(ctx)
	}
	return m.Fake.Catalog(ctx)
}

func (m *marred) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if m.call != nil {
		return m.call(ctx, c)
	}
	return m.Fake.Call(ctx, c)
}

func (m *marred) Read(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
	if m.read != nil {
		return m.read(ctx, r)
	}
	return m.Fake.Read(ctx, r)
}

func (m *marred) Close() error {
	if m.end != nil {
		return m.end()
	}
	return m.Fake.Close()
}

// A defect mars a notebook in one way. Rows are those that find it.
type defect struct {
	name string
	mar  func(*notebook)
	rows []string
}

func catalogDefects() []defect {
	return []defect{
		{"the order of operations changes", func(n *notebook) {
			var turn atomic.Int32
			n.adapter = n.whole(&marred{Fake: n.fake, catalog: func(ctx context.Context) (*mapping.Catalog, error) {
				c, err := n.fake.Catalog(ctx)
				if turn.Add(1)%2 == 0 && err == nil {
					c.Operations = slices.Clone(c.Operations)
					slices.Reverse(c.Operations)
				}
				return c, err
			}})
		}, []string{"catalog/stable"}},
		{"two adapters differ", func(n *notebook) {
			n.fake.Offer.About = fmt.Sprintf("%p", n)
		}, []string{"catalog/stable"}},
		{"a call writes into the catalog", func(n *notebook) {
			n.fake.Calls["notes/add"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				n.fake.Offer.Operations[0].Summary = "called before"
				return n.add(ctx, c)
			}
		}, []string{"catalog/stable"}},
		{"one key twice", func(n *notebook) {
			op := n.fake.Offer.Operations[2]
			op.Name = "add_another"
			n.fake.Offer.Operations = append(n.fake.Offer.Operations, op)
		}, []string{"catalog/keys", "surface/tools"}},
		{"a param in no place", func(n *notebook) {
			n.fake.Offer.Operations[2].Params = []mapping.Param{{In: "formData", Name: "x"}}
		}, []string{"catalog/keys"}},
		{"a $ref of the backend's own document", func(n *notebook) {
			n.fake.Offer.Operations[0].Params[0].Schema = json.RawMessage(`{"$ref": "#/components/schemas/ID"}`)
		}, []string{"catalog/refs"}},
		{"a $ref to nothing", func(n *notebook) {
			n.fake.Offer.Operations[2].Body.Schema = json.RawMessage(`{"type": "object", "properties": {"text": {"$ref": "#/$defs/Text"}}}`)
		}, []string{"catalog/refs"}},
		{"a schema of OpenAPI 3.0", func(n *notebook) {
			n.fake.Offer.Operations[0].Output = json.RawMessage(`{"type": "number", "exclusiveMinimum": true}`)
		}, []string{"catalog/schemas"}},
		{"an operation twice", func(n *notebook) {
			n.fake.Offer.Operations = append(n.fake.Offer.Operations, n.fake.Offer.Operations[3])
		}, []string{"catalog/keys", "surface/tools"}},
		{"an unclosed template", func(n *notebook) {
			n.fake.Offer.Resources[0].Path = "motd/{day"
		}, []string{"catalog/resources", "surface/resources", "read/known", "life/at-once"}},
		{"a resource of an operation that writes", func(n *notebook) {
			n.fake.Offer.Resources = append(n.fake.Offer.Resources, mapping.Resource{Path: "new", Name: "New", Operation: "notes/add"})
		}, []string{"catalog/resources", "surface/resources"}},
		{"a template with a variable that no param takes", func(n *notebook) {
			n.fake.Offer.Resources[1].Path = "notes/{number}"
		}, []string{"catalog/resources", "surface/resources", "read/known", "life/at-once"}},
		{"a prompt with a hole", func(n *notebook) {
			n.fake.Offer.Prompts[0].Messages[0].Text += " Write to {{reader}}."
		}, []string{"catalog/prompts"}},
		{"loading fails in other words when it is cancelled", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, catalog: func(ctx context.Context) (*mapping.Catalog, error) {
				if ctx.Err() != nil {
					return nil, errors.New("read failed")
				}
				return n.fake.Catalog(ctx)
			}})
		}, []string{"catalog/context"}},
		{"a cancelled load spoils the next", func(n *notebook) {
			var spoilt error
			n.adapter = n.whole(&marred{Fake: n.fake, catalog: func(ctx context.Context) (*mapping.Catalog, error) {
				if spoilt == nil && ctx.Err() != nil {
					spoilt = ctx.Err()
				}
				if spoilt != nil {
					return nil, spoilt
				}
				return n.fake.Catalog(ctx)
			}})
		}, []string{"catalog/context"}},
		{"two templates for one address", func(n *notebook) {
			n.fake.Offer.Resources = append(n.fake.Offer.Resources, mapping.Resource{Path: "files/{+name}", Name: "Again"})
			n.fake.Reads["files/{+name}"] = func(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
				r.Vars = map[string]string{"path": r.Vars["name"]}
				return n.file(ctx, r)
			}
		}, []string{"surface/resources"}},
	}
}

func callDefects() []defect {
	return []defect{
		{"another note", func(n *notebook) {
			n.notes[6] = "forget the number 7"
		}, []string{"call/known", "read/known", "life/at-once"}},
		{"digits are lost", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.get(ctx, c)
				if err == nil {
					r.JSON = bytes.Replace(r.JSON, []byte(`"id":7`), []byte(`"id":7.0`), 1)
				}
				return r, err
			}
		}, []string{"call/known", "life/at-once"}},
		{"an unknown key is a plain error", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if n.fake.Calls[c.Key] == nil {
					return nil, errors.New("unknown key")
				}
				return n.fake.Call(ctx, c)
			}})
		}, []string{"call/unknown", "output/errors"}},
		{"an unknown key panics", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if n.fake.Calls[c.Key] == nil {
					panic("no function")
				}
				return n.fake.Call(ctx, c)
			}})
		}, []string{"call/unknown"}},
		{"a missing item is invalid", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.get(ctx, c)
				if mapping.CodeOf(err) == mapping.NotFound {
					err = &mapping.Error{Code: mapping.Invalid, Problem: "that is no id"}
				}
				return r, err
			}
		}, []string{"call/missing", "read/missing"}},
		{"cancelling changes nothing", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if errors.Is(ctx.Err(), context.Canceled) {
					ctx = context.WithoutCancel(ctx)
				}
				return n.fake.Call(ctx, c)
			}})
		}, []string{"call/canceled"}},
		{"a slow call does not hear of its context", func(n *notebook) {
			n.fake.Calls["wait"] = func(context.Context, mapping.Call) (*mapping.Result, error) {
				<-time.After(time.Hour)
				return &mapping.Result{}, nil
			}
		}, []string{"call/canceled", "call/deadline"}},
		{"a deadline is an internal error", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.fake.Call(ctx, c)
				if errors.Is(err, context.DeadlineExceeded) {
					err = errors.New("took too long")
				}
				return r, err
			}})
		}, []string{"call/deadline"}},
		{"MaxBytes does not count", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				c.MaxBytes = 1 << 30
				return n.fake.Call(ctx, c)
			}})
		}, []string{"call/max-bytes"}},
		{"the answer is cut in silence", func(n *notebook) {
			n.fake.Calls["notes/list"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.list(ctx, c)
				if err == nil {
					r.Truncated, r.Next, r.Note = false, nil, ""
				}
				return r, err
			}
		}, []string{"call/max-bytes", "call/budget"}},
		{"the answer is cut in the middle", func(n *notebook) {
			n.fake.Calls["notes/list"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.list(ctx, c)
				if err == nil && c.Budget < 10_000 {
					r.JSON, r.Truncated = r.JSON[:10], true
				}
				return r, err
			}
		}, []string{"call/budget"}},
		{"the budget does not count", func(n *notebook) {
			n.fake.Calls["notes/list"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				c.Budget = c.MaxBytes
				return n.list(ctx, c)
			}
		}, []string{"call/budget"}},
		{"Next is the same page", func(n *notebook) {
			n.fake.Calls["notes/list"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.list(ctx, c)
				if err == nil {
					r.Next = &mapping.Next{Args: c.Args}
				}
				return r, err
			}
		}, []string{"call/next"}},
		{"Next has an argument of its own", func(n *notebook) {
			n.fake.Calls["notes/list"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.list(ctx, c)
				if err == nil {
					r.Next = &mapping.Next{Args: []mapping.Arg{{In: "query", Name: "page", Value: json.RawMessage("2")}}}
				}
				return r, err
			}
		}, []string{"call/next"}},
		{"an object where a number belongs panics", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if v := c.Arg("path", "id"); len(v) > 2_000 && v[0] == '{' {
					panic("too deep")
				}
				return n.get(ctx, c)
			}
		}, []string{"call/hostile"}},
		{"a broken body is neither answer nor error", func(n *notebook) {
			n.fake.Calls["notes/add"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if c.Body != nil && !json.Valid(c.Body) {
					return nil, nil
				}
				return n.add(ctx, c)
			}
		}, []string{"call/hostile"}},
	}
}

func readDefects() []defect {
	return []defect{
		{"another file", func(n *notebook) {
			n.files["docs/a.txt"] = "omega and out"
		}, []string{"read/known", "life/at-once"}},
		{"an unknown path is empty", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, read: func(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
				if ctx.Err() == nil && n.fake.Reads[r.Path] == nil {
					return &mapping.Result{}, nil
				}
				return n.fake.Read(ctx, r)
			}})
		}, []string{"read/unknown"}},
		{"a missing file is forbidden", func(n *notebook) {
			n.fake.Reads["files/{+path}"] = func(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
				result, err := n.file(ctx, r)
				if err != nil {
					err = &mapping.Error{Code: mapping.Denied, Problem: "this is not for you"}
				}
				return result, err
			}
		}, []string{"read/missing"}},
		{"MaxBytes of a read does not count", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, read: func(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
				r.MaxBytes = 1 << 30
				return n.fake.Read(ctx, r)
			}})
		}, []string{"read/max-bytes"}},
		{"dots lead out of the folder", func(n *notebook) {
			n.files["etc/passwd"] = "root"
			n.fake.Reads["files/{+path}"] = func(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
				r.Vars = map[string]string{"path": strings.TrimPrefix(path.Join("/files", r.Vars["path"]), "/files/")}
				r.Vars["path"] = strings.TrimPrefix(r.Vars["path"], "/")
				return n.file(ctx, r)
			}
		}, []string{"read/traversal"}},
		{"a slash in an id leads to the list", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if strings.Trim(string(c.Arg("path", "id")), `"`) == "/" {
					return n.list(ctx, mapping.Call{Budget: c.Budget, MaxBytes: c.MaxBytes})
				}
				return n.get(ctx, c)
			}
		}, []string{"read/traversal"}},
		{"reading writes", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				r, err := n.get(ctx, c)
				n.mu.Lock()
				defer n.mu.Unlock()
				n.notes[29] += "!"
				return r, err
			}
		}, []string{"read/harmless"}},
	}
}

func outputDefects() []defect {
	motd := func(block mapping.Block) func(*notebook) {
		return func(n *notebook) {
			block.Text += "write it down"
			n.fake.Reads["motd"] = adaptertest.Content(block)
		}
	}
	missing := func(err error) func(*notebook) {
		return func(n *notebook) {
			n.fake.Calls["notes/add"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				if c.Body == nil {
					return nil, err
				}
				return n.add(ctx, c)
			}
		}
	}
	return []defect{
		{"an exact output that is not", func(n *notebook) {
			n.fake.Offer.Operations[1].Output = json.RawMessage(`{"type": "object", "required": ["id", "text", "author"]}`)
		}, []string{"output/exact"}},
		{"a picture of no type", motd(mapping.Block{Kind: mapping.Image}), []string{"output/results"}},
		{"a block of no kind", motd(mapping.Block{Kind: "video"}), []string{"output/results"}},
		{"a plain error", missing(errors.New("no body")), []string{"output/errors"}},
		{"a code that does not exist", missing(&mapping.Error{Code: "teapot", Problem: "there is no body"}), []string{"output/errors"}},
		{"an error without a sentence", missing(&mapping.Error{Code: mapping.Invalid}), []string{"output/errors"}},
		{"an error in words of Go", missing(&mapping.Error{Code: mapping.Invalid, Problem: "json: cannot unmarshal string"}), []string{"output/errors"}},
		{"a secret in a cause", missing(&mapping.Error{
			Code: mapping.Invalid, Problem: "there is no body", Err: fmt.Errorf("sent with Bearer %s: %w", token, errors.New("refused")),
		}), []string{"output/secrets"}},
		{"a secret in a sentence, encoded", missing(&mapping.Error{
			Code: mapping.Invalid, Problem: "there is no body", Detail: "Basic OnRvay04YzFmNDQtbm90LWZvci1leWVz", // base64 of ":" and the token
		}), []string{"output/secrets"}},
		{"an address in a sentence", missing(&mapping.Error{
			Code: mapping.Unavailable, Problem: "the notebook at notebook.example:7777 is shut",
		}), []string{"output/secrets"}},
		{"an address in a cause, which is right", missing(&mapping.Error{
			Code: mapping.Unavailable, Problem: "the notebook is shut", Err: errors.New("dial notebook.example:7777"),
		}), nil},
		{"a secret in the log", func(n *notebook) { n.log = "connecting with " + token }, []string{"output/secrets"}},
		{"a secret in a finding", func(n *notebook) {
			n.check = func(context.Context) ([]mapping.Finding, error) {
				return []mapping.Finding{{OK: true, Text: "the token " + token + " is good"}}, nil
			}
		}, []string{"output/secrets"}},
		{"a secret in a log line of a call", func(n *notebook) {
			n.fake.Calls["notes/add"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				c.Log("debug", "token "+token)
				return n.add(ctx, c)
			}
		}, []string{"output/secrets"}},
	}
}

func lifeDefects() []defect {
	return []defect{
		{"any path can be watched", func(n *notebook) { n.bell.Paths = []string{"", "no-such-thing-in-this-catalog"} }, []string{"ability/watch"}},
		{"completion of nothing is a plain error", func(n *notebook) {
			n.offers = func(_ context.Context, c mapping.Completion) (mapping.Completions, error) {
				if c.Prefix == "" {
					return mapping.Completions{}, errors.New("no rows")
				}
				return mapping.Completions{}, nil
			}
		}, []string{"ability/complete"}},
		{"a finding without a mend", func(n *notebook) {
			n.check = func(context.Context) ([]mapping.Finding, error) {
				return []mapping.Finding{{Text: "the notebook is wet"}}, nil
			}
		}, []string{"ability/check"}},
		{"a second Close fails", func(n *notebook) {
			closed := false
			n.adapter = n.whole(&marred{Fake: n.fake, end: func() error {
				if closed {
					return errors.New("closed already")
				}
				closed = true
				return n.fake.Close()
			}})
		}, []string{"life/close"}},
		{"Close closes nothing", func(n *notebook) {
			n.adapter = n.whole(&marred{Fake: n.fake, end: func() error { return nil }})
		}, []string{"life/close"}},
		{"one call at a time", func(n *notebook) {
			var running atomic.Int32
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				defer running.Add(-1)
				if running.Add(1) > 1 {
					return nil, &mapping.Error{Code: mapping.Conflict, Problem: "somebody else is reading"}
				}
				<-time.After(time.Millisecond) // a backend that takes its time
				return n.get(ctx, c)
			}
		}, []string{"life/at-once"}},
		{"progress after the end", func(n *notebook) {
			n.fake.Calls["notes/get"] = func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				time.AfterFunc(time.Millisecond, func() { c.Progress(1, 1, "done") })
				return n.get(ctx, c)
			}
		}, []string{"call/progress"}},
	}
}

// TestDefects mars the notebook in one way at a time. The rows that should find
// it do, and no others.
func TestDefects(t *testing.T) {
	for _, d := range slices.Concat(catalogDefects(), callDefects(), readDefects(), outputDefects(), lifeDefects()) {
		t.Run(d.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var rows []string
				for _, v := range violations(t, adaptertest.Check(t.Context(), harness(d.mar))) {
					rows = append(rows, v.Row)
					if v.Why == "" || len(v.Saw) == 0 {
						t.Errorf("%s says neither why nor what it saw", v.Row)
					}
				}
				<-time.After(2 * time.Hour) // of the test's own clock: what hangs ends
				for _, row := range d.rows {
					if !slices.Contains(rows, row) {
						t.Errorf("%s does not find it; found by %q", row, rows)
					}
				}
				for _, row := range rows {
					if !slices.Contains(d.rows, row) {
						t.Errorf("%s finds it too", row)
					}
				}
			})
		})
	}
}

func TestEveryRowCanFail(t *testing.T) {
	can := map[string]bool{}
	for _, d := range slices.Concat(catalogDefects(), callDefects(), readDefects(), outputDefects(), lifeDefects()) {
		for _, row := range d.rows {
			can[row] = true
		}
	}
	for _, row := range adaptertest.RowNames() {
		if !can[row] {
			t.Errorf("no defect above is found by %s", row)
		}
	}
}

// violations takes the error of Check apart.
func violations(t *testing.T, err error) []*adaptertest.Violation {
	t.Helper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("Check returned no joined error: %v", err)
	}
	var all []*adaptertest.Violation
	for _, e := range joined.Unwrap() {
		var v *adaptertest.Violation
		if !errors.As(e, &v) {
			t.Fatalf("Check could not check: %v", e)
		}
		all = append(all, v)
	}
	return all
}

var _ core.Adapter = (*marred)(nil)
