package owing_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/gametest/owing"
)

func TestPromisesOfLoser(t *testing.T) { gametest.Run(t, owing.Loser()) }

func TestPromisesOfLids(t *testing.T) { gametest.Run(t, owing.Lids()) }

func TestTranscriptsOfLoser(t *testing.T) {
	gametest.Transcripts(t, owing.Loser(), "testdata/loser.txt")
}

func TestTranscriptsOfLids(t *testing.T) {
	gametest.Transcripts(t, owing.Lids(), "testdata/lids.txt")
}
