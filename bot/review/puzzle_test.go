package review_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// desk is a stage on which one of several replicas puts puzzles. It can keep it waiting.
type desk struct {
	*bare.Stage
	ready, post *bare.Turnstile
}

func (d desk) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need == chat.ToSee {
		d.ready.Pass()
	}
	return d.Stage.Ready(ctx, place, need)
}

func (d desk) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	ref, err := d.Stage.Post(ctx, place, m)
	if m.Puzzle != 0 {
		d.post.Pass()
	}
	return ref, err
}

// puzzles are the messages with puzzles that stand on a stage.
func puzzles(s *bare.Stage) (heads []string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, m := range s.Shown {
		if m.Puzzle != 0 {
			heads = append(heads, m.Head)
		}
	}
	return heads
}

// onDesk runs a test with two replicas on one stage. One of the replicas, which runs the loops of the chat, finds a
// turnstile shut when it posts a puzzle; meanwhile the other gets the chat.
func onDesk(t *testing.T, shut func(d desk) *bare.Turnstile, test func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile,
	anna *bare.Person)) {
	s, desks := bare.NewStage(), map[*bare.Side]desk{}
	played := func(h *bare.House) { h.Reviewed(h.Pokered("Anna", "Ben")) }
	on := func(_ string, at *bare.Side) chat.Platform {
		desks[at] = desk{s, bare.NewTurnstile(), bare.NewTurnstile()}
		return desks[at]
	}
	bare.InPairWith(t, played, on, func(p *bare.Pair) {
		anna, d := p.Person("Anna"), shut(desks[p.A])
		d.Shut.Store(true)
		ev := anna.Event()
		ev.Command = "puzzle"
		p.At(p.B, ev)
		<-d.Came
		p.A.Leases.Yield() // it is still there, and another has what was its own
		bare.GoOn(2 * time.Second)
		if p.A.Leases.Holds("test:1") || !p.B.Leases.Holds("test:1") {
			t.Fatal("the lease has not changed hands")
		}
		test(p, s, d, anna)
	}, wuerfelpoker.New())
}

// closes has the puzzle show its answer.
func closes(p *bare.Pair, anna *bare.Person) {
	ev := anna.Event()
	ev.Press = "1:0:0:/puzzle 1 close"
	p.At(p.B, ev)
	bare.GoOn(30 * time.Second)
}

// postsOnce fails unless one puzzle is posted while a replica waits and after that, and closed as solved.
func postsOnce(t *testing.T, waits func(desk) *bare.Turnstile, before, after time.Duration) {
	onDesk(t, waits, func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile, anna *bare.Person) {
		bare.GoOn(before)
		if n := len(puzzles(s)); n != 1 {
			t.Errorf("%d puzzles are posted", n)
		}
		close(d.Open)
		bare.GoOn(after)
		if closes(p, anna); len(puzzles(s)) != 1 || !strings.Contains(puzzles(s)[0], "solved") {
			t.Errorf("%q stand there", puzzles(s))
		}
	})
}

// A replica that has waited for the platform while another got the chat leaves the puzzle to that one.
func TestAPuzzleIsPostedOnceThoughTheLoopsMove(t *testing.T) {
	postsOnce(t, func(d desk) *bare.Turnstile { return d.ready }, 10*time.Second, 5*time.Minute)
}

// A puzzle that is being posted while the chat changes hands is remembered by who posts it, and drawn by the other.
func TestAPuzzleThatIsBeingPostedIsRemembered(t *testing.T) {
	postsOnce(t, func(d desk) *bare.Turnstile { return d.post }, time.Minute, 5*time.Second)
}

// A puzzle whose replica has died while it was being posted is not posted again: a person who asks for it reads it
// alone, and its answer is posted.
func TestAPuzzleWhosePostIsLostIsNotPostedAgain(t *testing.T) {
	onDesk(t, func(d desk) *bare.Turnstile { return d.post }, func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile,
		anna *bare.Person) {
		bare.GoOn(10 * time.Minute)
		if n := len(puzzles(s)); n != 1 {
			t.Errorf("%d puzzles are posted", n)
		}
		ev := anna.Event()
		ev.Command = "puzzle"
		if r := p.At(p.B, ev); r.Private == nil || r.Private.Puzzle != 1 {
			t.Errorf("asked for again it is %+v", r)
		}
		if closes(p, anna); len(puzzles(s)) != 2 {
			t.Errorf("%q stand there", puzzles(s))
		}
		close(d.Open)
		bare.GoOn(5 * time.Second)
	})
}

// bench is a stage at which the first post of a puzzle does not come off.
type bench struct {
	*bare.Stage
	fault func(ctx context.Context) error
	tries *int
}

func (c bench) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	if m.Puzzle != 0 {
		if *c.tries++; *c.tries == 1 {
			return "", c.fault(ctx)
		}
	}
	return c.Stage.Post(ctx, place, m)
}

// A puzzle that has waited for the platform in vain is posted later; one that may have arrived is not posted again.
func TestAPuzzleWhosePostDoesNotComeOff(t *testing.T) {
	bare.Beside(t)
	for name, test := range map[string]struct {
		fault func(ctx context.Context) error
		want  int
	}{
		"it has waited in vain": {func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}, 1},
		"it may have arrived": {func(context.Context) error { return chat.ErrUnsure }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, tries := bare.NewStage(), 0
			played := func(h *bare.House) { h.Reviewed(h.Pokered("Anna", "Ben")) }
			on := func(string, *bare.Side) chat.Platform { return bench{s, test.fault, &tries} }
			bare.InPairWith(t, played, on, func(p *bare.Pair) {
				ev := p.Person("Anna").Event()
				ev.Command = "puzzle"
				p.At(p.B, ev)
				bare.GoOn(10 * time.Minute)
				if n := len(puzzles(s)); n != test.want {
					t.Errorf("%d puzzles are posted after %d tries", n, tries)
				}
			}, wuerfelpoker.New())
		})
	}
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
	s.Until(t, "a puzzle", func([]string) bool { return len(puzzles(s)) > 0 })
}
