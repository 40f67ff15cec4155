package telegram

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

func TestWholeGames(t *testing.T) {
	for _, c := range []struct {
		name, command string
		opener        telegramtest.Person
		lobby, last   string
	}{
		{"in German", "/shutbox 10", anna, "Anna macht einen Tisch auf: Shut the Box", "Würfelsiegel"},
		{"in English", "/shutbox stake=5 match=rounds:2", ben, "Ben O'Neill opens a table: Shut the Box", "Dice seal"},
		{"more sets than buttons", "/shutbox three-hundred 3", ben, "Ben O'Neill opens a table: Shut the Box", "Dice seal"},
		{"another game", "/coin 10", anna, "Anna macht einen Tisch auf: Münze", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEvening(t)
			e.group.Say(c.opener, c.command)
			e.reads(c.lobby)
			e.sit("/table", c.opener, clara)
			board := e.play(anna, ben, clara)
			for _, part := range []string{c.opener.First, "Clara", c.last} {
				if !strings.Contains(board.Text, part) {
					t.Errorf("%q is not on the last board:\n%s", part, board.Text)
				}
			}
			e.press(clara, ":!rematch")
			e.until("the next lobby is there", func() bool { _, _, ok := e.carries(":!start"); return ok })
		})
	}
}

// Eight hostile names at a time sit at one table, and the game is played.
func TestHostileNames(t *testing.T) {
	for names := range slices.Chunk(hostile(), 8) {
		e := newEvening(t)
		e.group.Say(anna, "/coin 10")
		people := []telegramtest.Person{anna}
		for i, word := range names {
			p := telegramtest.Person{ID: int64(100 + i), First: strings.ToValidUTF8(word, "?"), Language: "en"}
			people = append(people, p)
			e.press(p, ":!join")
			e.group.Say(p, "/luck "+p.First)
		}
		e.press(anna, ":!start")
		e.play(people...)
	}
}

func TestWordsThatAreNotKnown(t *testing.T) {
	e := newEvening(t)
	e.group.Say(ben, "/shutbox 10 gulf")
	if m := e.reads("“golf”"); len(m.Keyboard) != 0 {
		t.Errorf("%+v is to be a refusal", m)
	}
	e.group.Say(ben, "/shutbx@KnobelBot")
	e.reads("/shutbox")
	e.group.Say(ben, "/shutbox@KnobelBot golf one-die=never 5")
	e.reads("opens a table: Shut the Box")
}

func TestAnonymousAdministratorsCannotSit(t *testing.T) {
	e := newEvening(t)
	e.group.SayAsGroup("/coin 10")
	e.reads("You are hidden here")
	if n := len(e.messages()); n != 1 {
		t.Errorf("%d messages", n)
	}
}

// Tables in two topics do not know each other, and share the group's budget.
func TestTablesInTopics(t *testing.T) {
	e := newEvening(t)
	forum := e.server.Supergroup("Dice", true)
	var tables sync.WaitGroup
	for _, topic := range []int64{0, forum.Topic("Games"), forum.Topic("More games")} {
		tables.Go(func() {
			there := e.in(forum, topic)
			there.sit("/coin 10", anna, ben)
			there.play(anna, ben, clara)
		})
	}
	tables.Wait()
}

// A house that goes down in the middle of a game goes on with the old buttons,
// and what Telegram delivers again does nothing twice.
func TestRestartInTheMiddle(t *testing.T) {
	e := newEvening(t)
	e.sit("/coin 10", anna, ben, clara)
	for n := range 3 {
		m, data, over := e.turn("")
		if over {
			t.Fatal("over too soon")
		}
		who := []telegramtest.Person{anna, ben, clara}[n]
		before := m.Text
		query := e.group.PressData(who, m.ID, data)
		e.answered(query)
		e.stop()
		e.server.Rewind(3)
		e.open()
		e.until("the press comes again", func() bool {
			q, _ := e.server.Query(query)
			return len(q.Answers) == 2
		})
		e.until("the board shows it", func() bool { m, _, _ := e.present(); return m.Text != before })
	}
	if _, _, over := e.present(); !over {
		t.Error("three throws end a game of three, whatever came twice")
	}
}

