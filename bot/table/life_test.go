package table_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/gametest/either"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), either.Loser(), either.Lids(),
		sets.Kniffel(), bare.Pile{})
}

// TestADeadlineAndTwoPresses checks that one roll counts if a turn ends while two presses for it arrive.
func TestADeadlineAndTwoPresses(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		for range 5 {
			c := bare.NewClocked(t, "/shutbox match=rounds:9 turn=1m", "Anna", "Ben")
			anna := c.People[0]
			throw := anna.Button("🎲 Roll").Press
			before := anna.Table()
			answers := make(chan chat.Reply, 2)
			for range 2 {
				go func() { answers <- anna.Sends(throw) }()
			}
			c.House.Wait(time.UnixMilli(before.Clock.Due).Sub(c.Time())) // while the presses are on their way
			played := 0
			for range 2 {
				if r := <-answers; !r.Refused {
					played++
				}
			}
			c.Awaits("the turn to go on", func(t store.Table) bool { return t.Clock.Due != before.Clock.Due })
			// Either Anna or the computer makes the first roll, not both. If it is hers, the computer may still make
			// her next move: she began the turn in time and did not end it.
			first := c.Moves(anna.Table().ID)[0]
			if played > 1 || first.Auto == (played == 1) {
				t.Errorf("%d presses count, the first move is %+v, and %d are the house's", played, first, c.Auto())
			}
			c.Verified()
		}
	})
}

// Interactions of absence, votes, undo and seats of people whose data was deleted.

// TestGraceIsGivenOnce checks that every table gets grace only once after an outage, and that turns then end as usual.
func TestGraceIsGivenOnce(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		for i := range 59 {
			p := h.Person("Anna")
			p.Place = chat.Place(fmt.Sprint("test:1/lobby", i))
			p.Writes("/coin")
		}
		c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather("/coin 5 turn=1m", "Anna", "Ben")}
		c.People[0].Presses("▶ Start")
		was := c.People[0].Table()
		if was.ID != 60 {
			t.Fatalf("the table is %d", was.ID)
		}
		h.Wait(time.Hour)
		h.Restless = true
		h.Restart()
		c.OnStage(c.Stage)
		c.Misses()
		c.Misses()
		if n := c.Auto(); n == 0 {
			t.Errorf("%d moves were played: %+v", n, c.People[0].Table())
		}
		if n := c.People[0].Table().Version - was.Version; n > 9 {
			t.Errorf("the board has changed %d times", n)
		}
		c.Verified()
	})
}

// TestASeatAndAPlaceAreTakenOnce checks that simultaneous commands open one table, and that joins take each seat once.
func TestASeatAndAPlaceAreTakenOnce(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	var crowd []*bare.Person
	for i := range 8 {
		crowd = append(crowd, h.Person(fmt.Sprint("P", i)))
	}
	bare.AtOnce(crowd[:2], func(p *bare.Person) chat.Reply { return p.Writes("/pile") })
	if id := crowd[0].Table().ID; id != 1 {
		t.Errorf("the newest table is %d", id)
	}
	if n := bare.AtOnce(crowd, func(p *bare.Person) chat.Reply { return p.Sends("1:1:0:!join") }); n != 3 {
		t.Errorf("%d of 3 seats were taken", n)
	}
}

// holding makes a stage block in an action, such as "edit", until goOn is called.
func holding(s *bare.Stage, action string) (goOn func()) {
	free := make(chan struct{})
	s.Fail = func(said string, _ chat.Place) error {
		if said == action {
			<-free
		}
		return nil
	}
	return func() { close(free) }
}

// TestAReminderFollowsItsBoard checks that a reminder comes within seconds after its board, if that is drawn late.
func TestAReminderFollowsItsBoard(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, _ := bare.Begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
		h.Later(time.Minute)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(6 * time.Minute)
		drawn := holding(s.Stage, "edit")
		h.Later(3 * time.Minute)
		s.WantCalls(t, 1)
		drawn()
		h.Later(5 * time.Second)
		s.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		h.Sound()
	})
}

// TestATableIsNotAwayFromWhereItHasLeft checks that a table moved during a failed drawing is drawn in its new place.
func TestATableIsNotAwayFromWhereItHasLeft(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		s.Fail = func(what string, place chat.Place) error {
			if what != "edit" || place != "test:1/1" {
				return nil
			}
			err := h.Bot.Migrate(context.WithoutCancel(t.Context()), "test:1", "test:9",
				func(chat.Place) chat.Place { return "test:9/1" })
			if err != nil {
				t.Error(err)
			}
			return chat.ErrAway
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait()
		if table := h.TableAt("test:9/1"); table.Board.Away || table.Board.Drawn != table.Version {
			t.Errorf("away %t, drawn %d of %d", table.Board.Away, table.Board.Drawn, table.Version)
		}
	})
}

