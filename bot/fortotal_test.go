package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/games/sheet/sets"
)

// toldOfTotal is what is said of perfect play in a language: at its seat, in the rules, at the end and in the review.
type toldOfTotal struct{ lang, seat, rules, points, review string }

// Where a pool is played for, or points that a sheet gives in the end, perfect play goes for the total: the lobby, the
// rules, the end of the game and its review say so. Nothing says so where totals are settled.
func TestPerfectPlayForTheTotalIsToldApart(t *testing.T) {
	beside(t)
	const beside, besideDE = "in points of the sheet, not of the pool.", "in Punkten auf dem Zettel, nicht vom Topf."
	const inTotal, inTotalDE = "in points of the total, not in those that count in the end.",
		"in Punkten der Summe, nicht in denen, die am Ende zählen."
	english := toldOfTotal{"en", "perfect, plays for the total", "go for the highest total on average", " points", ""}
	german := toldOfTotal{"de", "perfekt, spielt auf die Summe", "gehen auf die höchste Summe im Schnitt", " Punkte",
		""}
	for line, c := range map[string]struct {
		reviews [2]string // in English and German
		other   bool      // perfect play goes for something else than what is settled
	}{
		"/crag 5":              {[2]string{beside, besideDE}, true},
		"/crag settle=pool 0":  {[2]string{beside, besideDE}, true},
		"/balut":               {[2]string{inTotal, inTotalDE}, true},
		"/balut settle=pool 5": {[2]string{beside, besideDE}, true},
		"/crag":                {[2]string{"in points.", "in Punkten."}, false},
	} {
		for i, told := range []toldOfTotal{english, german} {
			if i > 0 && line != "/crag 5" && line != "/balut" && !needs.IsLong() {
				continue // there is a sentence of each kind
			}
			told.review = c.reviews[i]
			t.Run(line+" "+told.lang, func(t *testing.T) { told.check(t, line, c.other) })
		}
	}
}

// check opens a table, plays it, and looks at what is said; other says that perfect play goes for the total.
func (c toldOfTotal) check(t *testing.T, line string, other bool) {
	t.Helper()
	h := newHouse(t, sets.Crag(), sets.Balut())
	h.seeds = &counting{}
	h.restart()
	people := h.gather(line, "Anna", "Ben")
	anna := people[0]
	for _, p := range people {
		p.locale = c.lang
	}
	if err := h.bot.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	says := func(where, text, part string, want bool) {
		t.Helper()
		if strings.Contains(text, part) != want {
			t.Errorf("%s: %q is to be said: %t\n%s", where, part, want, text)
		}
	}
	anna.locale = c.lang
	says("the rules", show(*anna.writes("/rules").Private), c.rules, other)
	anna.sends(fmt.Sprintf("1:%d:0:!page houses", anna.table().ID))
	says("the houses", show(anna.board()), c.seat, other)
	anna.sends(fmt.Sprintf("1:%d:0:!page", anna.table().ID))
	anna.sends(fmt.Sprintf("1:%d:0:!house perfect", anna.table().ID))
	says("the lobby", show(anna.board()), c.seat, other)
	anna.sends(fmt.Sprintf("1:%d:0:!unhouse", anna.table().ID))
	for _, p := range people {
		h.agree(p)
	}
	h.filmed(people)
	if err := h.bot.AwaitReview(context.Background(), anna.table().ID); err != nil {
		t.Fatal(err)
	}
	review := show(anna.asks("/review"))
	says("the review", strings.SplitN(review, "\n", 2)[0], c.review, true)
	_, luck, _ := strings.Cut(show(anna.board()), "\nAnna: ")
	says("the end", "Anna: "+luck, c.points, other)
	h.sound()
}
