package table

import "testing"

func TestStakesStepByStep(t *testing.T) {
	for _, c := range []struct{ stake, less, more int64 }{
		{0, 0, 1}, {1, 0, 2}, {3, 2, 5}, {10, 7, 20}, {11, 10, 20}, {5000, 2000, 5000},
		{1_000_000, 5000, 1_000_000},
	} {
		if less, more := stakeBeside(c.stake, false), stakeBeside(c.stake, true); less != c.less || more != c.more {
			t.Errorf("beside %d are %d and %d, want %d and %d", c.stake, less, more, c.less, c.more)
		}
	}
}
