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

// pauser is a stage that can delay a replica before and after it posts a puzzle.
type pauser struct {
	*bare.Stage
	ready, post *bare.Turnstile
}

func (d pauser) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need == chat.ToSee {
		d.ready.Pass()
	}
	return d.Stage.Ready(ctx, place, need)
}

func (d pauser) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	ref, err := d.Stage.Post(ctx, place, m)
	if m.Puzzle != 0 {
		d.post.Pass()
	}
	return ref, err
}

// puzzles returns the headlines of the puzzles shown on a stage.
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

// withDelay calls test with two replicas on one stage. The turnstile that shut selects, d, delays the replica with the
// chat's lease when it posts a puzzle; meanwhile the other replica gets the lease.
func withDelay(t *testing.T, shut func(d pauser) *bare.Turnstile,
	test func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile, anna *bare.Person)) {
	s, desks := bare.NewStage(), map[*bare.Side]pauser{}
	played := func(h *bare.House) { h.Reviewed(h.Pokered("Anna", "Ben")) }
	on := func(_ string, at *bare.Side) chat.Platform {
		desks[at] = pauser{s, bare.NewTurnstile(), bare.NewTurnstile()}
		return desks[at]
	}
	bare.InPairWith(t, played, on, func(p *bare.Pair) {
		anna, d := p.Person("Anna"), shut(desks[p.A])
		d.Shut.Store(true)
		ev := anna.Event()
		ev.Command = "puzzle"
		p.At(p.B, ev)
		<-d.Came
		p.A.Leases.Yield() // it still runs, but another replica gets its leases
		bare.GoOn(2 * time.Second)
		if p.A.Leases.Holds("test:1") || !p.B.Leases.Holds("test:1") {
			t.Fatal("the lease has not changed hands")
		}
		test(p, s, d, anna)
	}, wuerfelpoker.New())
}

// closePuzzle closes the puzzle, so that its message shows the answer.
func closePuzzle(p *bare.Pair, anna *bare.Person) {
	ev := anna.Event()
	ev.Press = "1:0:0:/puzzle 1 close"
	p.At(p.B, ev)
	bare.GoOn(30 * time.Second)
}

// checkPostedOnce delays a puzzle at turnstile for the time before, and waits the time after. It must be posted once.
func checkPostedOnce(t *testing.T, turnstile func(pauser) *bare.Turnstile, before, after time.Duration) {
	withDelay(t, turnstile, func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile, anna *bare.Person) {
		bare.GoOn(before)
		if n := len(puzzles(s)); n != 1 {
			t.Errorf("%d puzzles are posted", n)
		}
		close(d.Open)
		bare.GoOn(after)
		if closePuzzle(p, anna); len(puzzles(s)) != 1 || !strings.Contains(puzzles(s)[0], "Answer to the puzzle") {
			t.Errorf("%q stand there", puzzles(s))
		}
	})
}

// A replica that loses the chat's lease while it waits for the platform leaves the puzzle to the new holder.
func TestAPuzzleIsPostedOnceThoughTheLoopsMove(t *testing.T) {
	checkPostedOnce(t, func(d pauser) *bare.Turnstile { return d.ready }, 10*time.Second, 5*time.Minute)
}

// A replica that loses the lease while posting a puzzle still stores its message, and the new holder edits it.
func TestAPuzzleThatIsBeingPostedIsRemembered(t *testing.T) {
	checkPostedOnce(t, func(d pauser) *bare.Turnstile { return d.post }, time.Minute, 5*time.Second)
}

// A puzzle whose replica died while posting it is not posted again. Users who ask for it see it privately, and its
// answer is posted.
func TestAPuzzleWhosePostIsLostIsNotPostedAgain(t *testing.T) {
	withDelay(t, func(d pauser) *bare.Turnstile { return d.post }, func(p *bare.Pair, s *bare.Stage, d *bare.Turnstile,
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
		if closePuzzle(p, anna); len(puzzles(s)) != 2 {
			t.Errorf("%q stand there", puzzles(s))
		}
		close(d.Open)
		bare.GoOn(5 * time.Second)
	})
}

// failingStage is a stage on which the first post of a puzzle fails.
type failingStage struct {
	*bare.Stage
	fault func(ctx context.Context) error
	tries *int
}

func (c failingStage) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	if m.Puzzle != 0 {
		if *c.tries++; *c.tries == 1 {
			return "", c.fault(ctx)
		}
	}
	return c.Stage.Post(ctx, place, m)
}

// A puzzle whose post timed out is posted later. One that may have been posted is not posted again.
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
			on := func(string, *bare.Side) chat.Platform { return failingStage{s, test.fault, &tries} }
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

// A puzzle in a place that accepts no messages now does not delay one in another place.
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
