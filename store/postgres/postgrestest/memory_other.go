//go:build !linux

package postgrestest

// inMemory returns "": files are in the usual folder.
func inMemory() string { return "" }
