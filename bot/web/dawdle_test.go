package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/standin"
)

// Whoever sends a request byte by byte, or nothing at all, is cut off, and keeps
// nobody else waiting meanwhile.
func TestWhoDawdlesIsCutOff(t *testing.T) {
	const head = "POST /act HTTP/1.1\r\nHost: knobel\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	for _, c := range []struct {
		name  string
		sent  string        // at once
		every string        // a second, for as long as it is taken
		after time.Duration // when it is cut off
	}{
		{name: "nothing", after: 5 * time.Second},
		{name: "headers", sent: "GET / HTTP/1.1\r\nHost: knobel\r\n", every: "X: x\r\n", after: 5 * time.Second},
		{name: "one header", sent: "GET / HTTP/1.1\r\nHost: knobel\r\nX: ", every: "x", after: 5 * time.Second},
		{name: "a body", sent: head, every: "x", after: 15 * time.Second},
		{name: "half a body", sent: head + "{", after: 15 * time.Second},
		{name: "a connection", sent: "GET / HTTP/1.1\r\nHost: knobel\r\n\r\n", after: 60 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wire := standin.NewWire("knobel:80")
				reads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- serveOn(ctx, wire, reads) }()
				began := time.Now()
				conn := dialled(t, wire)
				cut := make(chan time.Duration, 1)
				go func() {
					_, _ = io.Copy(io.Discard, conn)
					cut <- time.Since(began)
				}()
				var dawdling sync.WaitGroup
				dawdling.Go(func() { dawdle(conn, c.sent, c.every) })
				time.Sleep(c.after - time.Second)
				promptly(t, wire)
				if took := <-cut; took < c.after-time.Second || took > c.after+time.Second {
					t.Errorf("it was cut off after %v, want %v", took, c.after)
				}
				conn.Close()
				dawdling.Wait()
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// dialled is a new connection.
func dialled(t *testing.T, wire *standin.Wire) net.Conn {
	t.Helper()
	conn, err := wire.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// dawdle sends something, and then a little more every second until nobody
// takes it.
func dawdle(conn net.Conn, sent, every string) {
	_, err := io.WriteString(conn, sent)
	for err == nil && every != "" {
		time.Sleep(time.Second)
		_, err = io.WriteString(conn, every)
	}
}

// promptly wants somebody else's request answered at once.
func promptly(t *testing.T, wire *standin.Wire) {
	t.Helper()
	began, conn := time.Now(), dialled(t, wire)
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: knobel\r\nConnection: close\r\n\r\n") }()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if took := time.Since(began); res.StatusCode != http.StatusOK || took > 0 {
		t.Errorf("somebody else is answered %d after %v", res.StatusCode, took)
	}
}
