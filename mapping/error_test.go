package mapping

import (
	"errors"
	"fmt"
	"testing"
)

func TestForOperator(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "plain"},
		{&Error{Code: Timeout}, "timeout"},
		{&Error{Problem: "no such file", Err: errors.New("no such file")}, "no such file"},
		{&Error{Problem: "down", Next: "try again in a few seconds", Err: errors.New("failed:\n\t10.0.0.1: refused\n\t10.0.0.1: refused")}, "down; try again in a few seconds (failed: 10.0.0.1: refused)"},
		{&Error{Problem: "refused", Next: "do not retry; ask the operator", Err: errors.New("FATAL (SQLSTATE 28P01)")}, "refused (FATAL (SQLSTATE 28P01))"},
		{&Error{Problem: "nowhere", Allowed: "http and https.", Next: "do not retry; ask the operator to set the base URL"}, "nowhere; http and https; set the base URL"},
		{fmt.Errorf("source x: %w", &Error{Problem: "down", Next: "try again"}), "source x: down; try again"},
	} {
		if got := ForOperator(c.err); got != c.want {
			t.Errorf("ForOperator(%q) = %q, want %q", c.err, got, c.want)
		}
	}
}
