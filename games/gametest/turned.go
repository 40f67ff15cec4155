package gametest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"knobel/games"
	"knobel/games/dice"
)

// longestTurn is the largest number of characters of the outcome of a turn, which shares a line with its throws.
const longestTurn = 26

// checkTurned checks next, the match after a move of seat: the outcome of a turn that ended belongs to that seat, is
// short, and does not change after a restart.
func (p *player) checkTurned(next games.Match, seat games.Seat) {
	p.t.Helper()
	turned, ok := next.(games.Turned)
	if _, boxed := p.game.(games.Boxed); boxed && !ok {
		p.fatalf("turns at the box are counted, and a %T does not say when one has ended", next)
	}
	if !ok {
		return
	}
	endedSeat, outcome, ended := turned.TurnEnded()
	if again, ok := p.load(p.save(next)).(games.Turned); ok {
		s, said, is := again.TurnEnded()
		if s != endedSeat || is != ended || !reflect.DeepEqual(said, outcome) {
			p.fatalf("after a restart the turn of seat %d came out as %v, %t; before as %v, %t", s, said, is, outcome,
				ended)
		}
	}
	if !ended {
		return
	}
	if endedSeat != seat {
		p.fatalf("seat %d has moved, and the turn of seat %d is over", seat, endedSeat)
	}
	p.words.checkLine(p.t, fmt.Sprintf("turn of seat %d", seat), outcome)
	for language, said := range p.words {
		if n := len([]rune(said[outcome.Key])); n > longestTurn {
			p.fatalf("%s is %d characters long in %s, at most %d fit behind the throws", outcome.Key, n, language,
				longestTurn)
		}
	}
}

// checkDeadEnd checks that the head mentions the end of a turn that the dice ended before the seat could choose; events
// are those of the throw.
func (p *player) checkDeadEnd(next games.Match, view games.View, seat games.Seat, events []games.Event) {
	p.t.Helper()
	if turn := next.Turn(); len(turn) > 0 && !slices.Contains(turn, seat) && !mentions(view.Head, seat, events) {
		p.fatalf("dice have ended the turn of seat %d, and the head %v tells nothing of %v", seat, view.Head, events)
	}
}

// mentions reports whether a line of head names seat, or has the key of one of events.
func mentions(head []games.Line, seat games.Seat, events []games.Event) bool {
	return slices.ContainsFunc(head, func(l games.Line) bool {
		return l.Args["Seat"] == seat ||
			slices.ContainsFunc(events, func(e games.Event) bool { return e.Key == l.Key })
	})
}

// checkUndo checks which seats may undo the last move: its mover, unless it threw dice or ended the match.
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

// undoLast undoes the last move as tables do, by replaying all moves before it, and returns the match. It must equal
// before, including the dice to come.
func (p *player) undoLast(before games.Match) games.Match {
	p.t.Helper()
	last := len(p.moves) - 1
	m, err := p.game.New(p.rules, p.seats)
	if err != nil {
		p.fatalf("a match from the start: %v", err)
	}
	replayed := dice.Fair{Seed: p.dice.Seed, Table: p.dice.Table, Entropies: p.dice.Entropies}
	for i, move := range p.moves[:last] {
		if m, _, err = games.Play(m, p.movers[i], move, &replayed); err != nil {
			p.fatalf("to take it back, move %d is played again: %v", i+1, err)
		}
	}
	if !bytes.Equal(p.save(m), p.save(before)) || replayed.Next != p.dice.Next {
		p.fatalf("taken back, it leads to %s and die %d, but was %s and die %d", p.save(m), replayed.Next,
			p.save(before), p.dice.Next)
	}
	p.moves, p.movers = p.moves[:last], p.movers[:last]
	return m
}

// addTally adds the tally of a move, if the game is Tallied.
func (p *player) addTally(before, after games.Match, seat games.Seat, move games.Move) {
	if g, ok := p.game.(games.Tallied); ok {
		p.sum.Add(g.Tally(before, after, seat, move))
	}
}

// checkTally checks that the sentences about tallies exist, and that there are none about empty tallies.
func (p *player) checkTally() {
	g, ok := p.game.(games.Tallied)
	if !ok {
		return
	}
	if lines := g.SayTally(games.Tally{}); len(lines) > 0 {
		p.fatalf("statistics of no moves are told: %v", lines)
	}
	lines := g.SayTally(p.sum)
	if len(lines) == 0 {
		p.fatalf("statistics tell nothing of a whole match: %v", p.sum)
	}
	for _, line := range lines {
		p.words.checkLine(p.t, "what statistics tell", line)
	}
}

// checkFlow checks that only the seat that moved last can be in the middle of its turn. So no button press throws the
// dice of another seat, or begins a turn after ending one.
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
