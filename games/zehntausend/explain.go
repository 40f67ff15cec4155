package zehntausend

import "knobel/games"

// Explain puts the rules into sentences, with examples.
func (g Game) Explain(given games.Rules) []games.Line {
	canonical, err := g.Check(given)
	if err != nil {
		return nil
	}
	r := read(canonical)
	twos := func(n int) int { return r.worth(counts{2: n}) }
	lines := []games.Line{
		say("explain.goal", games.Args{"Target": r.target}),
		say("explain.turn", games.Args{"N": r.dice}),
		say("explain.count", games.Args{"Ones": r.ones}),
		say("explain.more."+r.more, games.Args{"Four": twos(4), "Five": twos(5), "Six": twos(6)}),
		say("explain.throw", nil),
	}
	if r.dice == maxDice && r.straight > 0 {
		lines = append(lines, say("explain.straight", games.Args{"Points": r.straight}))
	}
	if r.dice == maxDice && r.pairs > 0 {
		lines = append(lines, say("explain.pairs", games.Args{"Points": r.pairs}))
	}
	if r.dice == maxDice && r.triplets > 0 {
		lines = append(lines, say("explain.triplets", games.Args{"Points": r.triplets}))
	}
	lines = append(lines, say("explain.nothing", nil))
	if r.nothings > 0 {
		lines = append(lines, say("explain.nothings", games.Args{"Points": r.nothings}))
	}
	if r.hotMay {
		lines = append(lines, say("explain.hot.may", games.Args{"N": r.dice}))
	} else {
		lines = append(lines, say("explain.hot.must", games.Args{"N": r.dice, "Target": r.target}))
	}
	if least := r.minimum(false); least > r.least {
		lines = append(lines, say("explain.entry", games.Args{"Points": least}))
	}
	if r.least > step {
		lines = append(lines, say("explain.least", games.Args{"Points": r.least}))
	}
	last, ties := toRoundsEnd, share
	if r.onceMore {
		last = onceMore
	}
	if r.rollOff {
		ties = rollOff
	}
	return append(lines, say("explain.last."+last, games.Args{"Target": r.target}),
		say("explain.ties."+ties, nil), say("explain.pool", nil))
}
