package engine

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// A server that refuses TLS has answered, but where it is tried without TLS, too, and then does not.
func TestRefusedTLSIsAnAnswerWhereAllTriesEndSo(t *testing.T) {
	refused := errors.New("server refused TLS connection")
	for want, tries := range map[bool][]error{true: {io.EOF, refused}, false: {refused, refused}} {
		err := asServer(oneLine{fmt.Errorf("connect: %w", errors.Join(tries...))})
		if got := Unreached(err); got != want {
			t.Errorf("%v: unreached is %v", err, got)
		}
	}
}
