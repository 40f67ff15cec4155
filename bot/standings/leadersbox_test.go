package standings_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// A box is shut and a score is low in the real Shut the Box.
func TestLeaderboardOfShutTheBox(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	g := shutbox.Game{}
	if !games.LowIsBest(g, nil) || games.LowIsBest(g, games.Rules{"variant": "canoga"}) ||
		games.LowIsBest(bare.Pile{}, nil) {
		t.Error("which score is best is not known")
	}
	for range 12 {
		anna.Writes("/shutbox 1 three-down")
		h.Person("Ben").Sends(fmt.Sprintf("1:%d:0:!join", anna.Table().ID))
		anna.Presses("▶ Start")
		for anna.Table().State == store.Playing {
			press := slices.Concat(anna.Board().Buttons...)[0].Press
			anna.Sends(press)
			h.Person("Ben").Sends(press)
		}
	}
	best, points, scored, shut := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}
	for id := int64(1); id <= 12; id++ {
		err := h.Store.View(context.Background(), func(tx *store.Tx) error {
			table, err := tx.Table(id)
			if err != nil {
				return err
			}
			rows, err := tx.Results(id)
			for i, r := range rows {
				name := table.Seats[i].Name
				shut[name] += r.Shut
				if !r.Threw {
					continue // the other has shut the box before
				}
				if low, met := best[name]; !met || r.Score < low {
					best[name] = r.Score
				}
				points[name] += r.Score
				scored[name]++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	mean := func(name string) *big.Rat { return big.NewRat(points[name], scored[name]) }
	for rank, better := range map[string]int{
		"best": cmp.Compare(best["Anna"], best["Ben"]), "mean": mean("Anna").Cmp(mean("Ben")),
		"shut": cmp.Compare(shut["Ben"], shut["Anna"]),
	} {
		names := []string{"Anna", "Ben"}
		if better > 0 {
			names = []string{"Ben", "Anna"}
		}
		shown := bare.Said(t, anna.Writes("/leaderboard rank="+rank+" three-down"))
		lines := strings.Split(shown, "\n")
		if !strings.Contains(lines[0], "Shut the Box three down, November: 12 games.") {
			t.Error(lines[0])
		}
		for i, name := range names {
			value, games := fmt.Sprint(best[name]), scored[name]
			switch rank {
			case "mean":
				value = mean(name).FloatString(2)
			case "shut":
				value, games = fmt.Sprint(shut[name]), 12
			}
			if want := fmt.Sprintf(". %s %s · %d games", name, value, games); !strings.Contains(lines[i+1], want) {
				t.Errorf("%s: %q is not in\n%s", rank, want, shown)
			}
		}
	}
	h.Sound()
}
