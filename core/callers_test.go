package core

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Callers that have nothing under way and nothing used up are forgotten, and no
// others.
func TestIdleCallersAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := callers{limits: Limits{Rate: Rate{Calls: 1}}.withDefaults()}
		leave, err := c.enter(context.Background(), "busy")
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		end := c.listen("listening")
		defer end()
		come := func(round int) {
			for i := range manyCallers {
				if err := c.count(fmt.Sprint(round, "-", i), "one"); err != nil {
					t.Fatal(err)
				}
			}
		}
		come(1)
		time.Sleep(time.Minute)
		if err := c.count("spent", "one"); err != nil {
			t.Fatal(err)
		}
		come(2)
		if n := len(c.by); n > manyCallers+3 {
			t.Errorf("%d callers are remembered", n)
		}
		for _, id := range []string{"busy", "listening", "spent"} {
			if c.by[id] == nil {
				t.Errorf("the caller %s is forgotten", id)
			}
		}
		if c.count("spent", "one") == nil {
			t.Error("what was used up is forgotten")
		}
	})
}
