package dice

import (
	"slices"
	"testing"
)

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
