package chat

import (
	"testing"
	"time"
)

func TestWhatIsOverIsForgotten(t *testing.T) {
	var r Recent[int]
	now := time.Now()
	if !r.Add(1, now, time.Minute) || r.Add(1, now.Add(time.Second), time.Minute) || !r.Has(1, now) {
		t.Error("the first is told from the second")
	}
	r.Forget(1)
	for n := range 5000 {
		if !r.Add(n, now.Add(time.Duration(n)*time.Second), time.Minute) {
			t.Errorf("%d is known", n)
		}
	}
	if len(r.until) > 1100 || !r.Has(4999, now) || r.Has(1, now.Add(time.Hour)) {
		t.Errorf("%d are known", len(r.until))
	}
}
