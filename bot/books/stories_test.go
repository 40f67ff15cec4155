package books_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/gametest/either"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, either.Game{}, either.Loser(), either.Lids(), bare.Pile{}, bare.Tally{}, shutbox.Game{},
		wuerfelpoker.New(), zehntausend.New(), sets.Kniffel())
}
