package sets_test

import (
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sets"
)

// loaded are dice that fall alike every time.
type loaded struct{}

func (loaded) Throw(count, _ int) []int { return []int{1, 2, 3, 4, 6}[:count] }

// Where nothing but a call goes on, the board says so, and says nothing of rows that would score.
func TestYambSaysThatARowIsToBeCalled(t *testing.T) {
	m, err := sets.Yamb().New(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	play := func(move games.Move) {
		t.Helper()
		if m, _, err = games.Play(m, 0, move, loaded{}); err != nil {
			t.Fatal(err)
		}
	}
	says := func(key string) bool {
		return slices.ContainsFunc(m.View().Notes, func(l games.Line) bool { return l.Key == key })
	}
	for range 39 {
		play("throw")
		if says("yamb.offers-call") {
			t.Fatalf("a call is not the only move: %v", m.Moves(0))
		}
		at := slices.IndexFunc(m.Moves(0), func(move games.Move) bool {
			return strings.HasPrefix(string(move), "write ") || strings.HasPrefix(string(move), "strike ")
		})
		play(m.Moves(0)[at])
	}
	play("throw")
	if !says("yamb.offers-call") || says("yamb.offers-nothing") {
		t.Errorf("before the call the notes are %v", m.View().Notes)
	}
	play("call max")
	if says("yamb.offers-call") {
		t.Errorf("after the call the notes are %v", m.View().Notes)
	}
}
