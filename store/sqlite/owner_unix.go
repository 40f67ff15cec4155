//go:build unix

package sqlite

import (
	"os"
	"path/filepath"
	"syscall"
)

// belong gives a file that root has just made to whoever owns its folder: what
// root restores or locks is for a service that is not root. Where that cannot be
// done, it is root's.
func belong(file *os.File) {
	if os.Geteuid() != 0 {
		return
	}
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return
	}
	if owner, ok := folder.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}
