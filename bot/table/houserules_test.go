package table_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

func TestHouseRules(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, mod := h.Person("Anna"), h.Person("Mod")
	mod.Admin = true
	if m := anna.Writes("/house").Private; m == nil ||
		!strings.HasPrefix(m.Head, "This chat has no house rules with a name.") {
		t.Errorf("none at first: %+v", m)
	}
	bare.Refused(t, mod.Writes("/house save Friday night"), "There is no table here. /help shows how to open one.")
	anna.Writes("/shutbox 5 ties=roll-off tiles=10 hints=yes")
	bare.Refused(t, anna.Writes("/house save Friday night"),
		"Only admins here keep and drop house rules. Ask one of them.")
	bare.Told(t, mod.Writes("/house save Friday night"),
		"Kept: Friday-night, as at table 1. Play: /shutbox Friday-night")
	if small := anna.Board().Small; !strings.Contains(small, " · Friday-night · ") {
		t.Errorf("the table is by %s", small)
	}
	bare.Want(t, *anna.Writes("/house").Private, `
House rules of this chat. “/house save NAME” keeps those of the table here, “/house drop NAME” forgets some (admins).
Shut the Box · Friday-night: tiles: 1 to 10, ties: roll-off and hints allowed
[Open Friday-night]`)

	// Another option, and the table's rules are those no more; back, and by button.
	anna.Writes("/shutbox ties=share")
	if small := anna.Board().Small; strings.Contains(small, "Friday") {
		t.Errorf("the table is by %s", small)
	}
	anna.Presses("⚙ Rules")
	anna.Presses("Rules: your own")
	anna.Presses("Friday-night")
	anna.Button("Rules: Friday-night")
	if table := anna.Table(); table.HouseRules != 1 || table.Stake != 5 || table.Rules["ties"] != "roll-off" {
		t.Errorf("%+v", table)
	}

	nextHouseRules(t, h, anna, mod)
	houseRulesOfAnotherGame(t, anna, mod)
	h.Sound()
}

// The next version: tables and records keep theirs.
func nextHouseRules(t *testing.T, h *bare.House, anna, mod *bare.Person) {
	t.Helper()
	ben := h.Person("Ben")
	ben.Sends("1:1:0:!join")
	anna.Sends("1:1:0:!start")
	ben.Place, mod.Place = "test:1/2", "test:1/2"
	bare.Told(t, ben.Writes("/shutbox FRIDAY-night tiles=9"), "")
	if table := ben.Table(); table.HouseRules != 0 || table.Rules["tiles"] != "" || table.Stake != 10 {
		t.Errorf("with an option over them: %+v", table)
	}
	bare.Told(t, mod.Writes("/house save friday-NIGHT"),
		"Kept: Friday-night, as at table 2. Play: /shutbox Friday-night")
	if small := anna.Board().Small; !strings.Contains(small, "Friday-night") {
		t.Errorf("the older table is by %s", small)
	}
	h.PlayOn("friday", anna, h.Person("Ben"))
	line := h.Export(review.Wanted{})[0]
	if !strings.Contains(line, `"house_rules":{"name":"Friday-night","version":"407a6f89"}`) {
		t.Errorf("the record is %s", line)
	}
	if line := h.Export(review.Wanted{Anonymous: true})[0]; strings.Contains(line, "Friday") ||
		!strings.Contains(line, `"house_rules":{"version":"407a6f89"}`) {
		t.Errorf("without names it is %s", line)
	}
	h.Restart()
	anna.Presses("↻ Rematch")
	if small := anna.Board().Small; !strings.Contains(small, "Friday-night") {
		t.Errorf("the rematch is by %s", small)
	}
}

