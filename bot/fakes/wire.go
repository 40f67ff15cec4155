package fakes

import (
	"context"
	"net"
	"sync"
)

// Wire is the network of one machine in memory: a listener, and connections to it. It uses nothing
// of the operating system, so that its users can live in a test with a time of its own.
type Wire struct {
	calls chan net.Conn
	gone  chan struct{}
	once  sync.Once
	name  wireName
}

// wireName is the address of a wire, as in "telegram:80".
type wireName string

// Network names the kind of network.
func (wireName) Network() string { return "memory" }

// String is the address as it stands in URLs.
func (n wireName) String() string { return string(n) }

// NewWire makes a network whose one address is a name and a port: "telegram:80".
func NewWire(name string) *Wire {
	return &Wire{calls: make(chan net.Conn), gone: make(chan struct{}), name: wireName(name)}
}

// Dial connects to the listener, whatever the address. It has the form of net.Dialer's DialContext.
func (w *Wire) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	mine, theirs := net.Pipe()
	select {
	case w.calls <- theirs:
		return mine, nil
	case <-w.gone:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case conn := <-w.calls:
		return conn, nil
	case <-w.gone:
		return nil, net.ErrClosed
	}
}

// Close refuses new connections. Open connections stay.
func (w *Wire) Close() error {
	w.once.Do(func() { close(w.gone) })
	return nil
}

// Addr is the name that NewWire was given.
func (w *Wire) Addr() net.Addr { return w.name }
