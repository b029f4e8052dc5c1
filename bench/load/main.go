// Command load has many clients call one bridge over HTTP at once, for a while,
// and tells how many calls were answered, how many went wrong, and what the
// server's process held in memory meanwhile. Some requests may listen, and the
// sources may be replaced, all the time. The backend is the smallest there is, so
// that all the work is the bridge's. It runs on Linux.
//
//	go run ./bench/load -clients 1000 -listens 200 -time 1m -reload 100ms
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

type flags struct {
	clients int
	listens int
	length  time.Duration
	reload  time.Duration
	serve   bool
}

func main() {
	var f flags
	flag.IntVar(&f.clients, "clients", 1000, "how many clients call at once, each on a connection of its own")
	flag.IntVar(&f.listens, "listens", 0, "how many requests listen for changed lists meanwhile")
	flag.DurationVar(&f.length, "time", time.Minute, "how long")
	flag.DurationVar(&f.reload, "reload", 0, "how often the sources are replaced, and the list of tools with them; 0 is never")
	flag.BoolVar(&f.serve, "serve", false, "be the server: for the program itself")
	flag.Parse()
	run := measure
	if f.serve {
		run = serve
	}
	if err := run(context.Background(), f); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