// Of another game, by its own option; and dropped.
func houseRulesOfAnotherGame(t *testing.T, anna, mod *bare.Person) {
	t.Helper()
	anna.Place = "test:1/3"
	for _, line := range []string{"/wuerfelpoker house=friday-night", "/shutbox golf house=Friday-night"} {
		if r := anna.Writes(line); !r.Refused {
			t.Errorf("%s: %+v", line, r)
		}
	}
	anna.Writes("/wuerfelpoker point=2 order=free")
	mod.Place = anna.Place
	bare.Told(t, mod.Writes("/house save Friday-night"),
		"Kept: Friday-night, as at table 4. Play: /wuerfelpoker Friday-night")
	anna.Writes("/wuerfelpoker point=0 order=parts")
	anna.Writes("/wuerfelpoker Friday-night")
	if table := anna.Table(); table.Rules["point"] != "2" || table.HouseRules == 0 {
		t.Errorf("%+v", table)
	}
	bare.Refused(t, anna.Writes("/house drop Friday-night"),
		"Only admins here keep and drop house rules. Ask one of them.")
	bare.Told(t, mod.Writes("/house drop friday-night"), "Dropped: Friday-night. Tables opened by it stay.")
	bare.Want(t, *mod.Writes("/house").Private, `
House rules of this chat. “/house save NAME” keeps those of the table here, “/house drop NAME” forgets some (admins).
Shut the Box · Friday-night (a91f3ace): ties: roll-off and hints allowed
[Open Friday-night]`)
	if m := mod.Writes("/rules Friday-night").Private; m == nil || len(m.Lines) == 0 ||
		m.Head != "Shut the Box · Friday-night: ties: roll-off and hints allowed" {
		t.Errorf("in words: %+v", m)
	}
}

func TestNamesOfHouseRules(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	mod := h.Person("Mod")
	mod.Admin = true
	mod.Writes("/shutbox tiles=12")
	const shape, taken = "A name is one word", "means something else already"
	for name, why := range map[string]string{
		"golf": taken, "Golf": taken, "full-house": taken, "Full house": taken, "shutbox": taken, "würfelpoker": taken,
		"never": taken, "2d6": taken, "rounds:3": shape, "stake": taken, "house": taken, "variant": taken,
		"tiles": taken,
		"12":    shape, "-": shape, "…": shape, "<b>": shape, "a=b": shape, "@everyone": shape, "🎲🎲": shape,
		"a\u202eb": "", "´": shape,
		strings.Repeat("x", 25): shape, "-friday": shape, "[x](y)": shape, "a/b": shape, "\u0301x": "", "thread": taken,
		"Ω": "", "save": taken, "Streichen": taken, "Omas": "", "Freitag 13": "", "יום-שישי": "", "a'b": "",
		"klassisch": taken, "Shut the Box": taken,
	} {
		r := mod.Writes("/house save " + name)
		if r.Refused != (why != "") || !strings.Contains(r.Toast, why) {
			t.Errorf("%q: %+v", name, r)
		}
		if utf8.RuneCountInString(r.Toast) > 110 {
			t.Errorf("%q is answered at length: %s", name, r.Toast)
		}
	}
	for i := range 20 {
		mod.Writes(fmt.Sprint("/house save many", i))
	}
	bare.Refused(t, mod.Writes("/house save onemore"), "12 are kept for a game at most. Drop some.")
	bare.Refused(t, mod.Writes("/house drop"), "Say /house save NAME, /house drop NAME, or /house NAME.")
	for _, line := range []string{"/house save", "/house nonsense", "/house drop nobody", "/house save  "} {
		if r := mod.Writes(line); !r.Refused {
			t.Errorf("%s: %+v", line, r)
		}
	}
	bare.Proper(t, *mod.Writes("/house").Private)
	mod.Presses("⚙ Rules")
	mod.Sends("1:1:0:!page variants")
	bare.Proper(t, mod.Board())
	if r := mod.Sends("1:1:0:!set house=99"); !r.Refused {
		t.Errorf("house rules from nowhere: %+v", r)
	}
	h.Sound()
}

