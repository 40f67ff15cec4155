package postgrestest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Cut is the moment at which a proxy cuts a connection.
type Cut int32

const (
	// Nowhere cuts no connection.
	Nowhere Cut = iota
	// BeforeCommit cuts the connection before the server gets a commit.
	BeforeCommit
	// AfterCommit cuts the connection after the server has answered a commit, before the client gets the answer.
	AfterCommit
	// Silent passes a commit on, but none of the server's answers from then on: the client waits.
	Silent
	// Lost cuts like AfterCommit, and cuts all other connections and new ones like Off.
	Lost
)

// Proxy passes data between clients and a server, and cuts connections on demand.
type Proxy struct {
	server int            // port of the server
	port   int            // port of the proxy
	cut    atomic.Int32   // the Cut at the next commit, used once
	passed atomic.Int32   // how many commits are passed on before that cut
	cuts   atomic.Int32   // how many connections were cut
	all    sync.WaitGroup // goroutines that serve connections
	mu     sync.Mutex
	off    bool                  // the server cannot be reached
	open   map[net.Conn]struct{} // connections of clients
}

// Proxy starts a proxy in front of the server. The proxy ends with the test.
func (s *Server) Proxy(tb testing.TB) *Proxy {
	tb.Helper()
	p := &Proxy{server: s.Port, open: map[net.Conn]struct{}{}}
	p.port = listen(tb, &p.all, p.serve)
	return p
}

// listen listens on a new port, which it returns, until the test ends. It calls serve for each client in a goroutine
// that running counts.
func listen(tb testing.TB, running *sync.WaitGroup, serve func(client net.Conn)) (port int) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				running.Go(func() { serve(client) })
			}
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		running.Wait() // clients have gone by now
	})
	return listener.Addr().(*net.TCPAddr).Port
}

// Address returns address, that of a database on the server, with the proxy's port in place of the server's.
func (p *Proxy) Address(address string) string {
	return strings.Replace(address, fmt.Sprint(":", p.server, "/"), fmt.Sprint(":", p.port, "/"), 1)
}

// Cut makes the proxy cut the connection of the next commit at the moment where.
func (p *Proxy) Cut(where Cut) { p.cut.Store(int32(where)) }

// CutAfter is like Cut, but passes on the given number of commits first.
func (p *Proxy) CutAfter(commits int, where Cut) {
	p.passed.Store(int32(commits))
	p.Cut(where)
}

// Off cuts all connections, and every new one, until On is called.
func (p *Proxy) Off() { p.cutAllBut(nil) }

// cutAllBut is Off, except for the connection spared; nil: no exception.
func (p *Proxy) cutAllBut(spared net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = true
	for client := range p.open {
		if client != spared {
			_ = client.Close() // this also ends its connection to the server
		}
	}
}

// On lets clients connect to the server again.
func (p *Proxy) On() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = false
}

// Cuts returns how many connections were cut.
func (p *Proxy) Cuts() int { return int(p.cuts.Load()) }

// serve passes data between a client and the server, and cuts their connection at the commit for which Cut was called.
func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	p.mu.Lock()
	p.open[client] = struct{}{}
	off := p.off
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, client)
	}()
	if off { // the server notices nothing, as when a network fails
		return
	}
	server, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", p.server))
	if err != nil {
		return
	}
	defer server.Close()
	var mute, silent atomic.Bool    // the server's answers are dropped: mute also ends the reading
	answered := make(chan struct{}) // closed when the reading of answers has ended
	p.all.Go(func() {
		defer close(answered)
		defer client.Close() // which ends reading from it
		answer := make([]byte, 64<<10)
		for {
			n, err := server.Read(answer)
			if mute.Load() || err != nil {
				return
			}
			if silent.Load() {
				continue
			}
			if _, err := client.Write(answer[:n]); err != nil {
				return
			}
		}
	})
	message := make([]byte, 64<<10)
	for {
		n, err := client.Read(message)
		if err != nil {
			return
		}
		if isCommit(message[:n]) && p.passed.Add(-1) < 0 {
			switch where := Cut(p.cut.Swap(int32(Nowhere))); where {
			case BeforeCommit:
				p.cuts.Add(1)
				return
			case AfterCommit, Lost:
				p.cuts.Add(1)
				if where == Lost {
					p.cutAllBut(client) // before client notices that it is cut, too
				}
				mute.Store(true)
				_, _ = server.Write(message[:n])
				<-answered
				return
			case Silent:
				p.cuts.Add(1)
				silent.Store(true)
			case Nowhere:
			}
		}
		if _, err := io.Copy(server, bytes.NewReader(message[:n])); err != nil {
			return
		}
	}
}

// executes is the protocol's Execute message, by which a client runs a statement. A client may also send a Query
// message, which begins with Q.
var executes = []byte("E\x00\x00\x00\x09\x00\x00\x00\x00\x00")

// isCommit reports whether a client's message runs COMMIT, given as text or by the name of the prepared statement.
func isCommit(message []byte) bool {
	name := sha256.Sum256([]byte("COMMIT"))
	return (message[0] == 'Q' || bytes.Contains(message, executes)) &&
		(bytes.Contains(bytes.ToUpper(message), []byte("COMMIT\x00")) ||
			bytes.Contains(message, []byte(hex.EncodeToString(name[:12]))))
}

// Far returns the address of the same database through a slow network, which ends with the test, and a function that
// sets its delay in each direction (0 at first). The delay does not limit the bandwidth.
func (s *Server) Far(tb testing.TB, address string) (slowAddress string, setDelay func(delay time.Duration)) {
	tb.Helper()
	var delay atomic.Int64
	var running sync.WaitGroup
	port := listen(tb, &running, func(client net.Conn) {
		server, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.Port))
		if err != nil {
			_ = client.Close()
			return
		}
		running.Go(func() { forward(server, client, &delay) })
		forward(client, server, &delay)
	})
	slowAddress = strings.Replace(address, fmt.Sprint(":", s.Port, "/"), fmt.Sprint(":", port, "/"), 1)
	return slowAddress, func(d time.Duration) { delay.Store(int64(d)) }
}

// delayed is a piece of data, and the time at which it is passed on.
type delayed struct {
	text []byte
	at   time.Time
}

// forward passes data from source to target until source ends, each piece after the delay set when it was read.
func forward(source, target net.Conn, delay *atomic.Int64) {
	pieces := make(chan delayed, 1024)
	var arriving sync.WaitGroup
	arriving.Go(func() {
		defer target.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.at))
			if _, err := target.Write(p.text); err != nil {
				_ = source.Close()
			}
		}
	})
	buffer := make([]byte, 64<<10)
	for {
		n, err := source.Read(buffer)
		if err != nil {
			break
		}
		pieces <- delayed{append([]byte(nil), buffer[:n]...), time.Now().Add(time.Duration(delay.Load()))}
	}
	close(pieces)
	arriving.Wait()
}
