//go:build unix

package engine

// Locks, names and owners of files, and a check of connections, on Unix.

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"
)

// lockFile locks file without waiting. If another process has locked it, the error is errHeld.
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

// unlockFile releases the lock of file. Closing file is not enough: a process that was just forked still has it open,
// until that process runs another program.
func unlockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// linkCount returns the number of hard links of a file, 1 if it is not known.
func linkCount(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

// giveToOwner gives file to the owner of the folder path, if this process runs as root: a service that is not root
// needs the files that root has restored or locked. A failure is ignored.
func giveToOwner(file *os.File, path string) {
	if os.Geteuid() != 0 {
		return
	}
	folder, err := os.Stat(path)
	if err != nil {
		return
	}
	if owner, ok := folder.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}

// isSilent reports whether conn is open and has no unread bytes. It does not wait and reads nothing: bytes that have
// arrived, such as the server's last message, stay for the next read.
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
