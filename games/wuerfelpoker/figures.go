package wuerfelpoker

import "knobel/games"

var _ games.Figured = Game{}

// Asks: nothing is asked but the rules.
func (Game) Asks() []games.Ask { return nil }

// Figures are what the best play of a sheet brings on average. With order=free its
// parts are not apart.
func (Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	p, err := Solve(given)
	if err != nil {
		return nil, err
	}
	e := p.Expected()
	figure := func(name string, value float64) games.Figure {
		return games.Figure{Name: name, About: name, Values: []float64{value}}
	}
	total := []games.Figure{figure("total", e.Total)}
	if given["order"] == free {
		return total, nil
	}
	return append([]games.Figure{figure("school", e.School), figure("combinations", e.Combinations)}, total...), nil
}
