package review_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// badly plays a game of so many people to its end, all players pressing one button of the first row after the other.
func badly(h *bare.House, line string, names ...string) int64 {
	h.T.Helper()
	people := h.Gather(line, names...)
	people[0].Presses("▶ Start")
	for i := range 2000 {
		table := people[0].Table()
		if table.State != store.Playing {
			return table.ID
		}
		row := people[0].Board().Buttons[0]
		row = slices.DeleteFunc(row, func(b chat.Button) bool { return strings.Contains(b.Press, "!undo") })
		for _, p := range people {
			p.Sends(row[i%len(row)].Press)
		}
	}
	h.T.Fatalf("%s: it does not end\n%s", line, bare.Show(people[0].Board()))
	return 0
}

// TestSkillOverflowsByNothingThatIsPlayed: boards that are read as numbers of up to
// fifteen digits, in one round and in matches to a limit, alone and against others.
func TestSkillOverflowsByNothingThatIsPlayed(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	for _, line := range []string{
		"/shutbox digits tiles=12", "/shutbox digits tiles=12 match=knockout:1000000", "/shutbox digits",
		"/shutbox golf",
	} {
		for _, names := range [][]string{{"Anna"}, {"Anna", "Ben"}} {
			if !strings.Contains(line, "match") && len(names) > 1 {
				continue // a pool, whose costs are shares
			}
			for range 3 {
				table := badly(h, line, names...)
				if err := h.Bot.AwaitReview(context.Background(), table); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				if r := anna.Writes(fmt.Sprint("/review ", table)); r.Private == nil {
					t.Fatalf("%s: no review: %s", line, r.Toast)
				}
			}
		}
	}
	r := anna.Writes("/skill all")
	got := bare.Page(t, r)
	kinds := strings.Count(got, "points for each decision:")
	if kinds != 5 || strings.Count(got, ", practice, points") != 4 || strings.Contains(got, "books") ||
		strings.Contains(got, "looked at") {
		t.Errorf("%d kinds of games:\n%s", kinds, got)
	}
	h.Sound()
}

// boundless is Shut the Box whose perfect play expects too much to be kept.
type boundless struct{ shutbox.Game }

func (b boundless) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	p, err := b.Game.Solve(rules, seats)
	return expectsAll{p}, err
}

type expectsAll struct{ games.Perfect }

func (e expectsAll) Expect(m games.Match) ([]float64, error) {
	values, err := e.Perfect.Expect(m)
	for i := range values {
		values[i] = math.Inf(1)
	}
	return values, err
}

// TestAReviewThatCannotBeKeptIsGivenUp, and says so; no person is told to wait for it.
func TestAReviewThatCannotBeKeptIsGivenUp(t *testing.T) {
	h := bare.New(t, boundless{})
	anna := h.Person("Anna")
	table := badly(h, "/shutbox 5 tiles=1-3", "Anna", "Ben")
	if got := bare.Page(t, anna.Writes("/skill")); !strings.Contains(got, "looked at") {
		t.Errorf("it is not wanted:\n%s", got)
	}
	if err := h.Bot.AwaitReview(context.Background(), table); err == nil {
		t.Error("the operator is not told")
	}
	bare.Refused(t, anna.Writes(fmt.Sprint("/review ", table)),
		"Its review failed, and was given up. /history shows it.")
	if got := bare.Page(t, anna.Writes("/skill")); strings.Contains(got, "looked at") {
		t.Errorf("it is still wanted:\n%s", got)
	}
	if err := h.Store.View(t.Context(), func(tx *store.Tx) error {
		failed, err := tx.Reviews.GivenUp(9)
		if len(failed) != 1 || failed[0] != table {
			t.Errorf("given up are %v", failed)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	h.Sound()
}
