package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
)

// talkative is a stage on which so many messages stand below each board, as one of the sides hears.
type talkative struct {
	*stage
	of    *side
	hears *atomic.Pointer[side]
	below *atomic.Int64
}

func (s talkative) Since(context.Context, chat.Place, chat.Ref, int) (int, error) {
	if s.hears.Load() != s.of {
		return 0, nil
	}
	return int(s.below.Load()), nil
}

// Who has drawn a board and hears talk push it away tells who runs the loops, which posts it anew.
func TestABoardThatIsPushedAwayIsPostedByWhoRunsTheLoops(t *testing.T) {
	var talk atomic.Int64
	var hears atomic.Pointer[side]
	on := func(_ string, s *side) chat.Platform { return talkative{s.stage, s, &hears, &talk} }
	inPairOn(t, on, func(p *pair) {
		hears.Store(p.b)
		at := p.opens(p.b)
		talk.Store(1000)
		r := p.at(p.b, carried(at))
		p.drawsBy(p.b, r.Board, func() {})
		goOn(time.Second)
		if a, b := posted(p.a.stage), posted(p.b.stage); a != 2 || b != 0 {
			t.Errorf("%d boards are posted by who runs the loops, and %d by the other", a, b)
		}
		p.upToDate(at)
		now := at.people[0].table()
		p.a.Outbox.Hinted(now, 0)
		goOn(time.Second)
		if a := posted(p.a.stage); a != 2 {
			t.Errorf("without a reason %d boards are posted", a)
		}
		p.b.Outbox.Hinted(now, now.Posted)
		goOn(time.Second)
		if b := posted(p.b.stage); b != 0 {
			t.Errorf("who does not run the loops posts %d boards", b)
		}
		p.a.Outbox.Hinted(now, now.Posted-1)
		goOn(time.Second)
		if a := posted(p.a.stage); a != 2 {
			t.Errorf("for the board before %d boards are posted", a)
		}
		p.a.Outbox.Hinted(now, now.Posted)
		goOn(time.Second)
		if a := posted(p.a.stage); a != 3 {
			t.Errorf("pushed away again, %d boards are posted", a)
		}
	})
}
