package bot_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
)

func TestStories(t *testing.T) { bare.AllStories(t, bare.Pile{}, shutbox.Game{}) }
