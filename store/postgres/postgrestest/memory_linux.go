package postgrestest

import "syscall"

// enough is how much room a folder in the memory has for servers to be kept there: several at once, with their logs.
const enough = 4 << 30

// inMemory returns the folder of files that are in the memory alone, where it has room enough: a server makes hundreds
// of files for each database of a test, and removes them. Else it is "", the usual one.
func inMemory() string {
	const folder = "/dev/shm"
	var room syscall.Statfs_t
	if syscall.Statfs(folder, &room) != nil || room.Type != tmpfs || room.Bavail*uint64(room.Bsize) < enough ||
		syscall.Access(folder, writable) != nil {
		return ""
	}
	return folder
}

const (
	tmpfs    = 0x01021994 // the kind of file system
	writable = 2
)
