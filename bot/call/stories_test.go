package call_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/games/wuerfelpoker"
)

func TestStories(t *testing.T) { bare.AllStories(t, wuerfelpoker.New()) }
