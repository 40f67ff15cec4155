package shutbox

import "knobel/games"

func newLuckySeven(_ *rules, _ int) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}

func loadLuckySeven(_ *rules, _ []byte) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}
