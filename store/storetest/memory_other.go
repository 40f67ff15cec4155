//go:build !linux

package storetest

// memory returns "": no folder is known that the system keeps in memory.
func memory() string { return "" }
