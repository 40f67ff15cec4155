package review_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// hinted asks until the answer is there.
func hinted(p *bare.Person, asks func() chat.Reply) chat.Message {
	p.T.Helper()
	var r chat.Reply
	bare.NewStage().Until(p.T, "a hint", func([]string) bool {
		if r = asks(); r.Private == nil {
			bare.Told(p.T, r, map[string]string{
				"en": "It is being worked out. Ask again in a moment.",
				"de": "Das wird gerade ausgerechnet. Frag gleich noch einmal.",
			}[p.Locale])
		}
		return r.Private != nil
	})
	bare.Proper(p.T, *r.Private)
	if !r.Secret || r.Public {
		p.T.Errorf("a hint is for one alone: %+v", r)
	}
	return *r.Private
}

func TestHints(t *testing.T) {
	gate := bare.NewGate()
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	h.Seeds = bare.Constant(1)
	h.Restart()
	people := h.Gather("/wuerfelpoker hints=yes", "Anna", "Ben")
	anna, ben := people[0], people[1]
	if small := anna.Board().Small; !strings.Contains(small, "classic and hints allowed") {
		t.Errorf("the small print is %q", small)
	}
	bare.Refused(t, anna.Writes("/hint"), "The game has not begun. “▶ Start” begins it.")
	anna.Presses("▶ Start")
	bare.Told(t, anna.Presses("💡 Hint"), "It is being worked out. Ask again in a moment.")
	close(gate.Open)
	bare.Want(t, hinted(anna, func() chat.Reply { return anna.Presses("💡 Hint") }), `
Best: throw.
That leaves you at the average.
`)
	anna.Presses("Throw")
	press := anna.Button("💡 Hint").Press
	bare.Refused(t, ben.Sends(press), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, ben.Writes("/hint"), "It is Anna's turn; the board says when it is yours.")
	// a word too many does no harm
	bare.Refused(t, ben.Writes("/hint please"), "It is Anna's turn; the board says when it is yours.")
	bare.Refused(t, h.Person("Clara").Sends(press), "You are watching this game. Join the next one.")
	m := hinted(anna, func() chat.Reply { return anna.Sends(press) })
	if !strings.HasPrefix(m.Head, "Best: keep ") || len(m.Lines) != 2 || !strings.HasPrefix(m.Lines[1], "Next best, ") {
		t.Errorf("the hint is\n%s", bare.Show(m))
	}
	anna.Locale = "de"
	m = hinted(anna, func() chat.Reply { return anna.Sends(press) })
	if text := bare.Show(m); !strings.HasPrefix(text, "Am besten: ") || utf8.RuneCountInString(text) > 200 {
		t.Errorf("the German hint is\n%s", text)
	}
	h.PressOut(people)
	bare.Refused(t, ben.Writes("/hint"), "This game is over. ↻ Rematch plays the next.")
	h.Sound()
	if records := h.Export(review.Wanted{}); len(records) != 1 || !strings.Contains(records[0], `"hints":"yes"`) {
		t.Errorf("records %q", records)
	}
}

func TestHintsThatAllWouldReadWaitBehindAButton(t *testing.T) {
	anna := bare.PokerTable(t, "/wuerfelpoker hints=yes", "Anna", "Ben")[0]
	anna.Presses("▶ Start")
	ev := anna.Event()
	ev.Command, ev.Aloud = "hint", true
	r := anna.Bot.Handle(t.Context(), ev)
	if r.Private == nil {
		t.Fatalf("told %+v", r)
	}
	bare.Want(t, *r.Private, `
The best move is for one to know: press to see it.
[💡 Hint]
`)
	m := hinted(anna, func() chat.Reply { return anna.Sends(r.Private.Buttons[0][0].Press) })
	if !strings.HasPrefix(m.Head, "Best: ") {
		t.Errorf("behind the button:\n%s", bare.Show(m))
	}
}

func TestNoHintsUnlessAgreed(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna := people[0]
	anna.Presses("⚙ Rules")
	anna.Sends(fmt.Sprintf("1:%d:0:!set hints=yes", anna.Table().ID))
	anna.Sends(fmt.Sprintf("1:%d:0:!set hints=no", anna.Table().ID))
	anna.House.Agree(people[1])
	anna.Sends(fmt.Sprintf("1:%d:0:!start", anna.Table().ID))
	if text := bare.Show(anna.Board()); strings.Contains(text, "Hint") {
		t.Errorf("offered are\n%s", text)
	}
	bare.Refused(t, anna.Writes("/hint"), "No hints at this table; the next can allow them: ⚙ Rules.")
	anna.House.PressOut(people)
	if records := anna.House.Export(review.Wanted{}); strings.Contains(records[0], "hints") {
		t.Errorf("the record is %s", records[0])
	}
}

// TestHintsAreSmall plays all games by their hints, in both languages, on a
// board that a phone shows.
func TestHintsAreSmall(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	for _, locale := range []string{"en", "de"} {
		anna := h.Person("Anna")
		anna.Locale, anna.Place = locale, chat.Place("test:1/"+locale)
		anna.Writes("/wuerfelpoker hints=yes")
		anna.Sends(fmt.Sprintf("1:%d:0:!start", anna.Table().ID))
		var r chat.Reply
		bare.NewStage().Until(t, "a hint", func([]string) bool { r = anna.Writes("/hint"); return r.Private != nil })
		for anna.Table().State == store.Playing {
			if r = anna.Writes("/hint"); r.Private == nil {
				t.Fatalf("no hint: %+v", r)
			}
			bare.Proper(t, *r.Private)
			if text := bare.Show(*r.Private); utf8.RuneCountInString(text) > 200 {
				t.Errorf("that is long:\n%s", text)
			}
			h.PressOn([]*bare.Person{anna}, 3)
		}
	}
}

// TestHintsInUnits asks at Shut the Box: in units of the stake, in percent of
// the pool where there is none, in points where rounds are added up.
func TestHintsInUnits(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Seeds = bare.Constant(1)
	h.Restart()
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
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Place, ben.Place = place, place
		anna.Writes("/shutbox hints=yes " + c.rules)
		anna.Writes("/luck fox")
		ben.Presses("Sit down")
		ben.Writes("/luck fox")
		anna.Presses("▶ Start")
		anna.Presses("🎲 Throw")
		press := anna.Button("💡 Hint").Press
		anna.Locale = c.locale
		bare.Want(t, hinted(anna, func() chat.Reply { return anna.Sends(press) }), c.want)
	}
}
