package chat_test

import (
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
)

// Two outages with a short connection between them count as one: periodic checks may have missed the connection, and
// turns get time for both outages.
func TestOutagesWithAMomentBetweenAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l chat.Linking
		turn := func(up bool, after time.Duration) {
			time.Sleep(after)
			l.Turn(up)
		}
		turn(true, 0)
		turn(false, time.Hour)
		turn(true, 2*time.Minute)
		turn(false, time.Second)
		turn(true, 10*time.Second)
		if away := l.Link().Away; away != 2*time.Minute+11*time.Second {
			t.Errorf("it was away for %v", away)
		}
		turn(false, time.Minute)
		turn(true, 10*time.Second)
		if away := l.Link().Away; away != 10*time.Second {
			t.Errorf("long after, it was away for %v", away)
		}
	})
}

// The function set by Heard is called at each recovery, when Link already shows the connection as up.
func TestWhoWaitsForThemHearsThatPeopleAreBack(t *testing.T) {
	var l chat.Linking
	calls := 0
	l.Heard(func() {
		calls++
		if !l.Link().Up {
			t.Error("called while nobody is heard")
		}
	})
	for _, up := range []bool{false, true, true, false, true} {
		l.Turn(up)
	}
	if calls != 2 {
		t.Errorf("called %d times, want 2", calls)
	}
}

// A word joiner, which a skeleton omits, turns off Skeleton's shortcut for ASCII names. Both ways must agree.
func TestPlainNamesHaveTheSkeletonOfTheLongWay(t *testing.T) {
	for r := range rune(128) {
		for _, name := range []string{"A" + string(r) + "b", string(r) + " B  c" + string(r)} {
			if short, long := chat.Skeleton(name), chat.Skeleton(name+"\u2060"); short != long {
				t.Errorf("%q: %q, the long way %q", name, short, long)
			}
		}
	}
}
