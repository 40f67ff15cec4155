package review_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/store"
)

// playWithDropouts opens a table with the chat command in line and plays as many games there as rounds. People miss
// turns at random and drop out. The box (jackpot) passes from game to game. It also returns the records of the games.
func playWithDropouts(t *testing.T, seed uint64, rounds int, line string) (*bare.Clocked, []record.Record) {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 11))
	c := bare.NewClocked(t, line, "Anna", "Ben", "Clara")
	for round := range rounds {
		if round > 0 {
			c.People[0].Presses("↻ Rematch")
			for _, p := range c.People[1:] {
				p.Presses("Join")
			}
			c.People[0].Presses("▶ Start")
		}
		for c.People[0].Table().State == store.Playing {
			table := c.People[0].Table()
			switch {
			case table.Clock.Due == 0: // all remaining players are away
				for _, p := range c.People {
					p.Sends(fmt.Sprintf("1:%d:%d:!back", table.ID, table.Turn))
				}
			case chance.IntN(6) == 0:
				c.Misses()
			default:
				pressAll(c, c.People)
			}
		}
	}
	c.Verified()
	var all []record.Record
	for _, line := range c.Export(review.Wanted{}) {
		r, err := record.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return c, all
}

// pressAll lets each of people press the first button while the game is running.
func pressAll(c *bare.Clocked, people []*bare.Person) {
	for _, p := range people {
		if p.Table().State == store.Playing {
			p.Sends(p.Board().Buttons[0][0].Press)
		}
	}
}

// TestRecordsWithSeatsOutAddUpWithTheBooks compares the winnings in the records with the balances, and the chips that
// each game took from the box (jackpot) with those that the previous game left there.
func TestRecordsWithSeatsOutAddUpWithTheBooks(t *testing.T) {
	lines := []string{
		"/shutbox 10 turn=1m absent=out ties=share tiles=1-3",
		"/shutbox 7 turn=1m absent=out shut=pays-double match=rounds:2 tiles=4-9",
		"/shutbox 5 turn=1m absent=out variant=lucky-seven", "/shutbox 11 turn=1m absent=out match=knockout:45",
	}
	found := 0
	for seed, line := range lines {
		bare.Bubble(t, func(t *testing.T) {
			c, all := playWithDropouts(t, uint64(seed), 4, line)
			won := map[string]int64{}
			box := int64(0)
			for _, r := range all {
				var moved record.Box
				if r.Box != nil {
					moved = *r.Box
				}
				if moved.In != box {
					t.Errorf("%s, table %s: the box gave %d, and the game before left %d", line, r.Table, moved.In, box)
				}
				box = moved.Out
				for i, row := range r.Result {
					won[r.Seats[i].Name] += row.Pool
				}
				found += len(r.OutOf())
				checkOuts(t, r)
			}
			for name, amount := range won {
				c.Balance("player:test:"+name, amount)
			}
			c.Balance("box", box)
		})
	}
	if found < 8 {
		t.Errorf("only %d seats were out", found)
	}
}

// checkOuts fails unless seats that left the game are last and win nothing, and all their later moves were made for
// them.
func checkOuts(t *testing.T, r record.Record) {
	t.Helper()
	for _, seat := range r.OutOf() {
		after := *r.Seats[seat].Out
		if next := r.Moves[after]; next.Seat != seat || !next.Auto {
			t.Errorf("table %s: seat %d was out after move %d, and %+v followed", r.Table, seat, after, next)
		}
		if row := r.Result[seat]; row.Pool > -r.Stake {
			t.Errorf("table %s: seat %d was out, and has %+v", r.Table, seat, row)
		}
		for i, row := range r.Result {
			if r.Seats[i].Out == nil && row.Place >= r.Result[seat].Place {
				t.Errorf("table %s: seat %d was out, and comes before seat %d: %+v", r.Table, seat, i, r.Result)
			}
		}
	}
}

// TestRecordsOfOlderGamesSayWhichSeatsWereOut: old versions did not store this, so a seat's last own move shows it.
func TestRecordsOfOlderGamesSayWhichSeatsWereOut(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 turn=1m absent=out match=rounds:2", "Anna", "Ben", "Clara")
		for c.ToMove() == 0 {
			c.People[0].Sends(c.People[0].Board().Buttons[0][0].Press)
		}
		own := len(c.Moves(1))
		for _, p := range c.People[1:] {
			for c.ToMove() > 0 && c.People[c.ToMove()] == p {
				p.Sends(p.Board().Buttons[0][0].Press)
			}
		}
		between := len(c.Moves(1))
		c.Misses()
		for c.People[0].Table().State == store.Playing {
			pressAll(c, c.People[1:])
		}
		if got := *c.RecordOf(1).Seats[0].Out; got != between {
			t.Errorf("out after move %d, want %d", got, between)
		}
		c.Tamper("UPDATE seats SET out_from = 0")
		if got := *c.RecordOf(1).Seats[0].Out; got != own {
			t.Errorf("in an older game: out after move %d, want %d", got, own)
		}
		c.Verified()
		bare.Refused(t, c.People[0].Writes("/review 1"), "No review: a player was out before the end.")
		c.People[0].Locale = "de"
		bare.Refused(t, c.People[0].Writes("/review 1"), "Keine Auswertung: Ein Platz war vor dem Ende raus.")
		c.People[0].Locale = "en"
		before := bare.Show(*c.People[0].Writes("/history 1").Private)
		end := bare.Show(*c.People[0].Writes("/history 1 last").Private)
		if strings.Contains(before, "is out") || !strings.Contains(end, "out") {
			t.Errorf("before the first throw:\n%s\nat the end:\n%s", before, end)
		}
	})
}
