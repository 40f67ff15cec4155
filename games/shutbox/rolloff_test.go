package shutbox

import (
	"math/rand/v2"
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
		if m, _, err = games.Play(m, turn[0], "throw 2", dice.NewScripted(t, 3, 4)); err != nil {
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

// Nobody who can close a tile comes near that end.
func TestRollOffsAreShort(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m, err := Game{}.New(games.Rules{"ties": "roll-off"}, 3)
		if err != nil {
			t.Fatal(err)
		}
		moves := 0
		for turn := m.Turn(); len(turn) > 0; turn = m.Turn() {
			moves++
			m, _ = m.Apply(turn[0], m.Moves(turn[0])[0], loaded{chance})
		}
		if moves > 300 {
			t.Errorf("%d moves", moves)
		}
	}
}

// loaded are dice that fall as a generator says.
type loaded struct{ *rand.Rand }

func (l loaded) Throw(count, sides int) []int {
	faces := make([]int, count)
	for i := range faces {
		faces[i] = 1 + l.IntN(sides)
	}
	return faces
}