func TestRedeliveredPress(t *testing.T) {
	e := newEvening(t)
	e.sit("/coin 10", anna, ben)
	m, data, _ := e.turn("")
	first := e.group.PressData(anna, m.ID, data)
	e.answered(first)
	e.until("it is acknowledged", func() bool { return e.server.Pending() == 0 })
	q, _ := e.server.Query(first)
	e.server.Again(q.Update)
	e.until("it is answered again", func() bool { q, _ := e.server.Query(first); return len(q.Answers) == 2 })
	_, data, over := e.turn(data)
	if over {
		t.Fatal("the press counted twice")
	}
	e.group.PressData(ben, m.ID, data)
	e.until("the game ends", func() bool { _, _, over := e.present(); return over })
}

// What could be done twice is done once, too, when it is delivered again.
func TestRedeliveredPressInTheLobby(t *testing.T) {
	e := newEvening(t)
	e.group.Say(anna, "/coin 10")
	seats := func(want int) {
		t.Helper()
		err := e.store.View(t.Context(), func(tx *store.Tx) error {
			table, err := tx.Table(1)
			if len(table.Seats) != want {
				t.Errorf("%d are seated, not %d", len(table.Seats), want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	first := e.pressAsync(anna, ":!house random")
	e.answered(first)
	seats(2)
	e.until("it is acknowledged", func() bool { return e.server.Pending() == 0 })
	q, _ := e.server.Query(first)
	e.server.Again(q.Update)
	e.until("it is answered again", func() bool { q, _ := e.server.Query(first); return len(q.Answers) == 2 })
	seats(2)
}

func TestGroupBecomesSupergroup(t *testing.T) {
	for _, how := range []telegramtest.Announcement{telegramtest.OldFirst, telegramtest.NewFirst, telegramtest.Silently} {
		t.Run(fmt.Sprint(how), func(t *testing.T) {
			e := newEvening(t)
			e.sit("/coin 10", anna, ben)
			m, data, _ := e.turn("")
			next := e.group.Upgrade(how)
			if how == telegramtest.Silently { // the next drawing comes upon it
				e.answered(e.group.PressData(anna, m.ID, data))
			}
			there := e.in(next, 0)
			board := there.play(anna, ben)
			if !strings.Contains(board.Text, "Anna") || !strings.Contains(board.Text, "Ben") {
				t.Errorf("the last board:\n%s", board.Text)
			}
		})
	}
}

func TestBotIsRemovedAndComesBack(t *testing.T) {
	e := newEvening(t)
	e.sit("/coin 10", anna, ben)
	m, data, _ := e.turn("")
	e.group.Close()
	e.answered(e.group.PressData(anna, m.ID, data))
	e.until("the board cannot be drawn", func() bool {
		return slices.ContainsFunc(e.server.Calls("editMessageText"), func(c telegramtest.Call) bool { return c.Status == 403 })
	})
	e.group.Reopen()
	e.group.Say(ben, "/table")
	_, data, over := e.turn(data)
	if over {
		t.Fatal("over too soon")
	}
	m, _, _ = e.present()
	e.answered(e.group.PressData(ben, m.ID, data))
	e.until("the game ends", func() bool { _, _, over := e.present(); return over })
}

// Somebody deletes the board: it is posted anew.
func TestBoardIsDeleted(t *testing.T) {
	e := newEvening(t)
	e.sit("/coin 10", anna, ben)
	m, data, _ := e.turn("")
	e.group.Delete(m.ID)
	e.answered(e.group.PressData(anna, m.ID, data))
	next, _, _ := e.turn(data)
	if next.ID == m.ID {
		t.Error("the board is to be a new message")
	}
}

// Telegram fails in all its ways, and the game goes on.
func TestGameInBadWeather(t *testing.T) {
	e := newEvening(t)
	e.server.Fail(
		telegramtest.Fault{Method: "sendMessage", Code: 500, Text: "Internal Server Error"},
		telegramtest.Fault{Method: "editMessageText", Cut: true},
		telegramtest.Fault{Method: "getUpdates", Code: 502, HTML: true},
		telegramtest.Fault{Method: "editMessageText", Code: 502, HTML: true},
		telegramtest.Fault{Method: "editMessageText", Cut: true, After: true},
		telegramtest.Fault{Method: "getUpdates", Cut: true},
		telegramtest.Fault{Method: "setMyCommands", Code: 500, Text: "Internal Server Error"},
		telegramtest.Fault{Method: "sendMessage", Cut: true},
	)
	e.sit("/coin 10", anna, ben, clara)
	e.play(anna, ben, clara)
}
