package dice

import (
	"fmt"
	"strings"
)

// Bytes returns the first bytes of the stream that decides a die.
func Bytes(seed Seed, table string, entropies []string, n int) []byte {
	s := newStream(seed, fmt.Sprintf("%s\n%s\n%s\n%d", Scheme, table, strings.Join(entropies, "\n"), n))
	all := make([]byte, 8)
	for i := range all {
		all[i] = s.next()
	}
	return all
}
