package terminal

import (
	"context"
	"io"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/words"
)

// noWaiter is a Waiter for tests without computer players, reviews and puzzles: it waits for nothing and shows nothing.
type noWaiter struct{}

func (noWaiter) AwaitHouse(context.Context, int64) (bool, error) { return false, nil } // no computer player has moved
func (noWaiter) AwaitReview(context.Context, int64) error        { return nil }
func (noWaiter) DrawPuzzles(context.Context, chat.Place,
	func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error)) error { // there are no puzzles
	return nil
}

// Turns at one keyboard have no time limit: a board there shows no deadline.
func TestNoTurnEndsByItself(t *testing.T) {
	out := &fakes.Journal{}
	m := chat.Message{Head: "Anna throws.", Deadline: &chat.Deadline{Before: "This turn runs out ", Clock: "at 21:40"}}
	if _, err := New(noWaiter{}, nil, nil, out, Table{}).Post(t.Context(), place, m); err != nil {
		t.Fatal(err)
	}
	if shown := out.String(); shown != "\nAnna throws.\n" {
		t.Errorf("shown is %q", shown)
	}
}

func TestPlatform(t *testing.T) {
	said, err := words.New()
	if err != nil {
		t.Fatal(err)
	}
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		var keys *io.PipeWriter
		out := &fakes.Journal{}
		types := func(line string) {
			if _, err := io.WriteString(keys, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		return platformtest.Venue{
			Place: place,
			New: func() chat.Platform {
				in, typed := io.Pipe()
				keys = typed
				t.Cleanup(func() { typed.Close() })
				return New(noWaiter{}, said, in, out, Table{Game: "shutbox", Seats: []string{"Anna"}, Lang: "en"})
			},
			Write: func(command, text string) { types("/" + command + " " + text) },
			Press: types,
			Shows: func(text string) bool { return strings.Contains(out.String(), text) },
		}
	})
}
