package board_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), sets.Escalero(), sets.Yamb(),
		sets.Balut())
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
