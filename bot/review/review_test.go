package review_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/fakes"
	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/wuerfelpoker"
)

func TestReviewsOfOldGamesDisturbNoBoard(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Pokered("Anna")
	h.Wait(48 * time.Hour)
	s := bare.NewStage()
	h.OnStage(s)
	s.Until(t, "the review", func([]string) bool { return anna.Writes("/review").Private != nil })
	if board := anna.Board(); strings.Contains(fmt.Sprint(board.Lines), "dice") && board.Table != 1 {
		t.Error("another board")
	}
	if lags := len(s.Until(t, "what was done", func([]string) bool { return true })); lags > 1 {
		t.Errorf("%d boards were drawn for a game of the day before yesterday", lags)
	}
}

// dawdling is Würfelpoker whose perfect play with all rows free takes until it may go on.
type dawdling struct {
	sheet.Game
	goOn chan struct{}
}

func (d dawdling) Solve(rules games.Rules, seats int) (games.Perfect, error) {
	if d.Laborious(rules, seats) {
		<-d.goOn
		return nil, errors.New("that would be too much for a test")
	}
	return d.Game.Solve(rules, seats)
}

// A review whose perfect play takes long keeps no other waiting, and has its turn.
func TestAReviewThatTakesLongKeepsNoOtherWaiting(t *testing.T) {
	d := dawdling{Game: wuerfelpoker.New(), goOn: make(chan struct{})}
	h := bare.New(t, d)
	anna := h.Person("Anna")
	soon := h.Pokered("Anna", "Ben")
	people := h.Gather("/wuerfelpoker order=free", "Anna", "Ben") // which is the newer
	people[0].Presses("▶ Start")
	h.PressOut(people)
	h.Reviewed(soon)
	if r := anna.Writes("/review"); r.Toast != "It is being worked out. Ask again in a moment." {
		t.Fatalf("the other was not waited for: %+v", r)
	}
	h.Reviewed(h.Pokered("Anna", "Ben")) // also one that comes while it is worked out
	defer h.OnStage(bare.NewStage())()
	close(d.goOn)
	for deadline := time.Now().Add(fakes.Patience); ; time.Sleep(5 * time.Millisecond) {
		if anna.Writes(fmt.Sprint("/review ", soon+1)).Toast == "This game has no review. /history shows others." {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("its turn never came")
		}
	}
}
