package web

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
)

// faint is a bot whose database is away until it is said to be back.
type faint struct {
	pretend
	back atomic.Bool
}

func (f *faint) View(_ context.Context, table int64, _ chat.Viewer) (chat.Message, error) {
	if !f.back.Load() {
		return chat.Message{}, errors.New("the database is away")
	}
	return board(table, "for you"), nil
}

// A page whose board could not be drawn for its people is told of it again by itself, also where it begins anew in
// between.
func TestAPageIsToldAgainWhatCouldNotBeDrawn(t *testing.T) {
	t.Parallel()
	b := &faint{}
	w := New(Config{})
	url := serve(t, w, b)
	c, _ := enter(t, w, url)
	w.room.post(board(1, "for all"))
	s := listen(t, c, url, "")
	id, n, _ := s.next()
	if diff := cmp.Diff([]string{"for all"}, told(n)); diff != "" {
		t.Fatal(diff)
	}
	b.back.Store(true)
	again := func(from *stream) {
		t.Helper()
		for head := "for all"; head != "for you"; {
			_, n, ok := from.next()
			if !ok || len(n.Entries) != 1 {
				t.Fatalf("told again is %v, %v", told(n), ok)
			}
			head = n.Entries[0].Message.Head
		}
	}
	again(s)
	again(listen(t, c, url, id))
}
