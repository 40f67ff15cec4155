package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/postgres/postgrestest"
	"knobel/store/storetest"
)

// TestChatsPlayAtOnceOnAServer has many chats play at the same time, where their changes run at once, too: every game
// comes to its end, and the books are right.
func TestChatsPlayAtOnceOnAServer(t *testing.T) {
	h := newHouseIn(t, storetest.OnServer(t), shutbox.Game{})
	chats, games := 4, 1
	if needs.IsLong() {
		chats, games = 8, 2
	}
	anna := h.person("Anna") // who plays everywhere
	var all sync.WaitGroup
	for n := range chats {
		all.Go(func() {
			ben := h.person(fmt.Sprint("Ben ", n))
			people := []*person{{house: h, name: anna.name, locale: anna.locale}, ben}
			for _, p := range people {
				p.chat = chat.Chat(fmt.Sprint("test:at once ", n))
				p.place = chat.Place(p.chat + "/1")
			}
			for range games {
				people[0].writes("/shutbox 10")
				ben.sends(ben.button("Sit down").Press)
				people[0].presses("▶ Start")
				for people[0].table().State == store.Playing {
					who, m := h.toMove(people)
					h.wait(leisure)
					if r := who.sends(onward(m).Press); r.Refused {
						t.Errorf("%s: %q", r.Toast, onward(m).Label)
						return
					}
				}
			}
		})
	}
	all.Wait()
	over := 0
	err := h.store.View(t.Context(), func(tx *store.Tx) error {
		return tx.Tables(func(id int64) error {
			t, err := tx.Table(id)
			if t.State == store.Over {
				over++
			}
			return err
		})
	})
	if err != nil || over != chats*games {
		t.Errorf("%d games of %d are over: %v", over, chats*games, err)
	}
	h.sound()
	if log := h.log.String(); log != "" {
		t.Error(log)
	}
}

// TestAPressWhoseCommitIsNotAnsweredCountsOnce loses the connection in the middle of commits: the person reads what
// they would have read, and the press counts once, whether the server has committed it or not.
func TestAPressWhoseCommitIsNotAnsweredCountsOnce(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := newHouseIn(t, proxy.Address(storetest.OnServer(t)), relay{})
	s := h.seat(0)
	cuts := []postgrestest.Cut{postgrestest.BeforeCommit, postgrestest.AfterCommit}
	if needs.IsLong() {
		cuts = append(slices.Repeat(cuts, 3), postgrestest.Silent)
	}
	for n, where := range cuts {
		h.wait(leisure)
		before := h.store.Commits().Failed
		turn := h.tableOf(1).Turn
		proxy.Cut(where)
		done := make(chan chat.Reply, 1)
		go func() { done <- h.bot.Handle(context.Background(), s.press()) }()
		if !h.clock.Pass(leisure, func() bool { return len(done) == 1 }) {
			t.Fatal("no answer")
		}
		r := <-done
		if r.Refused || r.Board == 0 {
			t.Errorf("cut %d: %+v", where, r)
		}
		if now := h.tableOf(1).Turn; now != turn+1 || len(h.moves(1)) != int(now) {
			t.Errorf("cut %d: turn %d follows on %d, and there are %d moves", where, now, turn, len(h.moves(1)))
		}
		if failed := h.store.Commits().Failed - before; failed != 1 || proxy.Cuts() != n+1 {
			t.Errorf("%d commits have failed, %d were cut", failed, proxy.Cuts())
		}
	}
	h.sound()
}
