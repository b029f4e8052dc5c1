package main

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// A rateWord is written as "60/1m", or "60/1m burst 10".
type rateWord core.Rate

func (r *rateWord) UnmarshalText(b []byte) error {
	m := regexp.MustCompile(`^([0-9]+)/([0-9a-zµ.]+)(?: burst ([0-9]+))?$`).FindStringSubmatch(string(b))
	problem := fmt.Errorf(`%q is not a rate such as "60/1m", or "60/1m burst 10"`, b)
	if m == nil {
		return problem
	}
	calls, err := strconv.Atoi(m[1])
	if err != nil || calls < 1 {
		return problem
	}
	per, err := time.ParseDuration(m[2])
	if err != nil || per <= 0 {
		return problem
	}
	burst := 0
	if m[3] != "" {
		if burst, err = strconv.Atoi(m[3]); err != nil || burst < 1 {
			return problem
		}
	}
	*r = rateWord{Calls: calls, Per: per, Burst: burst}
	return nil
}
