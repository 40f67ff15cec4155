package bot_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"knobel/bot/review"
	"knobel/games/record"
	"knobel/store"
)

// outs plays games at random in one chat, in which people miss their turns and are
// out, each with what the last has left in the box, and returns their records.
func outs(t *testing.T, seed uint64, rounds int, line string) (*clocked, []record.Record) {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 11))
	c := newClocked(t, line, "Anna", "Ben", "Clara")
	for round := range rounds {
		if round > 0 {
			c.people[0].presses("↻ Rematch")
			for _, p := range c.people[1:] {
				p.presses("Sit down")
			}
			c.people[0].presses("▶ Start")
		}
		for c.people[0].table().State == store.Playing {
			table := c.people[0].table()
			switch {
			case table.Due == 0: // all are away who are not out
				for _, p := range c.people {
					p.sends(fmt.Sprintf("1:%d:%d:!back", table.ID, table.Turn))
				}
			case chance.IntN(6) == 0:
				c.misses()
			default:
				c.pressAll(c.people)
			}
		}
	}
	c.verified()
	var all []record.Record
	for _, line := range c.export(review.Wanted{}) {
		r, err := record.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return c, all
}

// pressAll has each of some people press the first button while the game goes on.
func (c *clocked) pressAll(people []*person) {
	for _, p := range people {
		if p.table().State == store.Playing {
			p.sends(p.board().Buttons[0][0].Press)
		}
	}
}

// TestRecordsWithSomebodyOutAddUpWithTheBooks: what the records say that everybody
// won is what the ledger holds, and each box is what the game before has left.
func TestRecordsWithSomebodyOutAddUpWithTheBooks(t *testing.T) {
	lines := []string{
		"/shutbox 10 turn=1m absent=out ties=share tiles=1-3",
		"/shutbox 7 turn=1m absent=out shut=pays-double match=rounds:2 tiles=4-9",
		"/shutbox 5 turn=1m absent=out variant=lucky-seven", "/shutbox 11 turn=1m absent=out match=knockout:45",
	}
	found := 0
	for seed, line := range lines {
		bubble(t, func(t *testing.T) {
			c, all := outs(t, uint64(seed), 4, line)
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
				c.balance("player:test:"+name, amount)
			}
			c.balance("box", box)
		})
	}
	if found < 8 {
		t.Errorf("only %d seats were out", found)
	}
}

// checkOuts wants those who were out to come last with nothing won, and all that
// they played from then on to have been played for them, from the next move on.
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

// TestRecordsOfOlderGamesSayWhoWasOut: where it was not noted, from the last move
// that the seat made itself.
func TestRecordsOfOlderGamesSayWhoWasOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 turn=1m absent=out match=rounds:2", "Anna", "Ben", "Clara")
		for c.toMove() == 0 {
			c.people[0].sends(c.people[0].board().Buttons[0][0].Press)
		}
		own := len(c.moves(1))
		for _, p := range c.people[1:] {
			for c.toMove() > 0 && c.people[c.toMove()] == p {
				p.sends(p.board().Buttons[0][0].Press)
			}
		}
		between := len(c.moves(1))
		c.misses()
		for c.people[0].table().State == store.Playing {
			c.pressAll(c.people[1:])
		}
		if got := *c.recordOf(1).Seats[0].Out; got != between {
			t.Errorf("out after move %d, want %d", got, between)
		}
		c.tamper("UPDATE seats SET out_from = 0")
		if got := *c.recordOf(1).Seats[0].Out; got != own {
			t.Errorf("in an older game: out after move %d, want %d", got, own)
		}
		c.verified()
		refused(t, c.people[0].writes("/review 1"), "No review: a seat was out, so dice alone did not decide.")
		c.people[0].locale = "de"
		refused(t, c.people[0].writes("/review 1"), "Keine Auswertung: Ein Platz war raus, das zählte mit.")
		c.people[0].locale = "en"
		before := show(*c.people[0].writes("/history 1").Private)
		end := show(*c.people[0].writes("/history 1 last").Private)
		if strings.Contains(before, "is out") || !strings.Contains(end, "out") {
			t.Errorf("before the first throw:\n%s\nat the end:\n%s", before, end)
		}
	})
}
