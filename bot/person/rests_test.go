package person

import (
	"context"
	"fmt"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/store"
	"knobel/store/storetest"
)

// slow is a clock that advances by a second each time it is read.
type slow struct{ at time.Time }

// Now returns the time, a second later at each call.
func (s *slow) Now() time.Time {
	s.at = s.at.Add(time.Second)
	return s.at
}

func (s *slow) After(time.Duration) <-chan time.Time { return nil }

// All presses wait while the database is rewritten, so a pause follows, however many people use /forget.
func TestTheFileRestsBetweenSweeps(t *testing.T) {
	st := storetest.Open(t)
	clock := &slow{at: time.Unix(1_000_000, 0)}
	said := wordstest.Of(t)
	core := bot.New(bot.Config{Store: st, Words: said, Clock: clock})
	looks := New(table.New(core.Bot)).eraseLoop()
	look := func(rests bool) {
		t.Helper()
		if rest, err := looks(t.Context(), core); err != nil || rest > 0 != rests {
			t.Errorf("it rests for %v (%v)", rest, err)
		}
	}
	people := 0
	forget := func() {
		t.Helper()
		people++
		err := st.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
			id := fmt.Sprint("test:", people)
			if err := tx.Chats.SavePlayer(store.Player{ID: id, Name: "Anna"}); err != nil {
				return err
			}
			_, err := tx.Upkeep.Forget(id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	look(false) // no person is forgotten: no pause follows
	forget()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := looks(ended, core); err == nil {
		t.Error("it was written anew for nobody")
	}
	look(true) // erasing failed, but may have made presses wait
	clock.at = clock.at.Add(retryAfter * time.Second)
	look(false)
	forget()
	look(true)
	clock.at = clock.at.Add(restsAfter * time.Second)
	look(false)
	if swept, err := st.Sweep(t.Context()); err != nil || swept {
		t.Errorf("something was left in the file (%v)", err)
	}
}
