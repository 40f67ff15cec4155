package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestChatsPlayAtOnceOnAServer has many chats play at the same time, where their changes run at once, too: every game
// comes to its end, and the books are right.
func TestChatsPlayAtOnceOnAServer(t *testing.T) {
	h := bare.NewIn(t, storetest.OnServer(t), shutbox.Game{})
	chats, games := 4, 1
	if needs.IsLong() {
		chats, games = 8, 2
	}
	anna := h.Person("Anna") // who plays everywhere
	var all sync.WaitGroup
	for n := range chats {
		all.Go(func() {
			ben := h.Person(fmt.Sprint("Ben ", n))
			people := []*bare.Person{{House: h, Name: anna.Name, Locale: anna.Locale}, ben}
			for _, p := range people {
				p.Chat = chat.Chat(fmt.Sprint("test:at once ", n))
				p.Place = chat.Place(p.Chat + "/1")
			}
			for range games {
				people[0].Writes("/shutbox 10")
				ben.Sends(ben.Button("Sit down").Press)
				people[0].Presses("▶ Start")
				for people[0].Table().State == store.Playing {
					who, m := h.ToMove(people)
					h.Wait(bare.Leisure)
					if r := who.Sends(bare.Onward(m).Press); r.Refused {
						t.Errorf("%s: %q", r.Toast, bare.Onward(m).Label)
						return
					}
				}
			}
		})
	}
	all.Wait()
	over := 0
	err := h.Store.View(t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			t, err := tx.Tables.Table(id)
			if t.State == store.Over {
				over++
			}
			return err
		})
	})
	if err != nil || over != chats*games {
		t.Errorf("%d games of %d are over: %v", over, chats*games, err)
	}
	h.Sound()
	if log := h.Log.String(); log != "" {
		t.Error(log)
	}
}

// TestAPressWhoseCommitIsNotAnsweredCountsOnce loses the connection in the middle of commits: the person reads what
// they would have read, and the press counts once, whether the server has committed it or not.
func TestAPressWhoseCommitIsNotAnsweredCountsOnce(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)), bare.Relay{})
	s := h.Seat(0)
	cuts := []postgrestest.Cut{postgrestest.BeforeCommit, postgrestest.AfterCommit}
	if needs.IsLong() {
		cuts = append(slices.Repeat(cuts, 3), postgrestest.Silent)
	}
	for n, where := range cuts {
		h.Wait(bare.Leisure)
		before := h.Store.Commits().Failed
		turn := h.TableOf(1).Turn
		proxy.Cut(where)
		done := make(chan chat.Reply, 1)
		go func() { done <- h.Bot.Handle(context.Background(), s.Press()) }()
		if !h.Clock.Pass(bare.Leisure, func() bool { return len(done) == 1 }) {
			t.Fatal("no answer")
		}
		r := <-done
		if r.Refused || r.Board == 0 {
			t.Errorf("cut %d: %+v", where, r)
		}
		if now := h.TableOf(1).Turn; now != turn+1 || len(h.Moves(1)) != int(now) {
			t.Errorf("cut %d: turn %d follows on %d, and there are %d moves", where, now, turn, len(h.Moves(1)))
		}
		if failed := h.Store.Commits().Failed - before; failed != 1 || proxy.Cuts() != n+1 {
			t.Errorf("%d commits have failed, %d were cut", failed, proxy.Cuts())
		}
	}
	h.Sound()
}
