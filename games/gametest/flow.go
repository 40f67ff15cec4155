package gametest

import (
	"slices"

	"knobel/games"
)

// checkFlow tests that a turn is in its middle only for the seat that has moved last: nobody's dice are thrown by
// another's press, nor the first of a turn by the one that ended it.
func (p *player) checkFlow(m games.Match) {
	p.t.Helper()
	flowing, ok := m.(games.Flowing)
	if !ok || !flowing.MidTurn() {
		return
	}
	turn, last := m.Turn(), len(p.movers)-1
	if len(turn) != 1 || last < 0 || p.movers[last] != turn[0] {
		p.fatalf("the turn of %v is said to be in its middle", turn)
	}
	if follows, ok := games.Follows(m, turn[0]); ok && !slices.Equal(m.Moves(turn[0]), []games.Move{follows}) {
		p.fatalf("%q follows without a decision, and may be played are %q", follows, m.Moves(turn[0]))
	}
}
