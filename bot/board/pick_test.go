package board_test

import (
	"slices"
	"testing"

	"knobel/bot/bare"
	"knobel/games"
	"knobel/games/zehntausend"
)

// The board of dice to set aside is the game's: what counts is picked to begin
// with, the buttons say what they do with it, side by side, and what leads to no
// set is not offered.
func TestBoardOfDiceIsTheGames(t *testing.T) {
	h := bare.New(t, zehntausend.Game{})
	h.Seeds = bare.Constant(1)
	h.Restart()
	people := h.Gather("/zehntausend", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	const standing = `
Anna 0
Ben 0`
	bare.Want(t, anna.Board(), "Anna threw 1, 2, 1, 3, 5 and 6."+standing+`
[1🔒][1🔒][5🔒]
[Throw 3 dice][Stop with 250]`)
	if small := anna.Board().Small; small != "Round 1, up to 10,000 points · Pool 20 chips" {
		t.Errorf("the small print is %q", small)
	}
	if row := anna.Board().Buttons[1]; row[0].Style != games.Primary || row[1].Style != games.Plain {
		t.Errorf("the styles are %q and %q", row[0].Style, row[1].Style)
	}
	for i, die := range anna.Board().Dice {
		if counts := i%2 == 0; die.Kept != counts || (die.Press != "") != counts {
			t.Errorf("die %d is %+v", i, die)
		}
	}

	bare.Told(t, anna.Sends("1:1:1:!pick 4"), "You keep 1 1; 4 dice to throw.")
	bare.Want(t, anna.Board(), "Anna threw 1, 2, 1, 3, 5 and 6."+standing+`
[1🔒][1🔒][5]
[Throw 4 dice][Stop with 200]`)
	bare.Refused(t, anna.Sends("1:1:1:!pick 1"), "That does not go with what is picked. Put that back first.")
	bare.Refused(t, anna.Sends("1:1:1:keep 111111"), "That move is not possible now. Press one on the board.")
	anna.Sends("1:1:1:!pick 0")
	bare.Told(t, anna.Sends("1:1:1:!pick 2"), "Picked: nothing.")
	bare.Want(t, anna.Board(), "Anna threw 1, 2, 1, 3, 5 and 6."+standing+`
[1][1][5]`)
	bare.Refused(t, anna.Sends("1:1:1:!play"), "That is not a whole move yet. Pick more.")

	if r := anna.Sends("1:1:1:!pick 2"); r.Toast != "You keep 1; 5 dice to throw." {
		t.Error(r.Toast)
	}
	bare.Told(t, anna.Presses("Stop with 100"), "You banked 100 points.")
	if head := ben.Board().Said(); head != "Anna banks 100 points. Ben is next." {
		t.Error(head)
	}
	bare.Told(t, anna.Presses("↶ Undo"), "Taken back.")
	if buttons := anna.Board().Buttons; buttons[1][1].Label != "Stop with 250" {
		t.Errorf("after that the board offers %v", buttons)
	}
}

// Dice that do not all count say so where they are picked, on the board and where they are played.
func TestDiceThatDoNotCountSaySo(t *testing.T) {
	const unfit = "Not all of these count. Add some, or take some off."
	h := bare.New(t, threes{zehntausend.Game{}})
	people := h.Gather("/zehntausend", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	bare.Told(t, anna.Sends("1:1:0:!pick 0"), unfit)
	if m := anna.Board(); !slices.Contains(m.Lines, unfit) {
		t.Errorf("the board says %q", m.Lines)
	}
	bare.Refused(t, anna.Sends("1:1:0:!play"), unfit)
	bare.Told(t, anna.Sends("1:1:0:!pick 0"), "You keep 3 3 3; 3 dice to throw.")
	if m := anna.Board(); slices.Contains(m.Lines, unfit) {
		t.Errorf("the board says %q", m.Lines)
	}
}

// threes is Zehntausend in which the dice lie from the start: three 3s, and others that do not count.
type threes struct{ zehntausend.Game }

func (g threes) New(rules games.Rules, seats int) (games.Match, error) {
	if seats != 2 {
		return g.Game.New(rules, seats)
	}
	return g.Load(rules, []byte(`{"totals":[0,0],"turn":0,"round":0,"dice":[3,3,3,2,4,6]}`))
}
