package bot_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// fader is a platform that takes answers away as a test says.
type fader struct {
	*stage
	fade func() error
}

func (f fader) Fade(context.Context, chat.Chat, []chat.Fading) error { return f.fade() }

// TestWhoTakesAnAnswerAwayTooLateForgetsNothing has a replica lose a chat while its platform takes an answer away: what
// has become of it is for the other to say, which has tried in vain meanwhile and tries again.
func TestWhoTakesAnAnswerAwayTooLateForgetsNothing(t *testing.T) {
	var begun, goes chan struct{}
	var tries atomic.Int32
	on := func(_ string, s *side) chat.Platform {
		return fader{stage: s.stage, fade: func() error {
			if tries.Add(1) == 1 {
				close(begun)
				<-goes
				return nil
			}
			return errors.New("not now")
		}}
	}
	inPairOn(t, on, func(p *pair) {
		begun, goes = make(chan struct{}), make(chan struct{}) // of the bubble
		const answer = "test:1/1/answer"
		if err := p.a.Fade(context.Background(), "test:1", chat.Fading{Answer: answer}, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		<-begun
		p.a.leases.Yield()
		goOn(20 * time.Second)
		if !p.b.leases.Holds("test:1") || tries.Load() < 2 {
			t.Fatalf("it was tried %d times", tries.Load())
		}
		close(goes)
		goOn(time.Second)
		err := p.store.View(context.Background(), func(tx *store.Tx) error {
			f, err := tx.FadingAnswer(answer)
			if others := int(tries.Load()) - 1; f.Tries != others {
				t.Errorf("the other has tried %d times, and stored %+v", others, f)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
