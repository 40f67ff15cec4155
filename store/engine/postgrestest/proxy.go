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
	server int
	port   int
	cut    atomic.Int32 // the Cut at the next commit, used once
	passed atomic.Int32 // how many commits are passed on before that
	cuts   atomic.Int32
	all    sync.WaitGroup
	mu     sync.Mutex
	off    bool                  // the server cannot be reached
	open   map[net.Conn]struct{} // connections of clients
}

// Proxy starts a proxy in front of the server, which ends when the test ends.
func (s *Server) Proxy(tb testing.TB) *Proxy {
	tb.Helper()
	p := &Proxy{server: s.Port, open: map[net.Conn]struct{}{}}
	p.port = accept(tb, &p.all, p.serve)
	return p
}

// accept listens on a new port, which it returns, and calls serve for each client in a goroutine, counted in all, until
// the test ends.
func accept(tb testing.TB, all *sync.WaitGroup, serve func(client net.Conn)) (port int) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				all.Go(func() { serve(client) })
			}
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		all.Wait() // clients have gone by now
	})
	return listener.Addr().(*net.TCPAddr).Port
}

// Address returns address, that of a database on the server, with the proxy's port in place of the server's.
func (p *Proxy) Address(address string) string {
	return strings.Replace(address, fmt.Sprint(":", p.server, "/"), fmt.Sprint(":", p.port, "/"), 1)
}

// Cut makes the proxy cut the connection of the next commit at the moment where.
func (p *Proxy) Cut(where Cut) { p.cut.Store(int32(where)) }

// CutAfter is Cut, but passes on a number of commits first.
func (p *Proxy) CutAfter(commits int, where Cut) {
	p.passed.Store(int32(commits))
	p.Cut(where)
}

// Off cuts all connections, and every new one, until On.
func (p *Proxy) Off() { p.offBut(nil) }

// offBut is Off for all connections except left.
func (p *Proxy) offBut(left net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = true
	for client := range p.open {
		if client != left {
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

// serve passes data between a client and the server, and cuts their connection when p.cut demands it.
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
	said := make([]byte, 64<<10)
	for {
		n, err := client.Read(said)
		if err != nil {
			return
		}
		if isCommit(said[:n]) && p.passed.Add(-1) < 0 {
			switch where := Cut(p.cut.Swap(int32(Nowhere))); where {
			case BeforeCommit:
				p.cuts.Add(1)
				return
			case AfterCommit, Lost:
				p.cuts.Add(1)
				if where == Lost {
					p.offBut(client) // before that client knows
				}
				mute.Store(true)
				_, _ = server.Write(said[:n])
				<-answered
				return
			case Silent:
				p.cuts.Add(1)
				silent.Store(true)
			case Nowhere:
			}
		}
		if _, err := io.Copy(server, bytes.NewReader(said[:n])); err != nil {
			return
		}
	}
}

// executes is the message by which a client runs a statement, prepared or not. A client may also send a query, a
// message that begins with Q.
var executes = []byte("E\x00\x00\x00\x09\x00\x00\x00\x00\x00")

// isCommit reports whether a client's message runs COMMIT, given as text or by the name of the prepared statement.
func isCommit(said []byte) bool {
	name := sha256.Sum256([]byte("COMMIT"))
	return (said[0] == 'Q' || bytes.Contains(said, executes)) &&
		(bytes.Contains(bytes.ToUpper(said), []byte("COMMIT\x00")) ||
			bytes.Contains(said, []byte(hex.EncodeToString(name[:12]))))
}

// Far returns over, the address of the same database over a slow network, which ends with the test, and takes, which
// sets the delay in each direction (0 at first). The delay does not limit the bandwidth.
func (s *Server) Far(tb testing.TB, address string) (over string, takes func(each time.Duration)) {
	tb.Helper()
	var each atomic.Int64
	var all sync.WaitGroup
	port := accept(tb, &all, func(client net.Conn) {
		server, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", s.Port))
		if err != nil {
			_ = client.Close()
			return
		}
		all.Go(func() { carry(server, client, &each) })
		carry(client, server, &each)
	})
	over = strings.Replace(address, fmt.Sprint(":", s.Port, "/"), fmt.Sprint(":", port, "/"), 1)
	return over, func(d time.Duration) { each.Store(int64(d)) }
}

// parcel is a piece of data, and the time at which it arrives.
type parcel struct {
	text []byte
	at   time.Time
}

// carry passes data from one connection to the other until from ends, each piece with the present delay.
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
