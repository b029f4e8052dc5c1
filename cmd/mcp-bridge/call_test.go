package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestConfirmOnATerminal(t *testing.T) {
	config := write(t, t.TempDir(), "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "rules": {"confirm": ["effect:destroys"]}}`)
	for _, c := range []struct {
		answer string
		code   int
	}{
		{"y\n", exitOK}, {"Yes\n", exitOK}, {"y", exitOK},
		{"n\n", exitFailed}, {"\n", exitFailed}, {"", exitFailed}, {"yellow\n", exitFailed},
	} {
		var out, errs bytes.Buffer
		p := &process{in: strings.NewReader(c.answer), out: &out, err: &errs, lookup: os.LookupEnv, terminal: true}
		code := p.run([]string{"call", "shop_delete_product", "--config", config, "--args", `{"sku": "TARP-01"}`})
		if code != c.code {
			t.Errorf("the answer %q ends it with %d, want %d: %s", c.answer, code, c.code, &errs)
		}
		if want := `Run shop_delete_product (effect: destroys) with {"sku": "TARP-01"}? [y/N] `; !strings.HasPrefix(errs.String(), want) {
			t.Errorf("it asks %q, want %q", &errs, want)
		}
	}
}
