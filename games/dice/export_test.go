package dice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Bytes returns the first bytes of the stream that determines die number n.
func Bytes(seed Seed, table string, entropies []string, n int) []byte {
	s := newStream(seed, fmt.Sprintf("%s\n%s\n%s\n%d", Scheme, table, strings.Join(entropies, "\n"), n))
	all := make([]byte, 8)
	for i := range all {
		all[i] = s.next()
	}
	return all
}

func TestFallenDice(t *testing.T) {
	for _, c := range []struct {
		fell  []int
		count int
		shows []int
		right bool
	}{
		{[]int{5, 6}, 2, []int{5, 6}, true},
		{nil, 0, []int{}, true},
		{[]int{5, 6}, 1, []int{5}, false},
		{[]int{5}, 2, []int{5, 1}, false},
		{[]int{7, 2}, 2, []int{1, 2}, false},
		{[]int{0}, 1, []int{1}, false},
	} {
		f := NewFallen(c.fell)
		if shows := f.Throw(c.count, 6); !slices.Equal(shows, c.shows) {
			t.Errorf("%v thrown %d at a time show %v, not %v", c.fell, c.count, shows, c.shows)
		}
		if right := f.Err() == nil; right != c.right {
			t.Errorf("%v thrown %d at a time: %v", c.fell, c.count, f.Err())
		}
	}
}
