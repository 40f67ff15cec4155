package person_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
)

func TestStories(t *testing.T) { bare.AllStories(t, shutbox.Game{}) }
