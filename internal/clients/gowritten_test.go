package clients

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// A goClient is what the clients written in Go can all do, each in its own way.
type goClient interface {
	tools(ctx context.Context) ([]string, error)
	// call returns the texts of the answer, and whether the tool failed.
	call(ctx context.Context, name string, args map[string]any) (text string, failed bool, err error)
	read(ctx context.Context, uri string) (text string, err error)
	// subscribe asks to be told of a resource, or with "" of the list of tools.
	subscribe(ctx context.Context, uri string) error
	// listed is sent to whenever the list of tools has changed.
	listed() <-chan string
	// updated is sent the URI of each resource that has changed.
	updated() <-chan string
}

// A dialer connects a client that says yes to every question, or cannot be asked.
type dialer func(t *testing.T, revision string, at door, confirms bool) goClient

// tour lists, calls, reads and confirms, then is told of other tools.
func (d dialer) tour(revision string, confirms bool) func(t *testing.T, at door, e edit) {
	return func(t *testing.T, at door, e edit) {
		c := d(t, revision, at, confirms)
		tryOut(t, c)
		deleteOne(t, c, confirms)
		if err := c.subscribe(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		e.untilTold(t, c.listed())
		if names, err := c.tools(t.Context()); err != nil || !slices.ContainsFunc(names, isNewNote) {
			t.Errorf("after it was told, it listed %v, %v; want a note later than %s", names, err, firstNote)
		}
	}
}

func (d dialer) follow(revision string) func(t *testing.T, at door, uri string, e edit) string {
	return func(t *testing.T, at door, uri string, e edit) string {
		c := d(t, revision, at, false)
		if err := c.subscribe(t.Context(), uri); err != nil {
			t.Fatal(err)
		}
		if got := e.untilTold(t, c.updated()); got != uri {
			t.Errorf("told of %s, want %s", got, uri)
		}
		text, err := c.read(t.Context(), uri)
		if err != nil {
			t.Error(err)
		}
		return text
	}
}

func tryOut(t *testing.T, c goClient) {
	t.Helper()
	ctx := t.Context()
	names, err := c.tools(ctx)
	if err != nil || !slices.Contains(names, "get_product") || !slices.Contains(names, "delete_product") {
		t.Errorf("tools %v, %v", names, err)
	}
	for _, call := range []struct {
		name   string
		args   map[string]any
		says   string
		failed bool
	}{
		{"get_product", map[string]any{"sku": "TENT-2P"}, "Ridge 2 trail tent", false},
		{"get_order", map[string]any{"order_id": "9007199254740993"}, "9007199254740993", false},
		{"get_product", map[string]any{"sku": "TENT-99P"}, "404", true},
	} {
		text, failed, err := c.call(ctx, call.name, call.args)
		if err != nil || failed != call.failed || !strings.Contains(text, call.says) {
			t.Errorf("%s(%v) answers %q, failed %t, %v; want %q and %t", call.name, call.args, text, failed, err, call.says, call.failed)
		}
	}
	if _, _, err := c.call(ctx, "no_such_tool", nil); err == nil {
		t.Error("an unknown tool is no error")
	}
	if text, err := c.read(ctx, "api://shop/products/TENT-2P"); err != nil || !strings.Contains(text, "Ridge 2 trail tent") {
		t.Errorf("reading gave %q, %v", text, err)
	}
	if _, err := c.read(ctx, "api://nobody/products"); err == nil {
		t.Error("reading what does not exist is no error")
	}
}

// deleteOne calls what has to be confirmed.
func deleteOne(t *testing.T, c goClient, confirms bool) {
	t.Helper()
	tarp := map[string]any{"sku": "TARP-01"}
	text, failed, err := c.call(t.Context(), "delete_product", tarp)
	if err != nil || failed == confirms || !confirms && !strings.Contains(text, "this client cannot ask") {
		t.Errorf("delete_product answers %q, failed %t, %v; want it to fail: %t", text, failed, err, !confirms)
	}
	text, failed, err = c.call(t.Context(), "get_product", tarp)
	if err != nil || failed != confirms {
		t.Errorf("then get_product answers %q, failed %t, %v; want it to fail: %t", text, failed, err, confirms)
	}
}
