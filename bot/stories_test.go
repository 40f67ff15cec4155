package bot_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) { bare.AllStories(t, bare.Pile{}, shutbox.Game{}) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
