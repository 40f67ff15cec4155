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

func TestUndo(t *testing.T) {
	anna, ben := bare.Written(t)
	throw := ben.Button("Throw").Press
	undo := anna.Button("↶ Undo").Press
	bare.Refused(t, ben.Sends(undo), "Only Anna can take that back. Just ask.")
	bare.Refused(t, anna.House.Person("Clara").Sends(undo), "You are watching this game. Join the next one.")
	bare.Told(t, anna.Sends(undo), "Taken back.")
	bare.Want(t, anna.Board(), `
Anna threw 1 2 1 3 5. Two throws left.
Anna 0
Ben 0
Would score now: Ones −1, Twos −4 and Threes −6.
[1][2][1][3][5]
[Throw 5 dice][Write…][Sheet]`)
	bare.Refused(t, anna.Sends(undo), "The table has moved on. Look at the newest board.")
	// what stood before threw dice
	bare.Refused(t, anna.Sends("1:1:3:!undo"), "The table has moved on. Look at the newest board.")
	bare.Refused(t, ben.Sends(throw), "The table has moved on. Look at the newest board.")
	anna.Sound()

	// The throw of before goes on as if nothing had happened, after a restart too.
	anna.House.Restart()
	anna.Presses("Write…")
	anna.Presses("Ones −1")
	undo = anna.Button("↶ Undo").Press
	ben.Presses("Throw")
	bare.Refused(t, anna.Sends(undo), "Dice have been thrown since: it stands. Play on.")
	if m := ben.Board(); strings.Contains(bare.Show(m), "Undo") {
		t.Errorf("dice have been thrown since\n%s", bare.Show(m))
	}
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:1:%d:!undo", anna.Table().Turn)),
		"Dice have been thrown since: it stands. Play on.")
	var history []string
	for _, m := range anna.House.Moves(1) {
		history = append(history, fmt.Sprint(m.Seat, " ", m.Move))
	}
	if got := strings.Join(history, ", "); got != "0 throw, 0 write fives, 0 !undo, 0 write ones, 1 throw" {
		t.Errorf("the history is %s", got)
	}
	anna.Sound()
}

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

// The house throws as soon as it is its turn: then nothing can be taken back.
func TestNoUndoOnceTheHouseHasThrown(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna")
	anna := people[0]
	anna.Sends("1:1:0:!house greedy")
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	anna.Presses("Write…")
	anna.Sends(anna.Board().Buttons[0][0].Press)
	if m := anna.Board(); strings.Contains(bare.Show(m), "Undo") {
		t.Errorf("the house has thrown\n%s", bare.Show(m))
	}
	bare.Refused(t, anna.Sends(fmt.Sprintf("1:1:%d:!undo", anna.Table().Turn)),
		"Dice have been thrown since: it stands. Play on.")
	anna.Sound()
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
