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
)

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
