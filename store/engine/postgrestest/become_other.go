//go:build !unix

package postgrestest

import "os/exec"

// become is a no-op: without Unix there is no root.
func become(*exec.Cmd, int, int) {}
