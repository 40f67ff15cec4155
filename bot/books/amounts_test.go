package books_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/games/zehntausend"
)

// whichAmount returns the labels of the buttons of a question about an amount, or the refusal.
func whichAmount(r chat.Reply, question string) string {
	if r.Private == nil || r.Private.Head != question {
		if !r.Refused {
			return ""
		}
		return r.Toast
	}
	var labels []string
	for _, b := range slices.Concat(r.Private.Buttons...) {
		labels = append(labels, b.Label)
	}
	return strings.Join(labels, " or ")
}

// Options that a platform has apart are asked about in the same way, and none of them is lost by the answer.
func TestAmountsOfOptionsApart(t *testing.T) {
	h := bare.New(t, zehntausend.New())
	anna := h.Person("Anna")
	ev := anna.Event()
	ev.Command, ev.Text = "play", "ones=300"
	ev.Options = map[string]string{"game": "zehntausend", "stake": "5", "options": "target=20.000 last=once-more"}
	r := h.Bot.Handle(t.Context(), ev)
	if got := whichAmount(r, "Which amount do you mean?"); got != "20,000 or 20" {
		t.Fatal(got)
	}
	anna.Sends(bare.PressOn(t, r, "20,000"))
	got, rules := anna.Table(), map[string]string{"ones": "300", "target": "20000", "last": "once-more"}
	if got.Stake != 5 || !maps.Equal(got.Rules, rules) {
		t.Errorf("stake %d, %v", got.Stake, got.Rules)
	}
}

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