// TestABoardIsDrawnThoughWhoHeldItHasFailed checks that the loops draw a board if an adapter had reserved it for its
// answer and could not draw it, because the commit failed.
func TestABoardIsDrawnThoughWhoHeldItHasFailed(t *testing.T) {
	bare.Alone(t)
	var commits func() bool
	storetest.Use(t, storetest.Disk{Flush: func(log bool) bool { return !log || commits == nil || commits() }})
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		free := make(chan struct{})
		s.OnReady = func(context.Context, chat.Place) error {
			<-free
			return nil
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait() // the board is about to be drawn
		commits = func() bool {
			commits = nil
			close(free)
			synctest.Wait()
			return false
		}
		ev := people[1].Event()
		ev.Press, ev.Carries = "1:1:1:throw", true
		if r := h.Bot.Handle(t.Context(), ev); r.Board != 0 {
			t.Fatalf("it was committed: %+v", r)
		}
		synctest.Wait()
		if table := people[0].Table(); table.Turn != 1 || table.Board.Drawn != table.Version {
			t.Errorf("turn %d, drawn %d of %d", table.Turn, table.Board.Drawn, table.Version)
		}
	})
}

// TestTheSameEventTwiceDoesNothing checks that a redelivered event has no effect and no answer, even if it was refused.
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
	bare.Refused(t, h.Bot.Handle(context.Background(), join), "Join first: press “Join” on the board.")
	ben.Presses("Join")
	anna.Presses("Leave")
	h.Restart()
	// A new press would now start the game, but this one is the old press, which was answered.
	if r := h.Bot.Handle(context.Background(), join); r != (chat.Reply{}) {
		t.Errorf("a refused press comes again: %+v", r)
	}
	if state := ben.Table().State; state != store.Lobby {
		t.Errorf("the table is %s", state)
	}
}

// Voided games.

// agreesToVoid presses the button that agrees to void a game.
func agreesToVoid(p *bare.Person, game int64) chat.Reply {
	return p.Sends(chat.Press{What: fmt.Sprint("/void agree ", game)}.String())
}

// overseen is a platform that knows the admins of a chat.
type overseen struct {
	*bare.Stage
	admins []chat.User
}

// OtherAdmin reports whether the chat has an admin other than the user besides.
func (o overseen) OtherAdmin(_ context.Context, _ chat.Chat, besides chat.User) (bool, error) {
	return slices.ContainsFunc(o.admins, func(who chat.User) bool { return who != besides }), nil
}

// TestWhoSpeaksForPeopleWhoHaveLeft checks that a second admin agrees to void a game in place of people who have left.
// Without one, another player of that game does or, if all have left, the person who asked.
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
		left := func(game int64, r chat.Reply) { // a second admin, if there is one, must still agree
			t.Helper()
			if got := bare.Said(t, r); strings.Contains(got, " left the chat. A second admin agrees") != second {
				t.Errorf("%+v: got\n%s", of, got)
			}
			voided(game, !second)
			if second {
				bare.Refused(t, agreesToVoid(emil, game), "Only players of that game decide that. Just ask them.")
				agreesToVoid(dora, game)
				voided(game, true)
			}
		}
		h.Leave(clara)
		if got := bare.Said(t, anna.Writes("/void 1")); !strings.Contains(got, "Clara left the chat. A second admin ") {
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

// TestWhoIsAnAdminIsAskedWhenItWeighs checks that each change asks the platform, outside a transaction, whether the
// person is an admin. Only the answer no is reused, for three seconds.
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
	const no = "Only admins of this chat can change that. Just ask."
	bare.Refused(t, asks(false), no)
	h.Wait(3*time.Second - time.Millisecond)
	bare.Refused(t, asks(true), no) // the refusal is cached for a moment
	h.Wait(time.Millisecond)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	bare.Refused(t, asks(false), no) // a former admin can change nothing
	h.Wait(3 * time.Second)
	bare.Told(t, asks(true), "From now on you play for coffees here.")
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}

// TestUndoneMovesStandInNoRecord checks that a game with undone moves is recorded, verified and settled as if these
// were never made, and that its end cannot be undone.
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
			bare.Refused(t, undo(p), "This game is over. Press ↻ Rematch to play again.")
		}
		if stored := len(h.Moves(1)); undone == 0 || len(h.RecordOf(1).Moves)+2*undone != stored {
			t.Errorf("%s: %d moves taken back, %d moves stored", line, undone, stored)
		}
		h.Sound()
		h.Export(review.Wanted{})
	}
}
