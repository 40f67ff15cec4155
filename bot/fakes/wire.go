package fakes

import (
	"context"
	"net"
	"sync"
)

// Wire is a network in memory: a listener and connections to it. It uses nothing of the operating system, so that it
// works in a synctest bubble.
type Wire struct {
	calls chan net.Conn
	gone  chan struct{}
	once  sync.Once
	name  wireName
}

// wireName is the address of a wire, as in "telegram:80".
type wireName string

// Network returns the kind of network.
func (wireName) Network() string { return "memory" }

// String returns the address as in URLs.
func (n wireName) String() string { return string(n) }

// NewWire returns a network whose one address is a name and a port: "telegram:80".
func NewWire(name string) *Wire {
	return &Wire{calls: make(chan net.Conn), gone: make(chan struct{}), name: wireName(name)}
}

// Dial connects to the listener, whatever the address, like net.Dialer's DialContext.
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

// Addr returns the name given to NewWire.
func (w *Wire) Addr() net.Addr { return w.name }
