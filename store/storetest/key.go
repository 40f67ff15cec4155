package storetest

import (
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/seal"
)

// Key is a key with which tests seal names and ids, so that nothing is stored
// past it. It is always the same.
func Key(tb testing.TB) store.Sealer {
	tb.Helper()
	key, err := seal.Parse([]byte(strings.Repeat("0123456789abcdef", 8)))
	if err != nil {
		tb.Fatal(err)
	}
	return key
}
