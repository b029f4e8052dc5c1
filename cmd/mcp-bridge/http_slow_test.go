package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A pipeListener accepts one connection.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l pipeListener) Close() error   { return nil }
func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// A client that does not take even a small answer loses its connection; one that
// comes again after a while keeps it.
func TestAnswersAreTakenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := make(pipeListener, 1)
		server := &http.Server{Handler: takenInTime(http.NotFoundHandler())}
		go server.Serve(l)
		client, conn := net.Pipe()
		l <- conn
		answers := bufio.NewReader(client)
		for range 2 {
			io.WriteString(client, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
			answer, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			time.Sleep(2 * endTimeout)
		}
		io.WriteString(client, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		time.Sleep(endTimeout + time.Second)
		synctest.Wait()
		if left, err := io.ReadAll(client); err != nil || len(left) > 0 {
			t.Errorf("the connection is still open: %d bytes, %v", len(left), err)
		}
		client.Close()
		close(l)
		synctest.Wait()
	})
}
