package simulation

import (
	"testing"
	"testing/synctest"
	"time"
)

// While no player acts, the bot does next to nothing: not for tables that
// wait for a player, and not in a chat that removed it in the middle of a game.
func TestNobodyIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 1, trouble{sweep: 5 * time.Minute})
		in, out := &group{w: w, chat: w.telegram.Group("In")}, &group{w: w, chat: w.telegram.Group("Out")}
		for _, at := range []*group{in, out} {
			w.begins(at)
		}
		out.chat.Close()
		w.live(time.Now().Add(time.Hour)) // calls, reminders
		w.fate.mu.Lock()
		w.fate.asked, w.fate.kept = 0, 0
		w.fate.mu.Unlock()
		w.live(time.Now().Add(12 * time.Hour))
		w.fate.mu.Lock()
		asked, kept := w.fate.asked, w.fate.kept
		w.fate.mu.Unlock()
		if asked > 10 || kept > 150 {
			t.Errorf("in half a day without anybody: %d requests, %d commits", asked, kept)
		}
		w.end()
	})
}

// begins has two people begin a game without a limit, in which each has moved.
func (w *town) begins(at *group) {
	w.Helper()
	people := w.settle(at, 2)
	press := func(p *person, what string) {
		w.live(time.Now().Add(10 * time.Second))
		for _, m := range at.messages(nil) {
			if b, ok := m.carrying(what); ok {
				w.does(p, at.press(p, m.id, b.data), what)
				return
			}
		}
		w.Fatalf("nothing to press carries %q: %+v", what, at.messages(nil))
	}
	people[0].says("shutbox", option{"stake", "5"}, option{"variant", "lucky-seven"}, option{"turn", "none"})
	press(people[1], "!join")
	press(people[0], "!start")
	press(people[0], "throw")
	w.live(time.Now().Add(time.Second))
}
