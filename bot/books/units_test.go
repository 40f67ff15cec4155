package books_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/store"
)

// What was won in a unit of before is still told.
func TestStatisticsOfEveryUnit(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna := h.Person("Anna")
	h.Game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna.Admin = true
	anna.Writes("/unit coffees")
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nChips won and lost: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.Game("/pile 7", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got,
		"\ncoffees won and lost: +7.\nChips won and lost: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.Sound()
}

// Money is refused in every way of writing that reads as its name.
func TestAUnitIsNoMoneyHoweverItIsWritten(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	for _, unit := range []string{"Euro", "ＥＵＲ", "＄", "𝐞𝐮𝐫𝐨", "Ⓔuro", "ꓰuro", "rubľ", "ëuró", "d0llar", "Eur0"} {
		if r := anna.Writes("/unit " + unit); !r.Refused {
			t.Errorf("%s is a unit", unit)
		}
	}
	for _, unit := range []string{"Würstchen", "Crème brûlée", "①er"} {
		if r := anna.Writes("/unit " + unit); r.Refused {
			t.Errorf("%s is refused: %v", unit, r)
		}
	}
}

// A unit in which all came out at zero is named, one that was only played for fun is not.
func TestStatisticsOfAUnitThatCameOutAtZero(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	anna, people := h.Person("Anna"), []string{"Anna", "Ben"}
	h.Game("/pile 0", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	if got := bare.Page(t, anna.Writes("/stats")); strings.Contains(got, "won and lost") {
		t.Errorf("got\n%s", got)
	}
	h.Game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	h.Game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nChips won and lost: 0.\n") {
		t.Errorf("got\n%s", got)
	}
}

// The default ranking is the first in which a game counts in the period, also where its sums are zero.
func TestTheUsualRankingFollowsTheGamesNotTheirSums(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna, people := h.Person("Anna"), []string{"Anna", "Ben"}
	ranks := func(line, head string) {
		t.Helper()
		if got := bare.Said(t, anna.Writes(line)); !strings.HasPrefix(got, head) {
			t.Errorf("%s says\n%s\nwant\n%s", line, got, head)
		}
	}
	h.Game("/pile 0", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	ranks("/leaderboard", "Games won, November: 1 game.")
	h.Game("/tally", people, "Anna say 10", "Ben say 10")
	ranks("/leaderboard", "Difference to the average, November: 1 game.\n1. Anna 0 ")
	h.Game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	ranks("/leaderboard", "Pools in chips, November: 2 games.\n1. Anna +5 ")
	h.Game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	ranks("/leaderboard", "Pools in chips, November: 3 games.\n1. Anna 0 ")

	anna.Admin = true
	anna.Writes("/unit coffees")
	ranks("/leaderboard", "Pools in chips, November: 3 games.\n")
	h.Wait(30 * 24 * time.Hour)
	h.Game("/tally", people, "Anna say 10", "Ben say 10")
	ranks("/leaderboard", "Difference to the average, December: 1 game.")
	ranks("/leaderboard month", "Difference to the average, December: 1 game.")
	ranks("/leaderboard all", "Pools in chips, all time: 3 games.")
	ranks("/leaderboard 2023-11", "Pools in chips, November: 3 games.")
	h.Game("/pile 5", people, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	h.Game("/pile 5", people, "Anna take 2+1", "Ben take 6+5", "Anna take 4+3")
	ranks("/leaderboard", "Pools in coffees, December: 2 games.\n1. Anna 0 ")
	h.Wait(30 * 24 * time.Hour)
	ranks("/leaderboard evening", "Pools in coffees, 13 January: nothing has been played there.")
	h.Sound()
}

// Among more than fit into an answer everybody still finds themselves.
func TestSettlingUpOfManyShowsTheAsker(t *testing.T) {
	h := bare.New(t)
	dora := h.Person("Dora")
	err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
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
	r := dora.Writes("/settle")
	got := bare.Said(t, r)
	if strings.Count(got, " · … · Dora −5\n") != 2 || strings.Count(got, "\nDora → ") != 2 ||
		strings.Count(got, "[Paid: Dora → ") != 2 {
		t.Errorf("got\n%s", got)
	}
	told := dora.Sends(r.Private.Buttons[0][0].Press)
	if got := bare.Said(t, told); !strings.HasPrefix(got, "#1 Dora → ") {
		t.Errorf("got\n%s", got)
	}
}

// A game that goes on is nobody's balance yet.
func TestNothingToExplainBeforeAGameHasEnded(t *testing.T) {
	h := bare.New(t)
	people := h.Gather("/coin 5", "Anna", "Ben")
	people[0].Presses("▶ Start")
	for lang, want := range map[string]string{"en": "Anna stands at zero. Chips: nothing was won or lost.\n[Back]",
		"de": "Anna steht auf null. Chips: nichts gewonnen, nichts verloren.\n[Zurück]"} {
		people[0].Locale = lang
		if got := strings.TrimSpace(bare.Said(t, people[0].Writes("/settle why"))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
