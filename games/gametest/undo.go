package gametest

import (
	"bytes"
	"slices"

	"knobel/games"
	"knobel/games/dice"
)

// checkUndo checks which seats may take back the last move: the one that made it, if it threw no
// dice and did not end the match.
func (p *player) checkUndo(m games.Match, view games.View, threw bool) {
	p.t.Helper()
	var want []games.Seat
	if !threw && len(m.Turn()) > 0 {
		want = p.movers[len(p.movers)-1:]
	}
	if undo := view.Undo; !slices.Equal(undo, want) {
		p.fatalf("seats %v may take that back, it should be %v", undo, want)
	}
}

// takeBack takes back the last move as tables do, by playing all before it once
// more. The match is then exactly the one before, down to the dice to come.
func (p *player) takeBack(before games.Match) games.Match {
	p.t.Helper()
	last := len(p.moves) - 1
	m, err := p.game.New(p.rules, p.seats)
	if err != nil {
		p.fatalf("a match from the start: %v", err)
	}
	again := dice.Fair{Seed: p.dice.Seed, Table: p.dice.Table, Entropies: p.dice.Entropies}
	for i, move := range p.moves[:last] {
		if m, _, err = games.Play(m, p.movers[i], move, &again); err != nil {
			p.fatalf("to take it back, move %d is played again: %v", i+1, err)
		}
	}
	if !bytes.Equal(p.save(m), p.save(before)) || again.Next != p.dice.Next {
		p.fatalf("taken back, it leads to %s and die %d, but was %s and die %d", p.save(m), again.Next, p.save(before),
			p.dice.Next)
	}
	p.moves, p.movers = p.moves[:last], p.movers[:last]
	return m
}
