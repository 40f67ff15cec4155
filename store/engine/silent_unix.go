//go:build unix

package engine

import (
	"net"
	"syscall"
)

// isSilent reports whether a connection is open and has no unread bytes. It does not wait and reads nothing: what has
// arrived, such as the server's last message, stays for the next read.
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
