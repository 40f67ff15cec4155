package coin_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/gametest/coin"
)

func TestTranscripts(t *testing.T) { gametest.Transcripts(t, coin.Game{}, "testdata/*.txt") }
