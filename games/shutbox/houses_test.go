package shutbox

import (
	"math"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// A random set is each set alike: of ten sets every one comes up about as often as the others.
func TestRandomIsEven(t *testing.T) {
	m, err := Game{}.New(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
	const each = 1000
	luck, count := newChance(3), map[games.Move]int{}
	for range 10 * each {
		count[random(m, 0, luck)]++
	}
	for _, mv := range m.Moves(0) {
		if n := count[mv]; math.Abs(float64(n-each)) > 5*math.Sqrt(each) {
			t.Errorf("%s comes %d times in %d", mv, n, 10*each)
		}
	}
}
