package needs

import (
	"os"
	"syscall"
)

// Memory returns a writable folder in memory with room for that many bytes, else "".
func Memory(room uint64) string {
	const folder, tmpfs = "/dev/shm", 0x01021994
	var is syscall.Statfs_t
	if syscall.Statfs(folder, &is) != nil || is.Type != tmpfs || is.Bavail*uint64(is.Bsize) < room {
		return ""
	}
	probe, err := os.MkdirTemp(folder, "knobel-*")
	if err != nil || os.Remove(probe) != nil {
		return ""
	}
	return folder
}
