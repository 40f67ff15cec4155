package books_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/games/zehntausend"
)

// Any number in groups is read as its digits, if all signs are alike and the reader's own; whatever else is no number
// of these is never read as one.
func TestAnyAmountInGroups(t *testing.T) {
	h := bare.New(t, zehntausend.Game{})
	anna := h.Person("Anna")
	bare.Owing(h, "chips", map[string]int64{"Anna": -1000, "Ben": 1000})
	rapid.Check(t, func(t *rapid.T) {
		anna.Locale = rapid.SampledFrom([]string{"en", "de"}).Draw(t, "language")
		sign := rapid.SampledFrom([]string{",", ".", "\u00a0", "\u202f", "'", "_"}).Draw(t, "sign")
		own := map[string]string{"en": ",", "de": "."}[anna.Locale]
		groups := rapid.SliceOfN(rapid.StringMatching(`[0-9]{2,4}`), 1, 3).Draw(t, "groups")
		head := rapid.StringMatching(`[1-9][0-9]{0,3}`).Draw(t, "head")
		fits := len(head) <= 3
		for _, g := range groups {
			fits = fits && len(g) == 3
		}
		said := strings.Join(append([]string{head}, groups...), sign)
		r := anna.Writes("/settle paid " + said + " Nobody")
		read := strings.Contains(r.Toast, "Nobody")
		switch asks := r.Private != nil; {
		case asks:
			if fitting := fits && (sign == "," || sign == ".") && sign != own; !fitting {
				t.Fatalf("%s: asks %q", anna.Locale, said)
			}
		case read && strings.ContainsAny(sign, ",.'_"):
			if !fits || sign != own {
				t.Fatalf("%s: reads %q", anna.Locale, said)
			}
		}
	})
}
