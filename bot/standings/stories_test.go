package standings_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, bare.Tally{}, bare.Pile{}, shutbox.Game{}, wuerfelpoker.New(), sets.Kniffel(), sets.Crag(),
		sets.Yatzy(), sets.Balut())
}
