package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// talkative is a stage on which so many messages stand below each board, as one of the sides hears.
type talkative struct {
	*bare.Stage
	of    *bare.Side
	hears *atomic.Pointer[bare.Side]
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
	var hears atomic.Pointer[bare.Side]
	on := func(_ string, s *bare.Side) chat.Platform { return talkative{s.Stage, s, &hears, &talk} }
	bare.InPairOn(t, on, func(p *bare.Pair) {
		hears.Store(p.B)
		at := p.Opens(p.B)
		talk.Store(1000)
		r := p.At(p.B, bare.Carried(at))
		p.DrawsBy(p.B, r.Board, func() {})
		bare.GoOn(time.Second)
		if a, b := bare.Posted(p.A.Stage), bare.Posted(p.B.Stage); a != 2 || b != 0 {
			t.Errorf("%d boards are posted by who runs the loops, and %d by the other", a, b)
		}
		p.UpToDate(at)
		now := at.People[0].Table()
		p.A.Outbox.Hinted(now, 0)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 2 {
			t.Errorf("without a reason %d boards are posted", a)
		}
		p.B.Outbox.Hinted(now, now.Board.Posted)
		bare.GoOn(time.Second)
		if b := bare.Posted(p.B.Stage); b != 0 {
			t.Errorf("who does not run the loops posts %d boards", b)
		}
		p.A.Outbox.Hinted(now, now.Board.Posted-1)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 2 {
			t.Errorf("for the board before %d boards are posted", a)
		}
		p.A.Outbox.Hinted(now, now.Board.Posted)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 3 {
			t.Errorf("pushed away again, %d boards are posted", a)
		}
	})
}
