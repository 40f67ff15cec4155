package board

import "testing"

func FuzzDraft(f *testing.F) {
	f.Add("0,3", 2)
	f.Add(",,x,-1", 0)
	f.Fuzz(func(t *testing.T, text string, item int) {
		d := ParseDraft(text)
		if again := ParseDraft(d.String()); again.String() != d.String() {
			t.Errorf("%q is read as %v, then %v", text, d, again)
		}
		if item >= 0 && d.Toggle(item).Toggle(item).String() != d.String() {
			t.Errorf("%v toggled twice by %d is %v", d, item, d.Toggle(item).Toggle(item))
		}
	})
}
