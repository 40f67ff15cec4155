package bot_test

import (
	"testing"
)

func TestGameFromFirstPressToLast(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")

	anna.writes("/coin 10")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
Alone it is practice, without a stake.
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	told(t, ben.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
	anna.presses("+ House")
	want(t, anna.board(), `
Anna opens a table: Coin for 10 chips.
Anna
Ben
House random
Pool 30 chips
[Sit down][Get up]
[▶ Start][+ House][⚙ Rules]`)

	refused(t, ben.presses("▶ Start"), "Anna decides that.")
	anna.presses("▶ Start")
	want(t, anna.board(), `
Anna is to throw.
Anna
Ben
House
Pool 30 chips
[Throw]`)

	throw := anna.button("Throw")
	refused(t, ben.sends(throw.Press), "It is Anna's turn.")
	anna.sends(throw.Press)
	refused(t, anna.sends(throw.Press), "The table has moved on.")
	ben.presses("Throw")
	t.Log(show(anna.board()))
	refused(t, anna.sends(throw.Press), "This game is over.")
	ben.presses("↻ Rematch")
	t.Log(show(anna.board()))
}
