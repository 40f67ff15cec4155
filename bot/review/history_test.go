package review_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// round matches the line in which a game shows the number of the round.
var round = regexp.MustCompile(`^((Upper|Lower) section, r|R)ound \d+ of \d+$`)

func TestPastGameIsWhatItWas(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for _, line := range []string{"/shutbox 5", "/shutbox canoga 2", "/shutbox golf 0 match=rounds:2",
		"/wuerfelpoker point=2"} {
		people := h.Gather(line, "Anna", "Ben")
		anna := people[0]
		table := anna.Table().ID
		film := h.Filmed(people)
		r := anna.Writes(fmt.Sprint("/history ", table))
		for k, was := range film {
			bare.Page(t, r)
			is := r.Private
			start := fmt.Sprintf("Game #%d, before the first roll. ", table)
			if k > 0 {
				start = fmt.Sprintf("Game #%d, move %d of %d. ", table, k, len(film)-1)
			}
			if is.Head != start+was.Said() {
				t.Fatalf("%s step %d: %q was %q", line, k, is.Head, was.Head)
			}
			for i := range was.Dice {
				was.Dice[i].Press = ""
			}
			for i := range is.People {
				is.People[i].User, was.People[i].User = "", ""
			}
			if is.Sheet != nil {
				was.Sheet.Asked, was.Sheet.Star = true, is.Sheet.Star
				for _, row := range was.Sheet.Rows {
					for i := range row.Cells {
						row.Cells[i].Press, row.Cells[i].Label = "", ""
					}
				}
			}
			was.Head, was.Told, was.Buttons, was.Table = is.Head, nil, is.Buttons, is.Table
			was.Accent, was.Deadline = is.Accent, nil
			was.Guide, is.Guide = "", ""
			was.Live, was.Concerns, was.Pick, was.Turn = false, nil, nil, 0 // a past state cannot be played
			was.Version = 0                                                 // a past state is not updated
			was.Game = ""                                                   // the headline names the game
			if k < len(film)-1 {
				if was.Small == "" && len(is.Lines) > 0 && round.MatchString(is.Lines[0]) { // the board omits the round
					was.Small = is.Lines[0]
				}
				// The game's own part of the small print, without stakes and rules.
				notes := slices.DeleteFunc(strings.Split(was.Small, " · "), func(part string) bool {
					return part == "" || strings.HasPrefix(part, "Pool ") || part == "Canoga" || part == "Golf"
				})
				was.Lines = slices.Insert(was.Lines, 0, notes...)
				was.Small = film[len(film)-1].Small // a finished game shows the dice and the rules here
			}
			was.Lines = slices.DeleteFunc(was.Lines, func(l string) bool {
				return strings.HasPrefix(l, "📦 ")
			})
			if diff := cmp.Diff(was, *is, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s step %d: %s", line, k, diff)
			}
			r = anna.Sends(bare.PressOn(t, r, "▶"))
		}
		if last := anna.Sends(bare.PressOn(t, r, "⏭")); bare.Show(*last.Private) != bare.Show(*r.Private) {
			t.Errorf("%s: behind the end is something", line)
		}
	}
}

func TestPastGameOfManyShowsOneColumn(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	anna.Writes("/wuerfelpoker")
	for range 5 {
		anna.Sends("1:1:0:!house random")
	}
	anna.Sends("1:1:0:!start")
	h.PressOut([]*bare.Person{anna})
	r := anna.Writes("/history 1 3")
	if s := r.Private.Sheet; s == nil || len(s.Columns) != 1 || !s.Asked {
		t.Errorf("%+v", s)
	}
	bare.Page(t, r)
	bare.Page(t, anna.Writes("/history"))
}
