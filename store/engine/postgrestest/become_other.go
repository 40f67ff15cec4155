//go:build !unix

package postgrestest

import "os/exec"

// become does nothing: there is no root.
func become(*exec.Cmd, int, int) {}
