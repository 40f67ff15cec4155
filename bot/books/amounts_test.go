package books_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
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

func TestAmountsOfACommand(t *testing.T) {
	const unknown = " is not known. /help shutbox shows what is."
	for _, c := range []struct{ lang, line, want string }{
		{"en", "/shutbox 1,000", "1000 map[]"},
		{"de", "/shutbox 1.000", "1000 map[]"},
		{"en", "/shutbox 1\u00a0000 canoga", "1000 map[variant:canoga]"},
		{"en", "/shutbox stake=1\u202f000\u202f000", "1000000 map[]"},
		{"en", "/shutbox 1.000", "1000 or 1"},
		{"de", "/shutbox canoga stake=10,000", "10.000 or 10"},
		{"en", "/shutbox 1 000", "1000 or 1"},
		{"de", "/shutbox 20 000 canoga", "20.000 or 20"},
		{"en", "/shutbox tiles=10 100", "100 map[tiles:10]"},
		{"en", "/shutbox 100 tiles=10", "100 map[tiles:10]"},
		{"en", "/shutbox 5 10", "“stake” stands there twice. Say it once."},
		{"en", "/shutbox 1,00", "“1,00”" + unknown},
		{"en", "/shutbox 0,500", "“0,500”" + unknown},
		{"de", "/shutbox 0,500", "„0,500“ kenne ich nicht. /help shutbox zeigt, was geht."},
		{"en", "/shutbox 1,000.000", "“1,000.000”" + unknown},
		{"en", "/shutbox 1,0000", "“1,0000”" + unknown},
		{"en", "/shutbox 1'000", "“1'000”" + unknown},
		{"en", "/shutbox 24.70", "“24.70”" + unknown},
		{"en", "/shutbox 2,000,000", "The highest stake is 1,000,000. Take that, or less."},
		{"en", "/shutbox 999.999.999.999.999.999", "The highest stake is 1,000,000. Take that, or less."},
		{"en", "/play zehntausend target=20,000", "10 map[target:20000]"},
		{"en", "/zehntausend target=20.000", "20,000 or 20"},
		{"en", "/zehntausend target=20 000 entry=500", "20,000 or 20"},
		{"de", "/würfelpoker point=1.000", "0 map[point:1000]"},
		{"en", "/play shut the box 1 000", "1000 or 1"},
	} {
		h := bare.New(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
		anna := h.Person("Anna")
		anna.Locale = c.lang
		question := map[string]string{"en": "Which amount do you mean?", "de": "Welchen Betrag meinst du?"}[c.lang]
		got := whichAmount(anna.Writes(c.line), question)
		if got == "" {
			got = fmt.Sprint(anna.Table().Stake, " ", anna.Table().Rules)
		}
		if got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.lang, c.line, got, c.want)
		}
	}
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
