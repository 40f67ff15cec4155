package engine

import "net"

// isSilent is false: on Windows a socket cannot be looked at without waiting for it, and the server is asked.
func isSilent(net.Conn) bool { return false }
