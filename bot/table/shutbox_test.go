package table_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
)

// TestEveryVariantOfShutbox plays each variant to its end by pressing what is
// offered, with a house player where there is room, and looks at each board.
func TestEveryVariantOfShutbox(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	for i, v := range (shutbox.Game{}).Variants() {
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Place = chat.Place("test:1/" + v.Name)
		ben.Place = anna.Place
		if i%2 == 1 {
			anna.Locale, ben.Locale = "de", "de"
		}
		if r := anna.Writes("/shutbox 5 variant=" + v.Name); r.Refused {
			t.Errorf("%s: %s", v.Name, r.Toast)
			continue
		}
		table := anna.Table().ID
		ben.Sends(fmt.Sprintf("1:%d:0:!join", table))
		anna.Sends(fmt.Sprintf("1:%d:0:!house fewest", table))
		h.Agree(ben)
		anna.Sends(fmt.Sprintf("1:%d:0:!start", table))
		h.PlayOn(v.Name, anna, ben)
		if rules := anna.Writes("/rules").Private; rules == nil || len(rules.Lines) == 0 {
			t.Errorf("%s is not explained: %v", v.Name, rules)
		} else {
			bare.Proper(t, *rules)
		}
	}
	h.Sound()
	h.Export(review.Wanted{})
}
