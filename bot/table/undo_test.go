package table_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/store"
)

// A game with moves taken back is recorded, and verified, as if they had never
// been made; at its end nothing can be taken back.
func TestUndoneMovesStandInNoRecord(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker point=1", "Anna", "Ben")
	people[0].Presses("▶ Start")
	undone := 0
	for people[0].Table().State == store.Playing {
		people[0].House.PressOn(people, 3)
		table := people[0].Table()
		for _, p := range people {
			if r := p.Sends(fmt.Sprintf("1:1:%d:!undo", table.Turn)); !r.Refused {
				undone++
			}
		}
	}
	m := people[0].Board()
	if undone < 5 || strings.Contains(bare.Show(m), "Undo") {
		t.Errorf("%d moves were taken back; over:\n%s", undone, bare.Show(m))
	}
	for _, p := range people {
		bare.Refused(t, p.Sends(fmt.Sprintf("1:1:%d:!undo", p.Table().Turn)),
			"This game is over. ↻ Rematch plays the next.")
	}
	people[0].House.Sound()
	people[0].House.Export(review.Wanted{})
	record := people[0].House.RecordOf(1)
	if stored := len(people[0].House.Moves(1)); len(record.Moves)+2*undone != stored {
		t.Errorf("%d moves in the record, %d stored, %d taken back", len(record.Moves), stored, undone)
	}
}

func TestHistoriesThatCannotBe(t *testing.T) {
	for name, plant := range map[string]string{
		"another's row":    `UPDATE moves SET seat = 1 WHERE move = '!undo'`,
		"a throw":          `UPDATE moves SET dice = '[1,2,1,3,5]' WHERE move = 'write fives'`,
		"nothing":          `UPDATE moves SET move = '!undo' WHERE number = 1`,
		"nothing is taken": `UPDATE moves SET move = 'write fives' WHERE move = '!undo'`,
	} {
		anna, _ := bare.Written(t)
		anna.Presses("↶ Undo")
		anna.Sound()
		anna.House.Tamper(plant)
		faults, err := anna.House.Bot.Check(context.Background(), nil)
		if err != nil || len(faults) != 1 || !strings.HasPrefix(faults[0], "table 1: ") {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
	}
}
