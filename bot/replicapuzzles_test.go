package bot_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// desk is a stage on which one of several replicas puts puzzles. It can keep it waiting.
type desk struct {
	*stage
	ready, post *turnstile
}

func (d desk) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need == chat.ToSee {
		d.ready.pass()
	}
	return d.stage.Ready(ctx, place, need)
}

func (d desk) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	ref, err := d.stage.Post(ctx, place, m)
	if m.Puzzle != 0 {
		d.post.pass()
	}
	return ref, err
}

// puzzles are the messages with puzzles that stand on a stage.
func (s *stage) puzzles() (heads []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.shown {
		if m.Puzzle != 0 {
			heads = append(heads, m.Head)
		}
	}
	return heads
}

// onDesk runs a test with two replicas on one stage. One of the replicas, which runs the loops of the chat, finds a
// turnstile shut when it posts a puzzle; meanwhile the other gets the chat.
func onDesk(t *testing.T, shut func(d desk) *turnstile, test func(p *pair, s *stage, d *turnstile, anna *person)) {
	s, desks := newStage(), map[*side]desk{}
	played := func(h *house) { h.reviewed(h.pokered("Anna", "Ben")) }
	on := func(_ string, at *side) chat.Platform {
		desks[at] = desk{s, newTurnstile(), newTurnstile()}
		return desks[at]
	}
	inPairWith(t, played, on, func(p *pair) {
		anna, d := p.person("Anna"), shut(desks[p.a])
		d.shut.Store(true)
		ev := anna.event()
		ev.Command = "puzzle"
		p.at(p.b, ev)
		<-d.came
		p.a.leases.Yield() // it is still there, and another has what was its own
		goOn(2 * time.Second)
		if p.a.leases.Holds("test:1") || !p.b.leases.Holds("test:1") {
			t.Fatal("the lease has not changed hands")
		}
		test(p, s, d, anna)
	}, wuerfelpoker.New())
}

// closes has the puzzle show its answer.
func (p *pair) closes(anna *person) {
	ev := anna.event()
	ev.Press = "1:0:0:/puzzle 1 close"
	p.at(p.b, ev)
	goOn(30 * time.Second)
}

// A replica that has waited for the platform while another got the chat leaves the puzzle to that one.
func TestAPuzzleIsPostedOnceThoughTheLoopsMove(t *testing.T) {
	onDesk(t, func(d desk) *turnstile { return d.ready }, func(p *pair, s *stage, d *turnstile, anna *person) {
		goOn(10 * time.Second)
		if n := len(s.puzzles()); n != 1 {
			t.Errorf("who has the chat now has posted %d puzzles", n)
		}
		close(d.open)
		goOn(5 * time.Minute)
		if p.closes(anna); len(s.puzzles()) != 1 || !strings.Contains(s.puzzles()[0], "solved") {
			t.Errorf("%q stand there", s.puzzles())
		}
	})
}

// A puzzle that is being posted while the chat changes hands is remembered by who posts it, and drawn by the other.
func TestAPuzzleThatIsBeingPostedIsRemembered(t *testing.T) {
	onDesk(t, func(d desk) *turnstile { return d.post }, func(p *pair, s *stage, d *turnstile, anna *person) {
		goOn(time.Minute)
		if n := len(s.puzzles()); n != 1 {
			t.Errorf("%d puzzles are posted", n)
		}
		close(d.open)
		goOn(5 * time.Second)
		if p.closes(anna); len(s.puzzles()) != 1 || !strings.Contains(s.puzzles()[0], "solved") {
			t.Errorf("%q stand there", s.puzzles())
		}
	})
}

// A puzzle whose replica has died while it was being posted is not posted again: whoever asks for it reads it alone,
// and its answer is posted.
func TestAPuzzleWhosePostIsLostIsNotPostedAgain(t *testing.T) {
	onDesk(t, func(d desk) *turnstile { return d.post }, func(p *pair, s *stage, d *turnstile, anna *person) {
		goOn(10 * time.Minute)
		if n := len(s.puzzles()); n != 1 {
			t.Errorf("%d puzzles are posted", n)
		}
		ev := anna.event()
		ev.Command = "puzzle"
		if r := p.at(p.b, ev); r.Private == nil || r.Private.Puzzle != 1 {
			t.Errorf("asked for again it is %+v", r)
		}
		if p.closes(anna); len(s.puzzles()) != 2 {
			t.Errorf("%q stand there", s.puzzles())
		}
		close(d.open)
		goOn(5 * time.Second)
	})
}

// bench is a stage at which the first post of a puzzle does not come off.
type bench struct {
	*stage
	fault func(ctx context.Context) error
	tries *int
}

func (c bench) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	if m.Puzzle != 0 {
		if *c.tries++; *c.tries == 1 {
			return "", c.fault(ctx)
		}
	}
	return c.stage.Post(ctx, place, m)
}

// A puzzle that has waited for the platform in vain is posted later; one that may have arrived is not posted again.
func TestAPuzzleWhosePostDoesNotComeOff(t *testing.T) {
	beside(t)
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
			s, tries := newStage(), 0
			played := func(h *house) { h.reviewed(h.pokered("Anna", "Ben")) }
			on := func(string, *side) chat.Platform { return bench{s, test.fault, &tries} }
			inPairWith(t, played, on, func(p *pair) {
				ev := p.person("Anna").event()
				ev.Command = "puzzle"
				p.at(p.b, ev)
				goOn(10 * time.Minute)
				if n := len(s.puzzles()); n != test.want {
					t.Errorf("%d puzzles are posted after %d tries", n, tries)
				}
			}, wuerfelpoker.New())
		})
	}
}
