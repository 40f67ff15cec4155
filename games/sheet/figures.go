package sheet

import "knobel/games"

// Asks: nothing is asked but the rules.
func (g Game) Asks() []games.Ask { return nil }

// Figures are what the best play of a page brings on average, in parts where these are filled one after the other.
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	s, err := g.solve(given)
	if err != nil {
		return nil, err
	}
	total := figure("total", s.Total())
	if s.paper.Order != Parts {
		return []games.Figure{total}, nil
	}
	second := *s.at.opened().slot(position{left: s.at.plan.places - len(s.at.upper)})
	names := s.paper.Sections
	return []games.Figure{figure(names[0].Name, s.Total()-second), figure(names[1].Name, second), total}, nil
}

// figure is a figure of all seats.
func figure(name string, value float64) games.Figure {
	return games.Figure{Name: name, About: name, Values: []float64{value}}
}
