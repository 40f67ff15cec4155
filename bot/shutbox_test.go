package bot_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// TestEveryVariantOfShutbox plays each variant to its end by pressing what is
// offered, with a house player where there is room, and looks at each board.
func TestEveryVariantOfShutbox(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	for i, v := range (shutbox.Game{}).Variants() {
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.place = chat.Place("test:1/" + v.Name)
		ben.place = anna.place
		if i%2 == 1 {
			anna.locale, ben.locale = "de", "de"
		}
		if r := anna.writes("/shutbox 5 variant=" + v.Name); r.Refused {
			t.Errorf("%s: %s", v.Name, r.Toast)
			continue
		}
		table := anna.table().ID
		ben.sends(fmt.Sprintf("1:%d:0:!join", table))
		anna.sends(fmt.Sprintf("1:%d:0:!house fewest", table))
		h.agree(ben)
		anna.sends(fmt.Sprintf("1:%d:0:!start", table))
		h.playOn(v.Name, anna, ben)
		if rules := anna.writes("/rules").Private; rules == nil || len(rules.Lines) == 0 {
			t.Errorf("%s is not explained: %v", v.Name, rules)
		} else {
			proper(t, *rules)
		}
	}
	h.sound()
	h.export(review.Wanted{})
}

// playOn presses the first button of every board, as whoever may, until the
// game is over.
func (h *house) playOn(variant string, people ...*person) {
	h.t.Helper()
	for range 5000 {
		table := people[0].table()
		if table.State == store.Over {
			if text := show(people[0].board()); utf8.RuneCountInString(text) > 500 {
				h.t.Errorf("%s ends with a long board:\n%s", variant, text)
			}
			return
		}
		m := people[0].board()
		if text := show(m); utf8.RuneCountInString(m.Head) > 160 {
			h.t.Errorf("%s has a long first line:\n%s", variant, text)
		}
		if len(m.Buttons) == 0 {
			h.t.Fatalf("%s has no button:\n%s", variant, show(m))
		}
		first := onward(m)
		pressed := false
		for _, p := range people {
			if r := p.sends(first.Press); !r.Refused {
				pressed = true
				break
			}
		}
		if !pressed {
			h.t.Fatalf("%s: nobody may press %q:\n%s", variant, first.Label, show(m))
		}
	}
	h.t.Fatalf("%s does not end", variant)
}

// onward is a button that leads on: the primary one, else the first that does
// not take back what is picked.
func onward(m chat.Message) chat.Button {
	var open []chat.Button
	for _, row := range m.Buttons {
		for _, b := range row {
			switch b.Style {
			case games.Primary:
				return b
			case games.Plain:
				open = append(open, b)
			}
		}
	}
	if len(open) == 0 {
		return m.Buttons[0][0]
	}
	return open[0]
}
