package shutbox

import "knobel/games"

func newCanoga(_ *rules, _ int) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}

func loadCanoga(_ *rules, _ []byte) (games.Match, error) {
	return nil, games.Refuse("shutbox.refuse.not-yet", nil)
}
