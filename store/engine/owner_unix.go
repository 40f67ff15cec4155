//go:build unix

package engine

import (
	"os"
	"syscall"
)

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
