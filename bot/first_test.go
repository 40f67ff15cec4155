package bot_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// A first table explains itself, a line for each step; whoever has seen a game
// come to its end is told nothing.
func TestFirstTableExplainsItself(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	guided := func(p *person, want string) {
		t.Helper()
		if got := p.board().Guide; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("the guide is %q, want %q", got, want)
		}
	}
	first := func(p *person) { p.sends(p.board().Buttons[0][0].Press) }

	anna.writes("/shutbox")
	guided(anna, "Others press “Sit down”")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	guided(anna, "New here? Throw")
	first(anna)
	guided(anna, "Each button closes tiles")
	first(anna)
	guided(anna, "") // the second throw needs no words
	for range 20 {
		if strings.Contains(anna.board().Said(), "Ben is to throw") {
			break
		}
		first(anna)
	}
	guided(ben, "New here? Throw")
	anna.place, ben.place = "test:1/2", "test:1/2"
	finish := func() {
		anna.writes("/coin")
		ben.presses("Sit down")
		anna.presses("▶ Start")
		first(anna)
		first(ben)
	}
	finish()
	anna.place, ben.place = "test:1/3", "test:1/3"
	anna.writes("/coin")
	guided(anna, "")
	clara := h.person("Clara")
	clara.place = "test:1/4"
	clara.writes("/coin")
	guided(clara, "Others press") // new herself
	anna.place = "test:1/5"
	anna.writes("/wuerfelpoker")
	guided(anna, "Others press") // the chat is new to this game
	anna.presses("▶ Start")
	guided(anna, "Throw up to three times")
	first(anna)
	guided(anna, "Press dice to keep")
}

func TestGuidesAreBrief(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	for _, lang := range []string{"en", "de"} {
		for i, line := range []string{"/shutbox", "/shutbox canoga", "/shutbox lucky-seven", "/wuerfelpoker"} {
			p, other := h.person("Anna"+lang), h.person("Ben")
			p.locale = lang
			p.place += chat.Place(fmt.Sprint("/", lang, i))
			other.place = p.place
			p.writes(line)
			other.sends(p.board().Buttons[0][0].Press)
			p.sends(p.board().Buttons[1][0].Press)
			for range 2 {
				m := p.board()
				if n := utf8.RuneCountInString(m.Guide); n == 0 || n > 76 {
					t.Errorf("%s in %s: %d characters, and two lines of a phone have 76: %q", line, lang, n, m.Guide)
				}
				p.sends(m.Buttons[0][0].Press)
				if strings.Contains(line, "canoga") || strings.Contains(line, "lucky") {
					break // the other is to throw
				}
			}
		}
	}
}

// What is played for stands on every board of a match, whatever else it tells.
func TestThePoolStaysInSight(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox 10", "Anna", "Ben")
	people[0].presses("+ House")
	people[0].presses("+ plays anything")
	people[0].presses("▶ Start")
	for people[0].table().State == store.Playing {
		m := people[0].board()
		if !strings.Contains(m.Small, "Pool 30 chips") {
			t.Fatalf("beside %q stands %q", m.Guide, m.Small)
		}
		people[m.Accent].sends(m.Buttons[0][0].Press)
	}
}

// halfSaid is pile with a line for the first step, and none for the second.
type halfSaid struct{ pile }

func (halfSaid) Words() fs.FS {
	said := fstest.MapFS{}
	for _, name := range []string{"en.toml", "de.toml"} {
		text, err := fs.ReadFile(pile{}.Words(), name)
		if err != nil {
			panic(err)
		}
		said[name] = &fstest.MapFile{Data: append(text, "\n[pile.first]\nthrow = \"New here? Take tiles.\"\n"...)}
	}
	return said
}

// TestAFirstStepWithoutItsLineIsNotExplained: no key reaches a board.
func TestAFirstStepWithoutItsLineIsNotExplained(t *testing.T) {
	h := newHouse(t, halfSaid{})
	anna := h.person("Anna")
	anna.writes("/pile")
	anna.presses("▶ Start")
	if got := anna.board().Guide; got != "New here? Take tiles." {
		t.Errorf("the guide is %q", got)
	}
	anna.sends("1:1:0:take 2+1")
	if table := anna.table(); table.Turn != 1 || anna.board().Guide != "" {
		t.Errorf("after %d moves the guide is %q", table.Turn, anna.board().Guide)
	}
}
