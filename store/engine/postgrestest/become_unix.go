//go:build unix

package postgrestest

import (
	"os/exec"
	"syscall"
)

// setUser makes the command run as the user uid and the group gid.
func setUser(run *exec.Cmd, uid, gid int) {
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}
