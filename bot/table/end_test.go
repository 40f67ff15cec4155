package table_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

func TestTheSameEventTwiceDoesNothing(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ev := anna.Event()
	ev.Command, ev.Text = "coin", ""
	h.Bot.Handle(context.Background(), ev)
	if r := h.Bot.Handle(context.Background(), ev); r != (chat.Reply{}) {
		t.Errorf("the second time %+v", r)
	}
	join := ben.Event()
	join.Press = "1:1:0:!start"
	bare.Refused(t, h.Bot.Handle(context.Background(), join), "Sit down first: “Sit down” is on the board.")
	ben.Presses("Sit down")
	anna.Presses("Get up")
	h.Restart()
	// Ben could start now, but this press was answered long ago.
	if r := h.Bot.Handle(context.Background(), join); r != (chat.Reply{}) {
		t.Errorf("a refused press comes again: %+v", r)
	}
	if state := ben.Table().State; state != store.Lobby {
		t.Errorf("the table is %s", state)
	}
}

// Games that are taken off the standings.

// agreesToVoid has a person press "Void it" on the message about a game.
func agreesToVoid(p *bare.Person, game int64) chat.Reply {
	return p.Sends(chat.Press{What: fmt.Sprint("/void agree ", game)}.String())
}

// overseen is a platform that knows who may change a chat.
type overseen struct {
	*bare.Stage
	admins []chat.User
}

func (o overseen) OtherAdmin(_ context.Context, _ chat.Chat, besides chat.User) (bool, error) {
	return slices.ContainsFunc(o.admins, func(who chat.User) bool { return who != besides }), nil
}

// For people who have left a second admin speaks. Where the platform knows of none, another who sat does or, once all
// of these have left, the one who asked.
func TestWhoSpeaksForPeopleWhoHaveLeft(t *testing.T) {
	for _, of := range []struct {
		admins         []chat.User
		hosted, equals bool
	}{
		{admins: []chat.User{"test:Anna"}}, {admins: []chat.User{"test:Anna", "test:Dora"}},
		{admins: []chat.User{"test:Anna"}, hosted: true}, {equals: true},
	} {
		h := bare.New(t, bare.Pile{})
		stop := h.OnStage(overseen{bare.NewStage(), of.admins})
		anna, ben, dora, emil := h.Person("Anna"), h.Person("Ben"), h.Person("Dora"), h.Person("Emil")
		clara, second := h.Person("Clara"), len(of.admins) > 1
		for _, p := range []*bare.Person{anna, ben, clara, dora, emil} {
			p.Hosted, p.Equals = of.hosted, of.equals
			p.Admin = slices.Contains(of.admins, p.Event().User)
		}
		h.Game("/pile 5", []string{"Anna", "Ben", "Clara"}, "Anna take 6+5", "Ben take 2+1", "Clara take 4+3")
		h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
		h.Game("/pile 5", []string{"Ben", "Clara"}, "Ben take 6+5", "Clara take 2+1", "Ben take 4+3")
		voided := func(game int64, want bool) {
			t.Helper()
			if got := h.TableOf(game).Ending.Voided; got != want {
				t.Errorf("%+v: game %d is voided: %v, want %v", of, game, got, want)
			}
		}
		left := func(game int64, r chat.Reply) { // a second admin is waited for, or no person
			t.Helper()
			if got := bare.Said(t, r); strings.Contains(got, " left the chat: a second admin agrees") != second {
				t.Errorf("%+v: got\n%s", of, got)
			}
			voided(game, !second)
			if second {
				bare.Refused(t, agreesToVoid(emil, game), "Only players of that game decide. Ask one of them.")
				agreesToVoid(dora, game)
				voided(game, true)
			}
		}
		h.Leave(clara)
		if got := bare.Said(t, anna.Writes("/void 1")); !strings.Contains(got, "Clara left the chat: a second admin ") {
			t.Errorf("%+v: got\n%s", of, got)
		}
		agreesToVoid(anna, 1)
		voided(1, false)
		left(1, agreesToVoid(ben, 1))
		anna.Writes("/void 2")
		h.Leave(ben)
		left(2, agreesToVoid(anna, 2))
		if !of.equals {
			left(3, anna.Writes("/void 3"))
		}
		stop()
		if line := h.Export(review.Wanted{})[0]; !strings.Contains(line, `"voided":true`) {
			t.Errorf("%+v: the record is %s", of, line)
		}
		h.Sound()
	}
}

// The platform is asked who is an admin whenever that changes something, outside
// transactions; only a no is believed, for a moment.
func TestWhoIsAnAdminIsAskedWhenItWeighs(t *testing.T) {
	h := bare.New(t)
	mod := h.Person("Mod")
	asked := 0
	asks := func(admin bool) chat.Reply {
		ev := mod.Event()
		ev.Command, ev.Text = "unit", "coffees"
		ev.Admin = func(ctx context.Context) bool {
			asked++
			if err := h.Store.UpdateOf(ctx, store.OfAll, func(*store.Tx) error { return nil }); err != nil {
				t.Errorf("asked inside a transaction: %v", err)
			}
			return admin
		}
		return h.Bot.Handle(context.Background(), ev)
	}
	const no = "Only admins of this chat can change that. Ask one of them."
	bare.Refused(t, asks(false), no)
	h.Wait(3*time.Second - time.Millisecond)
	bare.Refused(t, asks(true), no) // for a moment it is believed
	h.Wait(time.Millisecond)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	bare.Refused(t, asks(false), no) // who was dismissed changes nothing any more
	h.Wait(3 * time.Second)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}

// A game in which whatever can be is taken back is recorded, verified and settled as if nothing had been; its end
// stands.
func TestUndoneMovesStandInNoRecord(t *testing.T) {
	for _, line := range []string{"/wuerfelpoker point=1",
		"/shutbox 10 match=rounds:2 shut=pays-double ties=roll-off tiles=4", "/shutbox 10 canoga"} {
		h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
		people := h.Gather(line, "Anna", "Ben")
		people[0].Presses("▶ Start")
		undone := 0
		undo := func(p *bare.Person) chat.Reply { return p.Sends(fmt.Sprintf("1:1:%d:!undo", p.Table().Turn)) }
		for moves := 0; people[0].Table().State == store.Playing; moves++ {
			h.PressOn(people, 1)
			for _, p := range people {
				if moves%3 == 1 && !undo(p).Refused {
					undone++
				}
			}
		}
		for _, p := range people {
			bare.Refused(t, undo(p), "This game is over. ↻ Rematch plays the next.")
		}
		if stored := len(h.Moves(1)); undone == 0 || len(h.RecordOf(1).Moves)+2*undone != stored {
			t.Errorf("%s: %d moves taken back, %d moves stored", line, undone, stored)
		}
		h.Sound()
		h.Export(review.Wanted{})
	}
}
