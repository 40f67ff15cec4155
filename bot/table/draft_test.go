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
