package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/core"
)

func TestRateWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want core.Rate // zero is refused
	}{
		{"60/1m", core.Rate{Calls: 60, Per: time.Minute}},
		{"5/1s burst 10", core.Rate{Calls: 5, Per: time.Second, Burst: 10}},
		{"1/1h30m", core.Rate{Calls: 1, Per: 90 * time.Minute}},
		{"60", core.Rate{}}, {"60/m", core.Rate{}}, {"0/1m", core.Rate{}}, {"60/0s", core.Rate{}}, {"-1/1m", core.Rate{}},
		{"60/-1m", core.Rate{}}, {"60/1m burst 0", core.Rate{}}, {"60/1m burst", core.Rate{}}, {" 60/1m", core.Rate{}}, {"99999999999999999999/1m", core.Rate{}},
	} {
		var r rateWord
		err := r.UnmarshalText([]byte(c.text))
		if core.Rate(r) != c.want || (err == nil) != (c.want != core.Rate{}) {
			t.Errorf("%q: %+v, %v; want %+v", c.text, r, err, c.want)
		}
	}
}

// Every limit of the config file reaches the bridge.
func TestLimitsInTheConfig(t *testing.T) {
	c, err := load(t, `{"sources": {"d": {"kind": "demo-api", "timeout": "2s", "rate": "7/1s"}, "e": {"kind": "demo-api"}}, "limits": {
		"timeout": "1s", "concurrent": 2, "callerConcurrent": 3, "rate": "4/1m burst 5", "argumentBytes": 6, "bodyBytes": 7,
		"sessions": 8, "callerSessions": 12, "sessionIdle": "9s", "subscriptions": 10, "listens": 11}}`)
	if err != nil {
		t.Fatal(err)
	}
	got := c.options((&process{}).logger("", nil), 0).Limits
	want := core.Limits{
		Timeout: time.Second, SourceTimeouts: map[string]time.Duration{"d": 2 * time.Second}, Concurrent: 2, CallerConcurrent: 3,
		Rate: core.Rate{Calls: 4, Per: time.Minute, Burst: 5}, SourceRates: map[string]core.Rate{"d": {Calls: 7, Per: time.Second}},
		ArgumentBytes: 6, BodyBytes: 7, Sessions: 8, CallerSessions: 12, SessionIdle: 9 * time.Second, Subscriptions: 10, Listens: 11,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err = load(t, `{"sources": {"d": {"kind": "demo-api"}}, "limits": {"rate": "60"}}`)
	if err == nil || !strings.HasSuffix(err.Error(), `limits.rate: "60" is not a rate such as "60/1m", or "60/1m burst 10"`) {
		t.Error(err)
	}
}
