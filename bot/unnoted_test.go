package bot_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"knobel/bot/chat"
)

// A replica that dies when it has answered with a new board, and not noted its message, leaves a board which the one
// that draws the next finds and takes for the table's; where the platform knows of none, it posts one.
func TestABoardThatWasPostedAndNotNotedIsFound(t *testing.T) {
	for _, there := range []chat.Ref{"test:answer", ""} {
		t.Run(string(there), func(t *testing.T) {
			inPair(t, func(p *pair) {
				p.a.stage.unnoted = there
				anna := p.person("Anna")
				ev := anna.event()
				ev.Command, ev.Text, ev.Carries = "relay", "10", true
				if r := p.at(p.b, ev); r.Board == 0 {
					t.Fatalf("the board is not the answer's: %+v", r)
				}
				goOn(12 * time.Second)
				at := anna.table()
				want, done := chat.Ref("test:m1"), "post test:m1"
				if there != "" {
					want, done = there, "edit test:answer"
				}
				if chat.Ref(at.Board) != want || at.Drawn != at.Version || at.Drawer != "" {
					t.Errorf("the board is %q in version %d of %d, %q draws", at.Board, at.Drawn, at.Version, at.Drawer)
				}
				if !slices.Equal(p.a.stage.done, []string{done}) || p.a.stage.looks != 1 {
					t.Errorf("it does %q, and looks %d times", p.a.stage.done, p.a.stage.looks)
				}
			})
		})
	}
}

// What is found, and cannot be drawn over, since it is none of the bot's, say, is no board.
func TestABoardThatIsFoundAndGoneIsPosted(t *testing.T) {
	inPair(t, func(p *pair) {
		p.a.stage.unnoted = "test:another's"
		p.a.stage.fail = func(what string, _ chat.Place) error {
			if what == "edit" {
				return chat.ErrGone
			}
			return nil
		}
		anna := p.person("Anna")
		ev := anna.event()
		ev.Command, ev.Text, ev.Carries = "relay", "10", true
		p.at(p.b, ev)
		goOn(12 * time.Second)
		if !slices.Equal(p.a.stage.done, []string{"edit test:another's failed", "post test:m1"}) {
			t.Errorf("it does %q", p.a.stage.done)
		}
		if at := anna.table(); at.Board != "test:m1" {
			t.Errorf("the board is %q", at.Board)
		}
	})
}

// The one program of a database dies in that moment, and finds the board when it is there again, where it was to be
// posted anew, too.
func TestABoardThatWasPostedBeforeARestartIsFound(t *testing.T) {
	h, s := newHouse(t), newStage()
	stop := h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin")
	s.wantDone(t, "post test:m1")
	h.settled(s)
	stop()
	ev := anna.event()
	ev.Command, ev.Carries = "table", true
	if r := h.bot.Handle(context.Background(), ev); r.Board == 0 || !r.Fresh {
		t.Fatalf("the board is not the answer's: %+v", r)
	}
	if s.looks != 0 {
		t.Errorf("what was changed by this process is looked for %d times", s.looks)
	}
	h.wait(time.Second)
	h.restart()
	s.unnoted = "test:answer"
	h.onStage(s)
	s.wantDone(t, "post test:m1", "edit test:answer", "retire test:m1")
	h.settled(s)
	if at := anna.table(); at.Board != "test:answer" || at.Repost {
		t.Errorf("the board is %q, to be posted anew: %v", at.Board, at.Repost)
	}
	h.wait(time.Second)
	anna.writes("/table")
	s.wantDone(t, "post test:m1", "edit test:answer", "retire test:m1", "post test:m2", "retire test:answer")
}
