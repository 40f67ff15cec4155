package telegram

import "time"

// How much may be written into a chat: a few at once, then ever more slowly, and never more than a number within any
// minute.

// window remembers when a chat was written to, for the span in which it counts.
type window struct {
	burst int           // writes at once
	most  int           // writes within span
	past  []time.Time   // the last of them, oldest first, at most as many as most
	span  time.Duration // within which they count
	fresh bool          // one more may be made at once, whatever is in past
}

// newWindow returns a window in which, until a process began, as much was written as could be, and as late: what an
// earlier one has written is unknown. One write may go out at once all the same, the first that people see.
func newWindow(burst, most int, began time.Time) *window {
	w := &window{burst: burst, most: most, span: time.Minute, fresh: true}
	for k := most - 1; k >= 0; k-- {
		w.past = append(w.past, began.Add(-w.apart(k)))
	}
	return w
}

// apart is how far a write has to be from the k-th before it. A few have no distance at all; beyond these it grows
// evenly, up to the whole span for those that count: whoever has gone fast goes on steadily, and never has to
// wait for the rest of a minute.
func (w *window) apart(k int) time.Duration {
	if k < w.burst {
		return 0
	}
	return w.span * time.Duration(k-w.burst+1) / time.Duration(w.most-w.burst+1)
}

// wait is how long to wait until one write can be made that leaves room for some more at once.
func (w *window) wait(now time.Time, leave int) time.Duration {
	if w.fresh {
		return 0
	}
	var wait time.Duration
	for j := 1; j <= len(w.past) && j+leave <= w.most; j++ {
		wait = max(wait, w.past[len(w.past)-j].Add(w.apart(j+leave)).Sub(now))
	}
	return wait
}

// take notes a write.
func (w *window) take(now time.Time) {
	w.fresh = false
	w.past = append(w.past, now)
	w.past = w.past[max(len(w.past)-w.most, 0):]
}

// done notes that a write that was noted at a moment has arrived by now: it counts from then on.
func (w *window) done(noted, now time.Time) {
	for i := range w.past {
		if w.past[i].Equal(noted) {
			w.past = append(w.past[:i:i], w.past[i+1:]...)
			w.past = append(w.past, now)
			return
		}
	}
}

// left is how many writes could be made at once.
func (w *window) left(now time.Time) int {
	if w.fresh {
		return 1
	}
	n := 0
	for n < w.burst && w.wait(now, n) == 0 {
		n++
	}
	return n
}

// rested reports whether nothing counts any more.
func (w *window) rested(now time.Time) bool {
	return len(w.past) == 0 || now.Sub(w.past[len(w.past)-1]) >= w.span
}
