package board_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), sets.Escalero(), sets.Yamb(),
		sets.Balut())
}