// What is typed is completed with the names of this chat, and of no other.
func TestHouseRulesAreCompleted(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	mod := h.Person("Mod")
	mod.Admin = true
	mod.Writes("/shutbox tiles=12")
	mod.Writes("/house save Freitag")
	for _, c := range []struct{ command, option, typed, want string }{
		{"shutbox", "house", "", "Freitag"}, {"shutbox", "variant", "frei", "Freitag"},
		{"house", "what", "dr", "drop Freitag"},
		{"rules", "variant", "Frei", "Freitag"}, {"leaderboard", "game", "frei", "Freitag"},
		{"shutbox", "house", "x", ""},
	} {
		ev := mod.Event()
		ev.Command = c.command
		got := ""
		if all := h.Bot.Complete(context.Background(), ev, c.option, c.typed); len(all) > 0 {
			got = all[0].Label["en"]
		}
		if got != c.want {
			t.Errorf("/%s %s:%s is completed as %q", c.command, c.option, c.typed, got)
		}
		ev.Chat = "test:2"
		if all := h.Bot.Complete(context.Background(), ev, c.option, "Freitag"); len(all) > 0 &&
			strings.Contains(all[0].Label["en"], "Freitag") {
			t.Errorf("another chat completes %v", all)
		}
	}
}

// Records are verified as their house rules say.
func TestHouseRulesThatHaveChanged(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/shutbox 0 tiles=4")
	anna.Writes("/house save quick")
	anna.Presses("▶ Start")
	h.PlayOn("quick", anna)
	r := h.RecordOf(1)
	if r.HouseRules == nil || r.HouseRules.Name != "quick" || len(record.Verify(r, h.Games)) > 0 {
		t.Errorf("the record tells %+v", r.HouseRules)
	}
	h.Sound()
	h.Tamper(`UPDATE house_rules SET version = '00000000'`)
	if faults, err := h.Bot.Check(context.Background(), nil); err != nil || len(faults) != 1 ||
		!strings.Contains(faults[0], "version") {
		t.Errorf("%v, %v", faults, err)
	}
	if anna.Table().State != store.Over {
		t.Error("the game goes on")
	}
}

// A leaderboard of house rules counts the games of that version, however they
// were opened; older versions have their own.
func TestLeaderboardOfHouseRules(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	for i, line := range []string{"/shutbox tiles=4 ties=roll-off", "/shutbox quick", "/shutbox tiles=5 ties=roll-off",
		"/shutbox tiles=4"} {
		anna.Writes(line)
		if i == 0 || i == 2 {
			anna.Writes("/house save quick")
		}
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
		h.PlayOn(line, anna, ben)
	}
	look := func(line string, games int) *chat.Message {
		t.Helper()
		m := anna.Writes(line).Private
		if m == nil || !strings.Contains(m.Head, fmt.Sprint(games, " game")) {
			t.Fatalf("%s: %+v", line, m)
		}
		bare.Proper(t, *m)
		return m
	}
	look("/leaderboard", 4)
	look("/leaderboard won quick", 1)
	m := look("/leaderboard mean game=QUICK", 1)
	if !strings.Contains(m.Head, "Shut the Box quick, ") || strings.Contains(m.Head, "quick (") {
		t.Errorf("it says %s", m.Head)
	}
	menu := anna.Sends(bare.Press(t, m, "Game…")).Private
	old := ""
	for _, b := range slices.Concat(menu.Buttons...) {
		if b.Label == "quick, earlier rules" {
			old = b.Press
		}
	}
	h.Restart()
	if r := anna.Sends(old); r.Private == nil || !strings.Contains(r.Private.Head, "2 games") ||
		!strings.Contains(r.Private.Head, "quick, earlier rules") {
		t.Errorf("the older version: %+v", r)
	}
	anna.Writes("/house drop quick")
	if r := anna.Writes("/leaderboard quick"); !r.Refused {
		t.Errorf("by a name that is dropped: %+v", r)
	}
	for _, of := range []string{"shutbox#99", "shutbox#0", "shutbox#-1", "nothing#1", "wuerfelpoker#1", "#",
		"shutbox#1#2"} {
		bare.Refused(t, anna.Sends("1:0:0:/lb w.all."+of+"....."),
			"That button is not known any more. /table brings new ones.")
	}
}
