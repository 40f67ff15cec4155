package sheet

import "knobel/games"

// Asks: nothing is asked but the rules.
func (g Game) Asks() []games.Ask { return nil }

// Figures are what the best play of a page brings on average, in parts where these are filled one after the other.
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	p, err := g.plan(given)
	if err != nil {
		return nil, err
	}
	if err := p.computable(maxFigured); err != nil {
		return nil, err
	}
	at, second := newPositions(p), 0.0
	parted := position{left: p.places - len(at.upper)}
	at.fill(p.newScores(), func(left int) {
		if p.paper.Order == Parts && left == parted.left {
			second = *at.slot(parted)
		}
		if left > 0 { // no more than two waves are in memory
			at.waves[left-1].values = nil
		}
	})
	value := *at.slot(at.start())
	total := figure("total", value)
	if p.paper.Order != Parts {
		return []games.Figure{total}, nil
	}
	names := p.paper.Sections
	return []games.Figure{figure(names[0].Name, value-second), figure(names[1].Name, second), total}, nil
}

// figure is a figure of all seats.
func figure(name string, value float64) games.Figure {
	return games.Figure{Name: name, About: name, Values: []float64{value}}
}
