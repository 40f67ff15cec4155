package table

import (
	"context"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/games"
	"knobel/store"
)

// How long turns last: by the clock of the chat, with what outages have given to them.

const (
	// grace is the least time that people have after the bot, or their place, was away.
	grace = 2 * time.Minute
	// asleep is how much too late a look comes when the bot was away between two.
	asleep = time.Minute
	// tryAgain is when turns are ended that could not be.
	tryAgain = 5 * time.Second
	// dueAtOnce is how many turns are ended before it is looked for more.
	dueAtOnce = 64
)

// clockOf is how the clock of a table's chat runs.
func (v *Visit) clockOf(t store.Table) (Quiet, error) {
	set, err := v.Settings(t.Chat)
	return QuietOf(set, v.bot.Bot), err
}

// endsBy has the loop look in time for a turn that is to be over by a moment.
func (v *Visit) endsBy(due int64) {
	if due == 0 {
		return
	}
	v.After(func(context.Context, *bot.Core) error {
		if due < v.bot.awake.Load() {
			v.bot.due.Wake()
		}
		return nil
	})
}

// giveTime gives a turn so much time at least, where it has a clock, and some
// tables up to half as much again, so that they are not all played for at once.
func (v *Visit) giveTime(t *store.Table, long time.Duration) error {
	if t.Due == 0 {
		return nil
	}
	clock, err := v.clockOf(*t)
	if err != nil {
		return err
	}
	spread := time.Duration(t.ID) * 7 * time.Second % max(long/2, 1)
	t.Due = max(t.Due, clock.After(time.UnixMilli(v.At), long+spread).UnixMilli())
	v.endsBy(t.Due)
	return nil
}

// reached stores that the place of a table can be reached again, and gives time, because people
// could neither play nor be called there.
func (v *Visit) reached(t *store.Table) error {
	t.Away = false
	if err := v.bot.Notifier.Sooner(v, *t); err != nil {
		return err
	}
	return v.giveTime(t, grace)
}

// runClock sets when the present turn has to be over: a turn that has begun has
// its whole time, one that goes on with a move what is left of it, and
// board.MinTurnLimit at the least.
func (v *Visit) runClock(t *store.Table, m games.Match) error {
	limit := board.TurnLimit(*t)
	if t.State != store.Playing || t.Waits || limit == 0 || len(board.WaitedFor(*t, m)) == 0 {
		t.Due = 0
		return nil
	}
	clock, err := v.clockOf(*t)
	if err != nil {
		return err
	}
	now := time.UnixMilli(v.At)
	switch {
	case v.Begun || t.Due == 0:
		t.Due = clock.After(now, limit).UnixMilli()
	case v.playing:
		t.Due = max(t.Due, clock.After(now, board.MinTurnLimit).UnixMilli())
	}
	v.endsBy(t.Due)
	return nil
}

// wholeTurn restarts the present turn for the person who is to move now: its deadline becomes a
// whole limit from now, unless an outage has moved it further.
func (v *Visit) wholeTurn(t *store.Table) error {
	t.Moved = v.At
	limit := board.TurnLimit(*t)
	if limit == 0 || t.Due == 0 {
		return nil // a clock that does not run, or is to begin
	}
	clock, err := v.clockOf(*t)
	if err == nil {
		t.Due = max(t.Due, clock.After(time.UnixMilli(v.At), limit).UnixMilli())
	}
	return err
}

// moved updates absence after a move: a person who has moved themselves is present, and so is again
// a late one whose turn has passed. It reports whether a new turn has begun.
func moved(t *store.Table, was, now games.Match, seat games.Seat, auto bool) (begun bool) {
	if s := &t.Seats[seat]; !auto && s.House == "" {
		s.Missed, s.Absence = 0, store.Present
	}
	turn := now.Turn()
	for i := range t.Seats {
		if s := &t.Seats[i]; s.Absence == store.Late && !slices.Contains(turn, games.Seat(i)) {
			s.Absence = store.Present
		}
	}
	before := was.Turn()
	return slices.ContainsFunc(turn, func(s games.Seat) bool { return !slices.Contains(before, s) })
}
