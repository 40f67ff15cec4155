package shutbox

import (
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// A house that throws two dice at tile 1 alone can do nothing but tie. It does
// not roll off for ever: in the end the tied share.
func TestRollOffsEnd(t *testing.T) {
	m, err := Game{}.New(games.Rules{"tiles": "1", "ties": "roll-off"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for turn := m.Turn(); len(turn) > 0; turn = m.Turn() {
		if moves++; moves > 2*(maxRollOffs+1) {
			t.Fatalf("still rolling off after %d moves", moves)
		}
		if m, _, err = games.Play(m, turn[0], "throw 2", dice.NewFallen([]int{3, 4})); err != nil {
			t.Fatal(err)
		}
	}
	result, _ := m.Result()
	if len(result.Winners) != 2 || result.Rows[0].Place != 1 || result.Rows[1].Place != 1 {
		t.Errorf("the end is %+v", result)
	}
	if moves != 2*(maxRollOffs+1) {
		t.Errorf("%d moves", moves)
	}
}
