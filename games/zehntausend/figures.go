package zehntausend

import "knobel/games"

// Asks: nothing is asked but the rules.
func (Game) Asks() []games.Ask { return nil }

// Figures are those of an opening turn as the house bold plays it.
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	r := read(canonical)
	f := r.turn(false).at(0, r.dice)
	return []games.Figure{
		{Name: "expected_points", About: "expected points of an opening turn", Values: []float64{f.points}},
		{Name: "nothing_probability", About: "chance that it ends with nothing", Values: []float64{f.nothing},
			Chance: true},
	}, nil
}
