package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/review"
	"knobel/store"
)

// written is a table at which Anna has just written a row and Ben is to throw.
func written(t *testing.T) (anna, ben *person) {
	people := pokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben = people[0], people[1]
	anna.presses("▶ Start")
	anna.presses("Throw")
	anna.sends("1:1:1:!pick 0")
	anna.presses("Write…")
	anna.presses("Fives −10")
	return anna, ben
}

func TestUndo(t *testing.T) {
	anna, ben := written(t)
	throw := ben.button("Throw").Press
	undo := anna.button("↶ Undo").Press
	refused(t, ben.sends(undo), "Only Anna can take that back. Just ask.")
	refused(t, h(anna).person("Clara").sends(undo), "You are watching this game. Join the next one.")
	told(t, anna.sends(undo), "Taken back.")
	want(t, anna.board(), `
Anna threw 1 2 1 3 5. Two throws left.
Anna 0
Ben 0
Would score now: Ones −1, Twos −4 and Threes −6.
[1][2][1][3][5]
[Throw 5 dice][Write…][Sheet]`)
	refused(t, anna.sends(undo), "The table has moved on. Look at the newest board.")
	// what stood before threw dice
	refused(t, anna.sends("1:1:3:!undo"), "The table has moved on. Look at the newest board.")
	refused(t, ben.sends(throw), "The table has moved on. Look at the newest board.")
	anna.sound()

	// The throw of before goes on as if nothing had happened, after a restart too.
	h(anna).restart()
	anna.presses("Write…")
	anna.presses("Ones −1")
	undo = anna.button("↶ Undo").Press
	ben.presses("Throw")
	refused(t, anna.sends(undo), "Dice have been thrown since: it stands. Play on.")
	if m := ben.board(); strings.Contains(show(m), "Undo") {
		t.Errorf("dice have been thrown since\n%s", show(m))
	}
	refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)),
		"Dice have been thrown since: it stands. Play on.")
	var history []string
	for _, m := range h(anna).moves(1) {
		history = append(history, fmt.Sprint(m.Seat, " ", m.Move))
	}
	if got := strings.Join(history, ", "); got != "0 throw, 0 write fives, 0 !undo, 0 write ones, 1 throw" {
		t.Errorf("the history is %s", got)
	}
	anna.sound()
}

// A game with moves taken back is recorded, and verified, as if they had never
// been made; at its end nothing can be taken back.
func TestUndoneMovesStandInNoRecord(t *testing.T) {
	people := pokerTable(t, "/wuerfelpoker point=1", "Anna", "Ben")
	people[0].presses("▶ Start")
	undone := 0
	for people[0].table().State == store.Playing {
		h(people[0]).pressOn(people, 3)
		table := people[0].table()
		for _, p := range people {
			if r := p.sends(fmt.Sprintf("1:1:%d:!undo", table.Turn)); !r.Refused {
				undone++
			}
		}
	}
	m := people[0].board()
	if undone < 5 || strings.Contains(show(m), "Undo") {
		t.Errorf("%d moves were taken back; over:\n%s", undone, show(m))
	}
	for _, p := range people {
		refused(t, p.sends(fmt.Sprintf("1:1:%d:!undo", p.table().Turn)), "This game is over. ↻ Rematch plays the next.")
	}
	h(people[0]).sound()
	h(people[0]).export(review.Wanted{})
	record := h(people[0]).recordOf(1)
	if stored := len(h(people[0]).moves(1)); len(record.Moves)+2*undone != stored {
		t.Errorf("%d moves in the record, %d stored, %d taken back", len(record.Moves), stored, undone)
	}
}

// The house throws as soon as it is its turn: then nothing can be taken back.
func TestNoUndoOnceTheHouseHasThrown(t *testing.T) {
	people := pokerTable(t, "/wuerfelpoker", "Anna")
	anna := people[0]
	anna.sends("1:1:0:!house greedy")
	anna.presses("▶ Start")
	anna.presses("Throw")
	anna.presses("Write…")
	anna.sends(anna.board().Buttons[0][0].Press)
	if m := anna.board(); strings.Contains(show(m), "Undo") {
		t.Errorf("the house has thrown\n%s", show(m))
	}
	refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)),
		"Dice have been thrown since: it stands. Play on.")
	anna.sound()
}

func TestHistoriesThatCannotBe(t *testing.T) {
	for name, plant := range map[string]string{
		"another's row":    `UPDATE moves SET seat = 1 WHERE move = '!undo'`,
		"a throw":          `UPDATE moves SET dice = '[1,2,1,3,5]' WHERE move = 'write fives'`,
		"nothing":          `UPDATE moves SET move = '!undo' WHERE number = 1`,
		"nothing is taken": `UPDATE moves SET move = 'write fives' WHERE move = '!undo'`,
	} {
		anna, _ := written(t)
		anna.presses("↶ Undo")
		anna.sound()
		h(anna).tamper(plant)
		faults, err := h(anna).bot.Check(context.Background(), nil)
		if err != nil || len(faults) != 1 || !strings.HasPrefix(faults[0], "table 1: ") {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
	}
}
