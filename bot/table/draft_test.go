package table

import "testing"

func FuzzDraft(f *testing.F) {
	f.Add("0,3", 2)
	f.Add(",,x,-1", 0)
	f.Fuzz(func(t *testing.T, text string, item int) {
		d := parseDraft(text)
		if again := parseDraft(d.String()); again.String() != d.String() {
			t.Errorf("%q is read as %v, then %v", text, d, again)
		}
		if item >= 0 && d.toggle(item).toggle(item).String() != d.String() {
			t.Errorf("%v toggled twice by %d is %v", d, item, d.toggle(item).toggle(item))
		}
	})
}

func TestStakesStepByStep(t *testing.T) {
	for _, c := range []struct{ stake, less, more int64 }{
		{0, 0, 1}, {1, 0, 2}, {3, 2, 5}, {10, 5, 20}, {11, 10, 20}, {100_000, 10_000, 1_000_000}, {1_000_000, 100_000, 1_000_000},
	} {
		if less, more := stakeBeside(c.stake, false), stakeBeside(c.stake, true); less != c.less || more != c.more {
			t.Errorf("beside %d are %d and %d, want %d and %d", c.stake, less, more, c.less, c.more)
		}
	}
}
