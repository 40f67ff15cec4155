package table_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// Once the first die has fallen nobody who sits at a table undoes it alone, its
// opener and admins neither; an admin who does not sit there may.
func TestWhoSitsEndsNoGameAlone(t *testing.T) {
	for _, who := range []string{"opener", "admin", "both"} {
		t.Run(who, func(t *testing.T) {
			h := bare.New(t)
			anna, ben, mod := h.Person("Anna"), h.Person("Ben"), h.Person("Mod")
			mod.Admin = true
			anna.Writes("/coin 10")
			ben.Presses("Sit down")
			anna.Presses("▶ Start")
			losing := anna
			switch who {
			case "admin":
				ben.Admin, losing = true, ben
			case "both":
				anna.Admin = true
			}
			losing.Writes("/abandon") // nothing has fallen yet
			asked := losing.Button("Yes, end it").Press
			anna.Presses("Throw")
			bare.Refused(t, losing.Sends(asked), "Ask an admin or those seated to end it.")
			losing.Writes("/abandon")
			if m := losing.Board(); !strings.Contains(m.Head, "1 of 2 votes.") ||
				strings.Contains(bare.Show(m), "Yes, end it") {
				t.Errorf("the board says\n%s", bare.Show(m))
			}
			if table := anna.Table(); table.State != store.Playing {
				t.Errorf("the table is %s", table.State)
			}
			mod.Writes("/abandon")
			bare.Told(t, mod.Presses("Yes, end it"), "The table is closed, all stakes are back.")
			h.Balance("player:test:Anna", 0)
			h.Sound()
		})
	}
}

// Until then the opener and admins end it, as what is undone is nothing.
func TestUntilTheFirstDieTheOpenerEnds(t *testing.T) {
	for _, who := range []string{"Anna", "Ben"} {
		h := bare.New(t)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		ben.Admin = true
		anna.Writes("/coin 10")
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
		ends := map[string]*bare.Person{"Anna": anna, "Ben": ben}[who]
		ends.Writes("/abandon")
		bare.Told(t, ends.Presses("Yes, end it"), "The table is closed, all stakes are back.")
		h.Sound()
	}
}

// Alone, or with the house alone, one's own word suffices, for whoever is away as
// well; also where nobody is above the others.
func TestAloneOnesOwnWordEndsATable(t *testing.T) {
	for name, line := range map[string]string{"alone": "", "with the house": "+ House", "away": "+ House"} {
		t.Run(name, func(t *testing.T) {
			h := bare.New(t, shutbox.Game{})
			anna := h.Person("Anna")
			anna.Writes("/shutbox 10")
			if line != "" {
				anna.Presses(line)
				anna.Presses("+ closes few tiles")
			}
			anna.Presses("▶ Start")
			anna.Presses("🎲 Throw")
			if name == "away" {
				h.Tamper(`UPDATE seats SET absence = 'away' WHERE seat = 0`)
			}
			for _, press := range []string{"", chat.LobbyPressOn(anna.Board(), "end yes")} {
				ev := anna.Event()
				h.Wait(bare.Leisure)
				if ev.Equals, ev.Press = true, press; press == "" {
					ev.Command = "abandon"
				}
				if r := h.Bot.Handle(context.Background(), ev); r.Refused {
					t.Errorf("she is told %q", r.Toast)
				}
			}
			if table := anna.Table(); table.State != store.Abandoned {
				t.Errorf("the table is %s", table.State)
			}
			h.Sound()
		})
	}
}

// Whoever was an admin a moment ago ends nobody's table, and changes nothing.
func TestADismissedAdminIsNoneAtOnce(t *testing.T) {
	h := bare.New(t)
	anna, mod := h.Person("Anna"), h.Person("Mod")
	mod.Admin = true
	anna.Writes("/coin 10")
	mod.Writes("/abandon") // which only asks
	ends := mod.Button("Yes, end it").Press
	lines := []string{"/unit beans", "/language de", "/settings idle=3", "/house save Friday", "/season Winter",
		"/doctor"}
	for _, line := range append(lines, "") {
		mod.Admin = true
		mod.Writes("/settings")
		mod.Writes("/doctor")
		mod.Admin = false
		r := chat.Reply{}
		if line == "" {
			r = mod.Sends(ends)
		} else {
			r = mod.Writes(line)
		}
		if !r.Refused {
			t.Errorf("%s is answered %q", line, r.Toast)
		}
		h.Wait(3 * time.Second) // as long as a no is believed
	}
}
