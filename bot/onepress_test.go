package bot_test

import (
	"os"
	"strconv"
	"testing"

	"knobel/games/shutbox"
)

// One press is one move of the table, and none is none. .ci/measures compares what the
// two runs have entered: the functions that one press costs.
func TestOnePress(t *testing.T) {
	presses := 1
	if said := os.Getenv("KNOBEL_TEST_PRESSES"); said != "" {
		var err error
		if presses, err = strconv.Atoi(said); err != nil || presses < 0 || presses > 1 {
			t.Fatalf("KNOBEL_TEST_PRESSES is %q: give 0 or 1", said)
		}
	}
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox 10")
	h.person("Ben").presses("Sit down")
	anna.presses("▶ Start")
	anna.board()
	for range presses {
		anna.sends("1:1:0:throw 2")
		anna.board()
	}
	if turn := anna.table().Turn; int(turn) != presses {
		t.Errorf("after %d presses the table is at turn %d", presses, turn)
	}
}
