//go:build unix

package postgrestest

import (
	"os/exec"
	"syscall"
)

// become has a command run by a user.
func become(run *exec.Cmd, uid, gid int) {
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}
