package help_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New()) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
