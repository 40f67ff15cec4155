package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// What was won in a unit of before is still told.
func TestStatisticsOfEveryUnit(t *testing.T) {
	h := newHouse(t, pile{})
	anna := h.person("Anna")
	h.game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna.admin = true
	anna.writes("/unit coffees")
	if got := page(t, anna.writes("/stats")); !strings.Contains(got, "\nChips won and lost: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.game("/pile 7", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	if got := page(t, anna.writes("/stats")); !strings.Contains(got,
		"\ncoffees won and lost: +7.\nChips won and lost: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.sound()
}

// Money is refused in every way of writing that reads as its name.
func TestAUnitIsNoMoneyHoweverItIsWritten(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.admin = true
	for _, unit := range []string{"Euro", "ＥＵＲ", "＄", "𝐞𝐮𝐫𝐨", "Ⓔuro", "ꓰuro", "rubľ", "ëuró", "d0llar", "Eur0"} {
		if r := anna.writes("/unit " + unit); !r.Refused {
			t.Errorf("%s is a unit", unit)
		}
	}
	for _, unit := range []string{"Würstchen", "Crème brûlée", "①er"} {
		if r := anna.writes("/unit " + unit); r.Refused {
			t.Errorf("%s is refused: %v", unit, r)
		}
	}
}

// A unit in which all came out at zero is named, one that was only played for fun is not.
func TestStatisticsOfAUnitThatCameOutAtZero(t *testing.T) {
	h := newHouse(t, pile{})
	anna, people := h.person("Anna"), []string{"Anna", "Ben"}
	h.game("/pile 0", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	if got := page(t, anna.writes("/stats")); strings.Contains(got, "won and lost") {
		t.Errorf("got\n%s", got)
	}
	h.game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	h.game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	if got := page(t, anna.writes("/stats")); !strings.Contains(got, "\nChips won and lost: 0.\n") {
		t.Errorf("got\n%s", got)
	}
}

// The default ranking is the first in which a game counts in the period, also where its sums are zero.
func TestTheUsualRankingFollowsTheGamesNotTheirSums(t *testing.T) {
	h := newHouse(t, tally{}, pile{})
	anna, people := h.person("Anna"), []string{"Anna", "Ben"}
	ranks := func(line, head string) {
		t.Helper()
		if got := said(t, anna.writes(line)); !strings.HasPrefix(got, head) {
			t.Errorf("%s says\n%s\nwant\n%s", line, got, head)
		}
	}
	h.game("/pile 0", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	ranks("/leaderboard", "Games won, November: 1 game.")
	h.game("/tally", people, "Anna say 10", "Ben say 10")
	ranks("/leaderboard", "Difference to the average, November: 1 game.\n1. Anna 0 ")
	h.game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	ranks("/leaderboard", "Pools in chips, November: 2 games.\n1. Anna +5 ")
	h.game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	ranks("/leaderboard", "Pools in chips, November: 3 games.\n1. Anna 0 ")

	anna.admin = true
	anna.writes("/unit coffees")
	ranks("/leaderboard", "Pools in chips, November: 3 games.\n")
	h.wait(30 * 24 * time.Hour)
	h.game("/tally", people, "Anna say 10", "Ben say 10")
	ranks("/leaderboard", "Difference to the average, December: 1 game.")
	ranks("/leaderboard month", "Difference to the average, December: 1 game.")
	ranks("/leaderboard all", "Pools in chips, all time: 3 games.")
	ranks("/leaderboard 2023-11", "Pools in chips, November: 3 games.")
	h.game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	h.game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	ranks("/leaderboard", "Pools in coffees, December: 2 games.\n1. Anna 0 ")
	h.wait(30 * 24 * time.Hour)
	ranks("/leaderboard evening", "Pools in coffees, 13 January: nothing has been played there.")
	h.sound()
}

// Among more than fit into an answer everybody still finds themselves.
func TestSettlingUpOfManyShowsTheAsker(t *testing.T) {
	h := newHouse(t)
	dora := h.person("Dora")
	err := h.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		for unit, scale := range map[string]int64{"chips": 100, "wishes": 1} {
			p := store.Posting{Chat: "test:1", Unit: unit, Kind: store.Payout}
			for i := range int64(21) {
				p.Entries = append(p.Entries, store.Entry{Account: fmt.Sprintf("player:test:P%d", i),
					Amount: (i + 1) * scale})
				p.Entries = append(p.Entries, store.Entry{Account: fmt.Sprintf("player:test:M%d", i),
					Amount: -(i + 1) * scale})
			}
			p.Entries = append(p.Entries, store.Entry{Account: "player:test:Z", Amount: 5},
				store.Entry{Account: "player:test:Dora", Amount: -5})
			if err := tx.Post(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := dora.writes("/settle")
	got := said(t, r)
	if strings.Count(got, " · … · Dora −5\n") != 2 || strings.Count(got, "\nDora → ") != 2 ||
		strings.Count(got, "[Paid: Dora → ") != 2 {
		t.Errorf("got\n%s", got)
	}
	told := dora.sends(r.Private.Buttons[0][0].Press)
	if got := said(t, told); !strings.HasPrefix(got, "#1 Dora → ") {
		t.Errorf("got\n%s", got)
	}
}

// A game that goes on is nobody's balance yet.
func TestNothingToExplainBeforeAGameHasEnded(t *testing.T) {
	h := newHouse(t)
	people := h.gather("/coin 5", "Anna", "Ben")
	people[0].presses("▶ Start")
	for lang, want := range map[string]string{"en": "Anna stands at zero. Chips: nothing was won or lost.\n[Back]",
		"de": "Anna steht auf null. Chips: nichts gewonnen, nichts verloren.\n[Zurück]"} {
		people[0].locale = lang
		if got := strings.TrimSpace(said(t, people[0].writes("/settle why"))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
