package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/fakes"
)

// A client that sends byte by byte, or nothing, is cut off and delays no other.
func TestWhoDawdlesIsCutOff(t *testing.T) {
	const head = "POST /act HTTP/1.1\r\nHost: knobel\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	for _, c := range []struct {
		name  string
		sent  string        // when the connection opens
		every string        // every second, as long as the connection is open
		after time.Duration // when the server must close the connection
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
				wire := fakes.NewWire("knobel:80")
				reads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
				})
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- Serve(ctx, wire, reads) }()
				began := time.Now()
				conn := dial(t, wire)
				cut := make(chan time.Duration, 1)
				go func() {
					_, _ = io.Copy(io.Discard, conn)
					cut <- time.Since(began)
				}()
				var dawdling sync.WaitGroup
				dawdling.Go(func() { sendSlowly(conn, c.sent, c.every) })
				time.Sleep(c.after - time.Second)
				wantPromptAnswer(t, wire)
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

// A client that does not read is cut off: after half a minute for an answer, or at the next event of a stream.
func TestWhoReadsNothingIsCutOff(t *testing.T) {
	for path, after := range map[string]time.Duration{"/": 30 * time.Second, "/events": pulse} {
		t.Run(path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, wire := serveInMemory(t)
				for begins, told := range map[time.Duration]string{after - time.Second: "HTTP/1.1 200 OK",
					after + time.Second: ""} {
					conn := sendRequest(t, wire, w, path)
					time.Sleep(begins)
					line, err := bufio.NewReader(conn).ReadString('\n')
					if strings.TrimSpace(line) != told || (err == nil) != (told != "") {
						t.Errorf("who begins to read after %v reads %q, %v", begins, line, err)
					}
					conn.Close()
				}
				synctest.Wait()
				if w.streams.all != 0 {
					t.Errorf("%d streams are left", w.streams.all)
				}
			})
		})
	}
}

// The server refuses request headers that are too large.
func TestHeadsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, wire := serveInMemory(t)
		for size, told := range map[int]int{12 << 10: http.StatusOK, 64 << 10: http.StatusRequestHeaderFieldsTooLarge} {
			conn := dial(t, wire)
			go func() {
				_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", size)+
					"\r\n\r\n")
			}()
			res := must(http.ReadResponse(bufio.NewReader(conn), nil))
			if res.StatusCode != told {
				t.Errorf("a head of %d bytes is answered %d, want %d", size, res.StatusCode, told)
			}
			conn.Close()
		}
	})
}

// A stream that a client reads stays open, however long it is quiet.
func TestAStreamThatIsReadGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, wire := serveInMemory(t)
		began, conn := time.Now(), sendRequest(t, wire, w, "/events")
		defer conn.Close()
		beats := 0
		for lines := bufio.NewScanner(conn); beats < 30 && lines.Scan(); {
			if lines.Text() == ": still here" {
				beats++
			}
		}
		if lived := time.Since(began); beats != 30 || lived != 30*pulse {
			t.Errorf("%d beats in %v", beats, lived)
		}
	})
}

// serveInMemory returns a browser table served on an in-memory connection, for a test with a fake clock.
func serveInMemory(t *testing.T) (*Web, *fakes.Wire) {
	t.Helper()
	w, wire := New(Config{}), fakes.NewWire("localhost:80")
	w.room.synced = true // there is no database
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, wire, w.handler(ctx, &fakeBot{})) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w, wire
}

// sendRequest returns a connection on which a visitor has sent a request for path, and has read nothing yet.
func sendRequest(t *testing.T, wire *fakes.Wire, w *Web, path string) net.Conn {
	t.Helper()
	conn := dial(t, wire)
	cookie := visitorCookie + "=" + sealVisitor(w.config.Key, newVisitor("Guest"))
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nCookie: "+cookie+
		"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return conn
}

// dial returns a new connection.
func dial(t *testing.T, wire *fakes.Wire) net.Conn {
	t.Helper()
	return must(wire.Dial(t.Context(), "", ""))
}

// sendSlowly sends first, and then the text of every once a second until conn breaks. An empty every is not sent.
func sendSlowly(conn net.Conn, first, every string) {
	_, err := io.WriteString(conn, first)
	for err == nil && every != "" {
		time.Sleep(time.Second)
		_, err = io.WriteString(conn, every)
	}
}

// wantPromptAnswer fails the test unless another client gets an answer without delay.
func wantPromptAnswer(t *testing.T, wire *fakes.Wire) {
	t.Helper()
	began, conn := time.Now(), dial(t, wire)
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: knobel\r\nConnection: close\r\n\r\n") }()
	res := must(http.ReadResponse(bufio.NewReader(conn), nil))
	defer res.Body.Close()
	if took := time.Since(began); res.StatusCode != http.StatusOK || took > 0 {
		t.Errorf("somebody else is answered %d after %v", res.StatusCode, took)
	}
}
