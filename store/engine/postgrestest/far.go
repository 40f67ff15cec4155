package postgrestest

// A server that is far away.

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Far returns the address of a database over a slow network until the test ends, and a function that sets the delay of
// each way, 0 at first. The delay does not limit how much is sent.
func (s *Server) Far(tb testing.TB, address string) (over string, takes func(each time.Duration)) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	var each atomic.Int64
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				continue
			}
			server, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.Port))
			if err != nil {
				_ = client.Close()
				continue
			}
			all.Go(func() { carry(client, server, &each) })
			all.Go(func() { carry(server, client, &each) })
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		all.Wait() // clients have gone by now
	})
	port := listener.Addr().(*net.TCPAddr).Port
	over = strings.Replace(address, fmt.Sprint(":", s.Port, "/"), fmt.Sprint(":", port, "/"), 1)
	return over, func(d time.Duration) { each.Store(int64(d)) }
}

// parcel is a piece of data and the time of its arrival.
type parcel struct {
	text []byte
	at   time.Time
}

// carry passes on the data from one end, delayed, until it ends.
func carry(from, to net.Conn, each *atomic.Int64) {
	way := make(chan parcel, 1024)
	var arriving sync.WaitGroup
	arriving.Go(func() {
		defer to.Close()
		for p := range way {
			time.Sleep(time.Until(p.at))
			if _, err := to.Write(p.text); err != nil {
				_ = from.Close()
			}
		}
	})
	said := make([]byte, 64<<10)
	for {
		n, err := from.Read(said)
		if err != nil {
			break
		}
		way <- parcel{append([]byte(nil), said[:n]...), time.Now().Add(time.Duration(each.Load()))}
	}
	close(way)
	arriving.Wait()
}
