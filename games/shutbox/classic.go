package shutbox

import "knobel/games"

func newClassic(_ *rules, _ int) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}

func loadClassic(_ *rules, _ []byte) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}
