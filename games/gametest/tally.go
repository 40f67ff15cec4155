package gametest

import "knobel/games"

// tally adds what a move counts for statistics, where the game says so.
func (p *player) tally(before, after games.Match, seat games.Seat, move games.Move) {
	if g, ok := p.game.(games.Tallied); ok {
		p.sum.Add(g.Tally(before, after, seat, move))
	}
}

// checkTally checks that what statistics tell can be said: of nothing, too.
func (p *player) checkTally() {
	g, ok := p.game.(games.Tallied)
	if !ok {
		return
	}
	if said := g.SayTally(games.Tally{}); len(said) > 0 {
		p.fatalf("statistics of no moves are told: %v", said)
	}
	said := g.SayTally(p.sum)
	if len(said) == 0 {
		p.fatalf("statistics tell nothing of a whole match: %v", p.sum)
	}
	for _, line := range said {
		p.words.checkLine(p.t, "what statistics tell", line)
	}
}
