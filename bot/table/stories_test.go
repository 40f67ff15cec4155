package table_test

import (
	"testing"

	"knobel/bot/bare"
	lowest "knobel/games/gametest/owing"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), lowest.Loser(), lowest.Lids(),
		sets.Kniffel(), bare.Pile{})
}
