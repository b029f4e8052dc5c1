// Package process reads what Linux says of a running process.
package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Memory reads how many bytes a process holds now and held at most.
func Memory(pid int) (resident, peak int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		key, rest, _ := strings.Cut(line, ":")
		switch key {
		case "VmRSS":
			resident, err = kilobytes(rest)
		case "VmHWM":
			peak, err = kilobytes(rest)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return resident, peak, nil
}

// kilobytes reads "   1234 kB", which /proc means as units of 1,024 bytes.
func kilobytes(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
	return n * 1024, err
}

// tick is the unit of times in /proc, the same on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// CPU reads how much processor time all threads of a process have used, to 10 ms.
func CPU(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The second field is a name in brackets that may hold spaces; user and system
	// time are the 14th and 15th.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat is too short: %s", pid, stat)
	}
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// Load reads the machine's load average over the last minute.
func Load() (string, error) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "", err
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one, nil
}
