package books_test

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
	bare.AllStories(t, either.Game{}, either.Loser(), either.Lids(), bare.Pile{}, bare.Tally{}, shutbox.Game{},
		wuerfelpoker.New(), zehntausend.New(), sets.Kniffel())
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
