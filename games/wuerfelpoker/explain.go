package wuerfelpoker

import "knobel/games"

// Explain puts the rules into sentences, with examples.
func (Game) Explain(given games.Rules) []games.Line {
	canonical, err := check(given)
	if err != nil {
		canonical = games.Rules{}
	}
	r := read(canonical)
	lines := []games.Line{
		say("explain.goal", nil),
		say("explain.throws", nil),
		say("explain."+r.choose(r.free, "order-free", "order-parts"), nil),
		say("explain.school", nil),
		say("explain.bonus-"+r.bonusName(), nil),
		say("explain.equal", nil),
		say("explain."+r.choose(r.fourAsTwoPairs, "two-pairs-four", "two-pairs"), nil),
		say("explain.straights", nil),
		say("explain."+r.choose(r.fiveAsFullHouse, "full-house-five", "full-house"), nil),
		say("explain.poker", nil),
		say("explain.chance", nil),
	}
	if r.firstDoubles {
		lines = append(lines, say("explain.first-double", nil), say("explain.first-poker-"+r.poker, nil),
			say("explain."+r.choose(r.chanceDoubles, "first-chance", "first-no-chance"), nil))
	} else {
		lines = append(lines, say("explain.first-plain", nil))
	}
	lines = append(lines, say("explain."+r.missName(), nil), say("explain.settlement", nil))
	if r.point > 0 {
		lines = append(lines, say("explain.point", games.Args{"N": r.point}))
	}
	if games.AllowsHints(canonical) {
		lines = append(lines, say("explain.hints", nil))
	}
	return lines
}

func (r *rules) choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (r *rules) bonusName() string {
	switch {
	case r.plus && r.minus:
		return both
	case r.plus:
		return plus
	case r.minus:
		return minus
	}
	return none
}

func (r *rules) missName() string {
	switch {
	case r.deferred && r.free:
		return "miss-deferred-free"
	case r.deferred:
		return "miss-deferred"
	}
	return "miss-strike"
}
