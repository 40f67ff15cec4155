//go:build unix

package engine

// What Unix does in its own way with files and connections.

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"
)

func lockFile(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// unlockFile releases a lock, also for a process that was just forked and has the file open until it runs another
// program.
func unlockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// names returns how many names a file has.
func names(info fs.FileInfo) uint64 {
	if told, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(told.Nlink)
	}
	return 1
}

// belong gives a file that root has just made to the owner of a folder: what root restores or locks is for a service
// that is not root. If that fails, it stays root's.
func belong(file *os.File, to string) {
	if os.Geteuid() != 0 {
		return
	}
	folder, err := os.Stat(to)
	if err != nil {
		return
	}
	if owner, ok := folder.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}

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
