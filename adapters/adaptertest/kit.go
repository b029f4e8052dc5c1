package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Run holds an adapter against everything that core.Adapter promises, one
// subtest per row. Run it with -race.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if err := h.valid(); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows() {
		t.Run(row.name, func(t *testing.T) {
			skipped, err := row.run(t.Context(), h)
			if err != nil {
				t.Error(err)
			} else if skipped != "" {
				t.Skip(skipped)
			}
		})
	}
}

// Check does what Run does, outside a test. The error joins a *[Violation] for
// each row that failed.
func Check(ctx context.Context, h Harness) error {
	if err := h.valid(); err != nil {
		return err
	}
	var all []error
	for _, row := range rows() {
		_, err := row.run(ctx, h)
		all = append(all, err)
	}
	return errors.Join(all...)
}

// A Violation is one promise that an adapter breaks.
type Violation struct {
	Row string   // the row that found it
	Why string   // why the promise matters
	Saw []string // what the row saw, one thing each
}

// Error tells all of it, over several lines.
func (v *Violation) Error() string {
	return fmt.Sprintf("%s\n  why it matters: %s\n  seen: %s", v.Row, v.Why, strings.Join(v.Saw, "\n  seen: "))
}

// A row is one promise and the check of it.
type row struct {
	name  string
	why   string
	check func(*bench)
}

// rows is the kit, in the order in which an author reads its failures: what a
// later row needs is checked by an earlier one.
func rows() []row {
	return slices.Concat(catalogRows(), surfaceRows(), callRows(), readRows(), outputRows(), abilityRows(), lifeRows())
}

// run returns why the row could not be checked, or what it found.
func (r row) run(ctx context.Context, h Harness) (skipped string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bench{ctx: ctx, h: h}
	if err := b.open(); err != nil {
		return "", fmt.Errorf("%s: the harness cannot open an adapter: %w", r.name, err)
	}
	r.check(b)
	b.close()
	if saw := b.seen(); len(saw) > 0 {
		return "", &Violation{Row: r.name, Why: r.why, Saw: saw}
	}
	return b.skipped, nil
}

func (h Harness) valid() error {
	if h.Open == nil || len(h.Calls) == 0 {
		return errors.New("a Harness needs Open, and Calls with at least one known answer")
	}
	for _, k := range h.Calls {
		if k.Want == nil {
			return fmt.Errorf("the known call of %q does not say what it wants", k.Call.Key)
		}
	}
	for _, k := range h.Reads {
		if k.Want == nil {
			return fmt.Errorf("the known read of %q does not say what it wants", k.Path)
		}
	}
	return nil
}
