package web

import (
	"context"
	"net"
	"strings"
	"testing"
)

func TestATakenPortIsNamedWithAWayOut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr := l.Addr().String()
	err = New(kept(t, Config{Listen: addr})).Run(t.Context(), nil)
	if err == nil {
		t.Fatal("two programs listen on one port")
	}
	for _, word := range []string{addr, "taken", "--listen", "KNOBEL_LISTEN"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %s", err, word)
		}
	}
}

func TestBeyondThisMachineASecretIsDemanded(t *testing.T) {
	ended, stop := context.WithCancel(t.Context())
	stop()
	for _, addr := range []string{":8080", "0.0.0.0:0", "[::]:0", "192.0.2.1:80", "knobel.example:80"} {
		err := New(Config{Listen: addr}).Run(ended, nil)
		if err == nil || !strings.Contains(err.Error(), "KNOBEL_WEB_SECRET") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:80", "localhost:80", "[::1]:80", "127.8.9.1:80"} {
		if !Loopback(addr) {
			t.Errorf("%s counts as reachable from elsewhere", addr)
		}
	}
}
