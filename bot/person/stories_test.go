package person_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
