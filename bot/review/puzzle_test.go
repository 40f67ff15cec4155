package review_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// puzzle waits for a message that begins so.
func puzzle(s *bare.Stage, t *testing.T, begins string) (found chat.Ref) {
	t.Helper()
	s.Until(t, begins, func([]string) bool {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		for ref, m := range s.Shown {
			if strings.HasPrefix(m.Head, begins) {
				found = ref
				return true
			}
		}
		return false
	})
	return found
}

// A puzzle whose place takes nothing at present keeps none in another place waiting.
func TestNoPuzzleWaitsForAnother(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Reviewed(h.Pokered("Anna", "Ben"))
	h.Reviewed(h.Pokered("Anna", "Ben"))
	s := bare.NewStage()
	waits := make(chan struct{})
	wait := sync.OnceFunc(func() { close(waits) })
	s.OnReady = func(ctx context.Context, place chat.Place) error {
		if place != anna.Place {
			return nil
		}
		wait()
		<-ctx.Done()
		return ctx.Err()
	}
	h.OnStage(s)
	anna.Writes("/puzzle")
	<-waits
	anna.At("test:1/2").Writes("/puzzle")
	puzzle(s, t, "The puzzle, from game #")
}
