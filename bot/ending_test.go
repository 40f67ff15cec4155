package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/store"
)

// Once the first die has fallen nobody who sits at a table undoes it alone, its
// opener and admins neither; an admin who does not sit there may.
func TestWhoSitsEndsNoGameAlone(t *testing.T) {
	for _, who := range []string{"opener", "admin", "both"} {
		t.Run(who, func(t *testing.T) {
			h := newHouse(t)
			anna, ben, mod := h.person("Anna"), h.person("Ben"), h.person("Mod")
			mod.admin = true
			anna.writes("/coin 10")
			ben.presses("Sit down")
			anna.presses("▶ Start")
			losing := anna
			switch who {
			case "admin":
				ben.admin, losing = true, ben
			case "both":
				anna.admin = true
			}
			losing.writes("/abandon") // nothing has fallen yet
			asked := losing.button("Yes, end it").Press
			anna.presses("Throw")
			refused(t, losing.sends(asked), "Ask an admin or those seated to end it.")
			losing.writes("/abandon")
			if m := losing.board(); !strings.Contains(m.Head, "1 of 2 votes.") ||
				strings.Contains(show(m), "Yes, end it") {
				t.Errorf("the board says\n%s", show(m))
			}
			if table := anna.table(); table.State != store.Playing {
				t.Errorf("the table is %s", table.State)
			}
			mod.writes("/abandon")
			told(t, mod.presses("Yes, end it"), "The table is closed, all stakes are back.")
			h.balance("player:test:Anna", 0)
			h.sound()
		})
	}
}

// Until then the opener and admins end it, as what is undone is nothing.
func TestUntilTheFirstDieTheOpenerEnds(t *testing.T) {
	for _, who := range []string{"Anna", "Ben"} {
		h := newHouse(t)
		anna, ben := h.person("Anna"), h.person("Ben")
		ben.admin = true
		anna.writes("/coin 10")
		ben.presses("Sit down")
		anna.presses("▶ Start")
		ends := map[string]*person{"Anna": anna, "Ben": ben}[who]
		ends.writes("/abandon")
		told(t, ends.presses("Yes, end it"), "The table is closed, all stakes are back.")
		h.sound()
	}
}

// Alone, or with the house alone, one's own word suffices, for whoever is away as
// well; also where nobody is above the others.
func TestAloneOnesOwnWordEndsATable(t *testing.T) {
	for name, line := range map[string]string{"alone": "", "with the house": "+ House", "away": "+ House"} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			anna := h.person("Anna")
			anna.writes("/shutbox 10")
			if line != "" {
				anna.presses(line)
				anna.presses("+ closes few tiles")
			}
			anna.presses("▶ Start")
			anna.presses("🎲 Throw")
			if name == "away" {
				h.tamper(`UPDATE seats SET absence = 'away' WHERE seat = 0`)
			}
			for _, press := range []string{"", chat.LobbyPressOn(anna.board(), "end yes")} {
				ev := anna.event()
				h.wait(leisure)
				if ev.Equals, ev.Press = true, press; press == "" {
					ev.Command = "abandon"
				}
				if r := h.bot.Handle(context.Background(), ev); r.Refused {
					t.Errorf("she is told %q", r.Toast)
				}
			}
			if table := anna.table(); table.State != store.Abandoned {
				t.Errorf("the table is %s", table.State)
			}
			h.sound()
		})
	}
}

// Whoever was an admin a moment ago ends nobody's table, and changes nothing.
func TestADismissedAdminIsNoneAtOnce(t *testing.T) {
	h := newHouse(t)
	anna, mod := h.person("Anna"), h.person("Mod")
	mod.admin = true
	anna.writes("/coin 10")
	mod.writes("/abandon") // which only asks
	ends := mod.button("Yes, end it").Press
	lines := []string{"/unit beans", "/language de", "/settings idle=3", "/house save Friday", "/season Winter",
		"/doctor"}
	for _, line := range append(lines, "") {
		mod.admin = true
		mod.writes("/settings")
		mod.writes("/doctor")
		mod.admin = false
		r := chat.Reply{}
		if line == "" {
			r = mod.sends(ends)
		} else {
			r = mod.writes(line)
		}
		if !r.Refused {
			t.Errorf("%s is answered %q", line, r.Toast)
		}
		h.wait(3 * time.Second) // as long as a no is believed
	}
}
