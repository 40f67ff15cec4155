package outbox_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// A replica that dies when it has answered with a new board, and not noted its message, leaves a board which the one
// that draws the next finds and takes for the table's; where the platform knows of none, it posts one.
func TestABoardThatWasPostedAndNotNotedIsFound(t *testing.T) {
	for _, there := range []chat.Ref{"test:answer", ""} {
		t.Run(string(there), func(t *testing.T) {
			bare.InPair(t, func(p *bare.Pair) {
				p.A.Stage.Unnoted = there
				anna := p.Person("Anna")
				ev := anna.Event()
				ev.Command, ev.Text, ev.Carries = "relay", "10", true
				if r := p.At(p.B, ev); r.Board == 0 {
					t.Fatalf("the board is not the answer's: %+v", r)
				}
				bare.GoOn(12 * time.Second)
				at := anna.Table()
				want, done := chat.Ref("test:m1"), "post test:m1"
				if there != "" {
					want, done = there, "edit test:answer"
				}
				if chat.Ref(at.Board.Message) != want || at.Board.Drawn != at.Version {
					t.Errorf("the board is %q in version %d of %d", at.Board.Message, at.Board.Drawn, at.Version)
				}
				if !slices.Equal(p.A.Stage.Done, []string{done}) || p.A.Stage.Looks != 1 {
					t.Errorf("it does %q, and looks %d times", p.A.Stage.Done, p.A.Stage.Looks)
				}
			})
		})
	}
}

// What is found, and cannot be drawn over, since it is none of the bot's, say, is no board.
func TestABoardThatIsFoundAndGoneIsPosted(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		p.A.Stage.Unnoted = "test:another's"
		p.A.Stage.Fail = func(what string, _ chat.Place) error {
			if what == "edit" {
				return chat.ErrGone
			}
			return nil
		}
		anna := p.Person("Anna")
		ev := anna.Event()
		ev.Command, ev.Text, ev.Carries = "relay", "10", true
		p.At(p.B, ev)
		bare.GoOn(12 * time.Second)
		if !slices.Equal(p.A.Stage.Done, []string{"edit test:another's failed", "post test:m1"}) {
			t.Errorf("it does %q", p.A.Stage.Done)
		}
		if at := anna.Table(); at.Board.Message != "test:m1" {
			t.Errorf("the board is %q", at.Board.Message)
		}
	})
}

// The one program of a database dies in that moment, and finds the board when it is there again, where it was to be
// posted anew, too.
func TestABoardThatWasPostedBeforeARestartIsFound(t *testing.T) {
	h, s, anna, stop := posted(t)
	stop()
	ev := anna.Event()
	ev.Command, ev.Carries = "table", true
	if r := h.Bot.Handle(context.Background(), ev); r.Board == 0 || !r.Fresh {
		t.Fatalf("the board is not the answer's: %+v", r)
	}
	h.Wait(time.Second)
	h.Restart()
	s.Unnoted = "test:answer"
	h.OnStage(s)
	s.WantDone(t, "post test:m1", "edit test:answer", "retire test:m1")
	h.Settled(s)
	if at := anna.Table(); at.Board.Message != "test:answer" || at.Board.Repost {
		t.Errorf("the board is %q, to be posted anew: %v", at.Board.Message, at.Board.Repost)
	}
	h.Wait(time.Second)
	looks := s.Looks
	anna.Writes("/table")
	s.WantDone(t, "post test:m1", "edit test:answer", "retire test:m1", "post test:m2", "retire test:answer")
	if s.Looks != looks {
		t.Error("what was changed by this process is looked for")
	}
}
