package recap_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

func TestStories(t *testing.T) {
	bare.AllStories(t, bare.Tally{}, bare.Pile{}, shutbox.Game{}, wuerfelpoker.New(), sets.Kniffel())
}
