//go:build !unix

package postgrestest

import "os/exec"

// setUser is a no-op: without Unix there is no root.
func setUser(*exec.Cmd, int, int) {}
