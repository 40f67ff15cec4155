package help_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}, wuerfelpoker.New()) }
