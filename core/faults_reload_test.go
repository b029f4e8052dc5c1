package core_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// ask sends one request straight to a handler and returns status and answer.
func ask(t *testing.T, h http.Handler, header map[string]string, body string) (int, string) {
	t.Helper()
	w := recorded(t, h, post{header: header, body: body})
	return w.Code, w.Body.String()
}

func recorded(t *testing.T, h http.Handler, p post) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, p.request(t, "http://localhost/mcp"))
	return w
}

// However often sources are loaded again, replaced and put under other rules, no
// call fails: one that finds its source just replaced goes to the new one.
func TestFaultReloadUnderLoad(t *testing.T) {
	const reloads, callers = 60, 4
	var opened, closed atomic.Int64
	source := func() core.Sources {
		opened.Add(1)
		return core.Sources{"one": &adaptertest.Fake{
			Offer:   onOne(nil).Offer,
			Release: func() error { closed.Add(1); return nil },
		}}
	}
	b := newBridge(t, core.Options{}, source())
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	var load sync.WaitGroup
	stop := make(chan struct{})
	var calls atomic.Int64
	keepAsking := func(question func(id int) string) {
		load.Go(func() {
			for id := 0; ; id++ {
				select {
				case <-stop:
					return
				default:
				}
				if answer := question(id); !strings.Contains(answer, `"structuredContent":{}`) && !strings.Contains(answer, `"contents"`) {
					t.Errorf("answer %s", answer)
					return
				}
				calls.Add(1)
			}
		})
	}
	for range callers {
		keepAsking(func(int) string {
			_, answer := ask(t, b.Handler(), modernHeader("tools/call", "do"), modernBody("tools/call", `"name":"do"`))
			return answer
		})
	}
	keepAsking(func(int) string {
		_, answer := ask(t, b.Handler(), modernHeader("resources/read", "one://one/note"), modernBody("resources/read", `"uri":"one://one/note"`))
		return answer
	})
	p := startPipe(t, b)
	keepAsking(func(id int) string {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"do",%s}}`, id, listenMeta))
		return p.next()
	})
	for i := range reloads {
		var err error
		switch i % 3 {
		case 0:
			err = b.Reload(t.Context())
		case 1:
			err = b.Replace(t.Context(), source())
		case 2:
			rules := mapping.Rules{Prompts: []mapping.Prompt{{Name: fmt.Sprint("p", i), Messages: []mapping.PromptMessage{{Role: "user", Text: "x"}}}}}
			err = b.Reconfigure(t.Context(), rules, source())
		}
		if err != nil {
			t.Errorf("reload %d: %v", i, err)
		}
		for done := calls.Load(); calls.Load() < done+callers; { // the load goes on
			if _, err := b.CallTool(t.Context(), "do", json.RawMessage(`{}`)); err != nil {
				t.Error(err)
			}
			if t.Failed() {
				break
			}
		}
	}
	close(stop)
	load.Wait()
	p.in.Close()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if opened.Load() != closed.Load() {
		t.Errorf("%d adapters were opened and %d closed", opened.Load(), closed.Load())
	}
	t.Logf("%d calls during %d reloads", calls.Load(), reloads)
}
