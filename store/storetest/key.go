package storetest

import (
	"strings"
	"sync"
	"testing"

	"knobel/store"
	"knobel/store/seal"
)

// Key returns the key with which tests seal names and ids. It is always the same.
func Key(testing.TB) store.Sealer { return key() }

var key = sync.OnceValue(func() store.Sealer {
	key, err := seal.Parse([]byte(strings.Repeat("0123456789abcdef", 8)))
	if err != nil {
		panic(err)
	}
	return key
})
