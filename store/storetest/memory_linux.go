package storetest

import (
	"os"
	"syscall"
)

// memory returns a folder that the system keeps in memory, "" where it has none with a gigabyte of room.
func memory() string {
	const folder, room = "/dev/shm", 1 << 30
	var is syscall.Statfs_t
	if syscall.Statfs(folder, &is) != nil || is.Bavail*uint64(is.Bsize) < room {
		return ""
	}
	probe, err := os.MkdirTemp(folder, "storetest-*")
	if err != nil || os.Remove(probe) != nil {
		return ""
	}
	return folder
}
