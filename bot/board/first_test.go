package board_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// A first table explains itself, a line for each step; whoever has seen a game
// come to its end is told nothing.
func TestFirstTableExplainsItself(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	guided := func(p *bare.Person, want string) {
		t.Helper()
		if got := p.Board().Guide; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("the guide is %q, want %q", got, want)
		}
	}
	first := func(p *bare.Person) { p.Sends(p.Board().Buttons[0][0].Press) }

	anna.Writes("/shutbox")
	guided(anna, "Others press “Sit down”")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	guided(anna, "New here? Throw")
	first(anna)
	guided(anna, "Each button closes tiles")
	first(anna)
	guided(anna, "") // the second throw needs no words
	for range 20 {
		if strings.Contains(anna.Board().Said(), "Ben is to throw") {
			break
		}
		first(anna)
	}
	guided(ben, "New here? Throw")
	anna.Place, ben.Place = "test:1/2", "test:1/2"
	finish := func() {
		anna.Writes("/coin")
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
		first(anna)
		first(ben)
	}
	finish()
	anna.Place, ben.Place = "test:1/3", "test:1/3"
	anna.Writes("/coin")
	guided(anna, "")
	clara := h.Person("Clara")
	clara.Place = "test:1/4"
	clara.Writes("/coin")
	guided(clara, "Others press") // new herself
	anna.Place = "test:1/5"
	anna.Writes("/wuerfelpoker")
	guided(anna, "Others press") // the chat is new to this game
	anna.Presses("▶ Start")
	guided(anna, "Throw up to three times")
	first(anna)
	guided(anna, "Press dice to keep")
}

func TestGuidesAreBrief(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for _, lang := range []string{"en", "de"} {
		for i, line := range []string{"/shutbox", "/shutbox canoga", "/shutbox lucky-seven", "/wuerfelpoker"} {
			p, other := h.Person("Anna"+lang), h.Person("Ben")
			p.Locale = lang
			p.Place += chat.Place(fmt.Sprint("/", lang, i))
			other.Place = p.Place
			p.Writes(line)
			other.Sends(p.Board().Buttons[0][0].Press)
			p.Sends(p.Board().Buttons[1][0].Press)
			for range 2 {
				m := p.Board()
				if n := utf8.RuneCountInString(m.Guide); n == 0 || n > 76 {
					t.Errorf("%s in %s: %d characters, and two lines of a phone have 76: %q", line, lang, n, m.Guide)
				}
				p.Sends(m.Buttons[0][0].Press)
				if strings.Contains(line, "canoga") || strings.Contains(line, "lucky") {
					break // the other is to throw
				}
			}
		}
	}
}

// What is played for stands on every board of a match, whatever else it tells.
func TestThePoolStaysInSight(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 10", "Anna", "Ben")
	people[0].Presses("+ House")
	people[0].Presses("+ plays anything")
	people[0].Presses("▶ Start")
	for people[0].Table().State == store.Playing {
		m := people[0].Board()
		if !strings.Contains(m.Small, "Pool 30 chips") {
			t.Fatalf("beside %q stands %q", m.Guide, m.Small)
		}
		people[m.Accent].Sends(m.Buttons[0][0].Press)
	}
}

// halfSaid is pile with a line for the first step, and none for the second.
type halfSaid struct{ bare.Pile }

func (halfSaid) Words() fs.FS {
	said := fstest.MapFS{}
	for _, name := range []string{"en.toml", "de.toml"} {
		text, err := fs.ReadFile(bare.Pile{}.Words(), name)
		if err != nil {
			panic(err)
		}
		said[name] = &fstest.MapFile{Data: append(text, "\n[pile.first]\nthrow = \"New here? Take tiles.\"\n"...)}
	}
	return said
}

// TestAFirstStepWithoutItsLineIsNotExplained: no key reaches a board.
func TestAFirstStepWithoutItsLineIsNotExplained(t *testing.T) {
	h := bare.New(t, halfSaid{})
	anna := h.Person("Anna")
	anna.Writes("/pile")
	anna.Presses("▶ Start")
	if got := anna.Board().Guide; got != "New here? Take tiles." {
		t.Errorf("the guide is %q", got)
	}
	anna.Sends("1:1:0:take 2+1")
	if table := anna.Table(); table.Turn != 1 || anna.Board().Guide != "" {
		t.Errorf("after %d moves the guide is %q", table.Turn, anna.Board().Guide)
	}
}
