//go:build unix

package engine

import (
	"net"
	"syscall"
)

// isSilent reports whether a connection stands and nothing has come on it that is not read yet. It waits for nothing
// and reads nothing: what has come, a farewell of the server for instance, stays for who reads next.
func isSilent(conn net.Conn) bool {
	if inner, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = inner.NetConn()
	}
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	socket, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	var peeked error
	err = socket.Control(func(fd uintptr) {
		_, _, peeked = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && peeked == syscall.EAGAIN
}
