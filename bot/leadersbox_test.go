package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// A box is shut and a score is low in the real Shut the Box.
func TestLeaderboardOfShutTheBox(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	g := shutbox.Game{}
	if !games.LowIsBest(g, nil) || games.LowIsBest(g, games.Rules{"variant": "canoga"}) || games.LowIsBest(pile{}, nil) {
		t.Error("which score is best is not known")
	}
	for range 20 {
		anna.writes("/shutbox 1 three-down")
		h.person("Ben").sends(fmt.Sprintf("1:%d:0:!join", anna.table().ID))
		anna.presses("▶ Start")
		for anna.table().State == store.Playing {
			press := slices.Concat(anna.board().Buttons...)[0].Press
			anna.sends(press)
			h.person("Ben").sends(press)
		}
	}
	best, points, shut := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for id := int64(1); id <= 20; id++ {
		err := h.store.View(context.Background(), func(tx *store.Tx) error {
			table, err := tx.Table(id)
			if err != nil {
				return err
			}
			rows, err := tx.Results(id)
			for i, r := range rows {
				name := table.Seats[i].Name
				if low, met := best[name]; !met || r.Score < low {
					best[name] = r.Score
				}
				points[name] += r.Score
				shut[name] += r.Shut
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for line, values := range map[string]map[string]string{
		"best": {"Anna": fmt.Sprint(best["Anna"]), "Ben": fmt.Sprint(best["Ben"])},
		"mean": {"Anna": fmt.Sprintf("%.2f", float64(points["Anna"])/20), "Ben": fmt.Sprintf("%.2f", float64(points["Ben"])/20)},
		"shut": {"Anna": fmt.Sprint(shut["Anna"]), "Ben": fmt.Sprint(shut["Ben"])},
	} {
		first, second := "Anna", "Ben"
		if better := points["Ben"] < points["Anna"]; line == "mean" && better || line == "best" && best["Ben"] < best["Anna"] || line == "shut" && shut["Ben"] > shut["Anna"] {
			first, second = "Ben", "Anna"
		}
		list := strings.Split(said(t, anna.writes("/leaderboard rank="+line+" three-down")), "\n")
		if !strings.Contains(list[0], "Shut the Box three down, November: 20 games.") ||
			!strings.HasPrefix(list[1], "1. "+first+" "+values[first]+" · 20 games") || !strings.Contains(list[2], ". "+second+" "+values[second]+" · 20 games") {
			t.Errorf("%s of %v, %v, %v:\n%s", line, best, points, shut, strings.Join(list, "\n"))
		}
	}
	h.sound()
}
