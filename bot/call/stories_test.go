package call_test

import (
	"os"
	"testing"

	"knobel/bot/bare"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

func TestStories(t *testing.T) { bare.AllStories(t, wuerfelpoker.New()) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
