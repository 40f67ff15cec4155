package table_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/gametest/either"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) {
	bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New(), either.Loser(), either.Lids(),
		sets.Kniffel(), bare.Pile{})
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
