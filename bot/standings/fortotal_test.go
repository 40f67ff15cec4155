package standings_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/fakes/needs"
	"knobel/games/sheet/sets"
)

// toldOfTotal is what is said of perfect play in a language: at its seat, in the rules, at the end and in the review.
type toldOfTotal struct{ lang, seat, rules, points, review string }

// Where a pool is played for, or points that a sheet gives in the end, perfect play goes for the total: the lobby, the
// rules, the end of the game and its review say so. Nothing says so where totals are settled.
func TestPerfectPlayForTheTotalIsToldApart(t *testing.T) {
	bare.Beside(t)
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
	h := bare.New(t, sets.Crag(), sets.Balut())
	h.Seeds = &bare.Counting{}
	h.Restart()
	people := h.Gather(line, "Anna", "Ben")
	anna := people[0]
	for _, p := range people {
		p.Locale = c.lang
	}
	if err := h.Bot.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	says := func(where, text, part string, want bool) {
		t.Helper()
		if strings.Contains(text, part) != want {
			t.Errorf("%s: %q is to be said: %t\n%s", where, part, want, text)
		}
	}
	anna.Locale = c.lang
	says("the rules", bare.Show(*anna.Writes("/rules").Private), c.rules, other)
	anna.Sends(fmt.Sprintf("1:%d:0:!page houses", anna.Table().ID))
	says("the houses", bare.Show(anna.Board()), c.seat, other)
	anna.Sends(fmt.Sprintf("1:%d:0:!page", anna.Table().ID))
	anna.Sends(fmt.Sprintf("1:%d:0:!house perfect", anna.Table().ID))
	says("the lobby", bare.Show(anna.Board()), c.seat, other)
	anna.Sends(fmt.Sprintf("1:%d:0:!unhouse", anna.Table().ID))
	for _, p := range people {
		h.Agree(p)
	}
	h.Filmed(people)
	if err := h.Bot.AwaitReview(context.Background(), anna.Table().ID); err != nil {
		t.Fatal(err)
	}
	review := bare.Show(anna.Asks("/review"))
	says("the review", strings.SplitN(review, "\n", 2)[0], c.review, true)
	_, luck, _ := strings.Cut(bare.Show(anna.Board()), "\nAnna: ")
	says("the end", "Anna: "+luck, c.points, other)
	h.Sound()
}
