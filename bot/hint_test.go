package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// hinted asks until the answer is there.
func hinted(p *person, asks func() chat.Reply) chat.Message {
	p.t.Helper()
	var r chat.Reply
	newStage().until(p.t, "a hint", func([]string) bool {
		if r = asks(); r.Private == nil {
			told(p.t, r, map[string]string{
				"en": "It is being worked out. Ask again in a moment.",
				"de": "Das wird gerade ausgerechnet. Frag gleich noch einmal.",
			}[p.locale])
		}
		return r.Private != nil
	})
	proper(p.t, *r.Private)
	if !r.Secret || r.Public {
		p.t.Errorf("a hint is for one alone: %+v", r)
	}
	return *r.Private
}

func TestHints(t *testing.T) {
	gate := newGate()
	h := newHouse(t, gated{Game: wuerfelpoker.New(), gate: gate})
	h.seeds = constant(1)
	h.restart()
	people := h.gather("/wuerfelpoker hints=yes", "Anna", "Ben")
	anna, ben := people[0], people[1]
	if small := anna.board().Small; !strings.Contains(small, "classic and hints allowed") {
		t.Errorf("the small print is %q", small)
	}
	refused(t, anna.writes("/hint"), "The game has not begun. “▶ Start” begins it.")
	anna.presses("▶ Start")
	told(t, anna.presses("💡 Hint"), "It is being worked out. Ask again in a moment.")
	close(gate.open)
	want(t, hinted(anna, func() chat.Reply { return anna.presses("💡 Hint") }), `
Best: throw.
That leaves you at the average.
`)
	anna.presses("Throw")
	press := anna.button("💡 Hint").Press
	refused(t, ben.sends(press), "It is Anna's turn; the board says when it is yours.")
	refused(t, ben.writes("/hint"), "It is Anna's turn; the board says when it is yours.")
	// a word too many does no harm
	refused(t, ben.writes("/hint please"), "It is Anna's turn; the board says when it is yours.")
	refused(t, h.person("Clara").sends(press), "You are watching this game. Join the next one.")
	m := hinted(anna, func() chat.Reply { return anna.sends(press) })
	if !strings.HasPrefix(m.Head, "Best: keep ") || len(m.Lines) != 2 || !strings.HasPrefix(m.Lines[1], "Next best, ") {
		t.Errorf("the hint is\n%s", show(m))
	}
	anna.locale = "de"
	m = hinted(anna, func() chat.Reply { return anna.sends(press) })
	if text := show(m); !strings.HasPrefix(text, "Am besten: ") || utf8.RuneCountInString(text) > 200 {
		t.Errorf("the German hint is\n%s", text)
	}
	h.pressOut(people)
	refused(t, ben.writes("/hint"), "This game is over. ↻ Rematch plays the next.")
	h.sound()
	if records := h.export(review.Wanted{}); len(records) != 1 || !strings.Contains(records[0], `"hints":"yes"`) {
		t.Errorf("records %q", records)
	}
}

func TestHintsThatAllWouldReadWaitBehindAButton(t *testing.T) {
	anna := pokerTable(t, "/wuerfelpoker hints=yes", "Anna", "Ben")[0]
	anna.presses("▶ Start")
	ev := anna.event()
	ev.Command, ev.Aloud = "hint", true
	r := anna.bot.Handle(t.Context(), ev)
	if r.Private == nil {
		t.Fatalf("told %+v", r)
	}
	want(t, *r.Private, `
The best move is for one to know: press to see it.
[💡 Hint]
`)
	m := hinted(anna, func() chat.Reply { return anna.sends(r.Private.Buttons[0][0].Press) })
	if !strings.HasPrefix(m.Head, "Best: ") {
		t.Errorf("behind the button:\n%s", show(m))
	}
}

func TestNoHintsUnlessAgreed(t *testing.T) {
	people := pokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna := people[0]
	anna.presses("⚙ Rules")
	anna.sends(fmt.Sprintf("1:%d:0:!set hints=yes", anna.table().ID))
	anna.sends(fmt.Sprintf("1:%d:0:!set hints=no", anna.table().ID))
	h(anna).agree(people[1])
	anna.sends(fmt.Sprintf("1:%d:0:!start", anna.table().ID))
	if text := show(anna.board()); strings.Contains(text, "Hint") {
		t.Errorf("offered are\n%s", text)
	}
	refused(t, anna.writes("/hint"), "No hints at this table; the next can allow them: ⚙ Rules.")
	h(anna).pressOut(people)
	if records := h(anna).export(review.Wanted{}); strings.Contains(records[0], "hints") {
		t.Errorf("the record is %s", records[0])
	}
}

// TestHintsAreSmall plays all games by their hints, in both languages, on a
// board that a phone shows.
func TestHintsAreSmall(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	for _, locale := range []string{"en", "de"} {
		anna := h.person("Anna")
		anna.locale, anna.place = locale, chat.Place("test:1/"+locale)
		anna.writes("/wuerfelpoker hints=yes")
		anna.sends(fmt.Sprintf("1:%d:0:!start", anna.table().ID))
		var r chat.Reply
		newStage().until(t, "a hint", func([]string) bool { r = anna.writes("/hint"); return r.Private != nil })
		for anna.table().State == store.Playing {
			if r = anna.writes("/hint"); r.Private == nil {
				t.Fatalf("no hint: %+v", r)
			}
			proper(t, *r.Private)
			if text := show(*r.Private); utf8.RuneCountInString(text) > 200 {
				t.Errorf("that is long:\n%s", text)
			}
			h.pressOn([]*person{anna}, 3)
		}
	}
}

// TestHintsInUnits asks at Shut the Box: in units of the stake, in percent of
// the pool where there is none, in points where rounds are added up.
func TestHintsInUnits(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	h.seeds = constant(1)
	h.restart()
	for i, c := range []struct{ rules, locale, want string }{
		{"10", "en", `
Best: close 3.
You then end with −2.10 chips on average.
Next best, close 2+1, would cost 3.37 chips.
`},
		{"0", "de", `
Am besten: 6 schließen.
Damit endest du im Schnitt bei 47,64 % des Topfs.
Das Nächstbeste (5+1 schließen) würde 16,86 % des Topfs kosten.
`},
		{"match=rounds:2", "en", `
Best: close 2.
That leaves you 4.77 points behind perfect play.
`},
	} {
		place := chat.Place(fmt.Sprint("test:1/", i))
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.place, ben.place = place, place
		anna.writes("/shutbox hints=yes " + c.rules)
		anna.writes("/luck fox")
		ben.presses("Sit down")
		ben.writes("/luck fox")
		anna.presses("▶ Start")
		anna.presses("🎲 Throw")
		press := anna.button("💡 Hint").Press
		anna.locale = c.locale
		want(t, hinted(anna, func() chat.Reply { return anna.sends(press) }), c.want)
	}
}
