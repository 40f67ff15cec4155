package bot

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"knobel/bot/chat"
	"knobel/store"
)

// busiest is how many places of a platform are drawn in at once. What is
// beyond it lags behind and is found again by the sweep, as a new message where it
// was to be one.
const busiest = 1024

// easel draws the boards of one platform. Each place that has something to
// draw has a goroutine of its own, so that one slow chat delays no other; it
// ends when nothing is left.
type easel struct {
	bot      *Bot
	platform chat.Platform
	ctx      context.Context // ends all drawing

	mu     sync.Mutex
	places map[chat.Place][]drawing // what is to be drawn, in order, in places with a goroutine
	idle   chan struct{}            // closed and replaced when the last goroutine ends
	closed bool

	failing map[chat.Place]bool // places whose last drawing failed
	failed  int                 // how many drawings have, since the first of these
	since   time.Time           // when that was
}

func newEasel(ctx context.Context, b *Bot, p chat.Platform) *easel {
	return &easel{bot: b, platform: p, ctx: ctx, places: map[chat.Place][]drawing{}, idle: make(chan struct{}), failing: map[chat.Place]bool{}}
}

// want puts a board on the list of its place. A board that is on the list
// already stays where it is: it will be drawn as it then is.
func (e *easel) want(d drawing) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list, busy := e.places[d.place]
	for i := range list {
		if list[i].table == d.table {
			list[i] = list[i].join(d)
			return
		}
	}
	if e.closed || (!busy && len(e.places) >= busiest) {
		return
	}
	e.places[d.place] = append(list, d)
	if !busy {
		go e.work(d.place)
	}
}

// work draws what a place has on its list until nothing is left.
func (e *easel) work(place chat.Place) {
	wait := patience(place)
	for {
		d, ok := e.next(place)
		if !ok {
			return
		}
		err := e.draw(d)
		if err == nil {
			e.succeeded(place)
			wait.Reset()
			continue
		}
		pause := wait.NextBackOff()
		var later chat.Later
		if errors.As(err, &later) {
			pause = later.After
		} else if e.ctx.Err() == nil {
			e.fail(d, pause, err)
		}
		e.again(d)
		select {
		case <-e.bot.clock.After(pause):
		case <-e.ctx.Done():
		}
	}
}

// patience is how long a place is left alone after trouble, ever longer. Places
// that had it at the same time do not try again at the same time, and each does
// it alike whenever it happens.
func patience(place chat.Place) *backoff.ExponentialBackOff {
	name := fnv.New32a()
	_, _ = name.Write([]byte(place))
	apart := 0.75 + 0.5*float64(name.Sum32())/math.MaxUint32
	spread := func(d time.Duration) time.Duration { return time.Duration(apart * float64(d)) }
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.RandomizationFactor = spread(250*time.Millisecond), spread(time.Minute), 0
	return wait
}

// fail notes that a board could not be drawn. An outage has one line in the log
// when it begins, however many boards it keeps from being drawn.
func (e *easel) fail(d drawing, pause time.Duration, err error) {
	e.mu.Lock()
	first := len(e.failing) == 0
	if first {
		e.failed, e.since = 0, e.bot.clock.Now()
	}
	e.failing[d.place] = true
	e.failed++
	e.mu.Unlock()
	level := slog.LevelDebug
	if first {
		level = slog.LevelWarn
	}
	e.bot.log.Log(e.ctx, level, "board not drawn", "platform", e.platform.Name(), "table", d.table, "again", pause, "error", err)
}

// succeeded notes that drawing in a place does not fail any longer, and tells
// of an outage's end.
func (e *easel) succeeded(place chat.Place) {
	e.mu.Lock()
	was := e.failing[place]
	delete(e.failing, place)
	over, failed, after := was && len(e.failing) == 0, e.failed, e.bot.clock.Now().Sub(e.since)
	e.mu.Unlock()
	if over {
		e.bot.log.InfoContext(e.ctx, "boards are drawn again", "platform", e.platform.Name(), "failed", failed, "after", after)
	}
}

// next takes the first drawing off a place's list. When there is none, or all
// drawing has ended, the place is no longer busy.
func (e *easel) next(place chat.Place) (drawing, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.places[place]
	if len(list) == 0 || e.ctx.Err() != nil {
		delete(e.places, place)
		if len(e.places) == 0 {
			close(e.idle)
			e.idle = make(chan struct{})
		}
		return drawing{}, false
	}
	e.places[place] = list[1:]
	return list[0], true
}

// again puts a drawing that did not succeed back, in front.
func (e *easel) again(d drawing) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.places[d.place]
	for i := range list {
		if list[i].table == d.table {
			list[i] = d.join(list[i])
			return
		}
	}
	e.places[d.place] = append([]drawing{d}, list...)
}

// draw draws one board: it waits for the platform's budget, and then renders.
func (e *easel) draw(d drawing) (err error) {
	defer rescue(&err)
	_, need, behind, err := e.behind(d)
	if err != nil || !behind {
		return err
	}
	if err := e.platform.Ready(e.ctx, d.place, need); err != nil {
		return err
	}
	d, _, behind, err = e.behind(d)
	if err != nil || !behind {
		return err
	}
	t, lags, err := e.bot.drawOnce(e.ctx, d.table, d.place, d.fresh, e.drawer(d))
	if errors.Is(err, chat.ErrAway) {
		return e.away(d, t.Version)
	}
	if err != nil {
		return err
	}
	if lags {
		e.bot.want(drawing{place: d.place, table: d.table})
	}
	return nil
}

// drawer draws over the present board, or posts a new one where there is
// none, or where it is gone.
func (e *easel) drawer(d drawing) chat.Drawer {
	return func(ctx context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		if ref == "" || d.fresh {
			return e.platform.Post(ctx, d.place, m)
		}
		err := e.platform.Edit(ctx, d.place, ref, m)
		if errors.Is(err, chat.ErrGone) {
			return e.platform.Post(ctx, d.place, m)
		}
		return ref, err
	}
}

// behind says whether a board is still to be drawn, here and by us, how much it
// is needed, and whether still as a fresh one: somebody else may have posted it
// meanwhile.
func (e *easel) behind(d drawing) (drawing, chat.Need, bool, error) {
	var t store.Table
	err := e.bot.store.View(e.ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Table(d.table)
		return err
	})
	switch {
	case errors.Is(err, store.ErrNotFound) || (err == nil && t.Place != string(d.place)):
		return d, chat.ToSee, false, nil // it has moved with its chat; the sweep finds it there
	case err != nil:
		return d, chat.ToSee, false, err
	}
	lags := t.Drawn < t.Version && !t.Away && !e.bot.carried.held(d.table)
	d.fresh = d.fresh && chat.Ref(t.Board) == d.over || lags && t.Repost
	return d, needOf(t), d.fresh || lags, nil
}

// needOf is how much a table's board is needed.
func needOf(t store.Table) chat.Need {
	if t.State == store.Playing && !t.Waits {
		return chat.ToMove
	}
	return chat.ToSee
}

// away remembers that a place cannot be reached, until an event comes from
// there. A table that has left it meanwhile is not away; one that has changed since
// the version that could not be drawn is tried again, because somebody may be there.
func (e *easel) away(d drawing, version int64) error {
	e.bot.log.InfoContext(e.ctx, "place is away", "table", d.table)
	again := false
	err := e.bot.store.Update(context.WithoutCancel(e.ctx), func(tx *store.Tx) error {
		t, err := tx.Table(d.table)
		if err != nil || chat.Place(t.Place) != d.place {
			return err
		}
		if again = t.Version != version; again {
			return nil
		}
		t.Away = true
		return tx.SaveTable(t)
	})
	if err != nil {
		return fmt.Errorf("remember that table %d is away: %w", d.table, err)
	}
	if again {
		e.bot.want(d)
	}
	return nil
}

// swept is how many lagging boards one look finds.
const swept = 1024

// sweep puts every board that lags behind on its list.
func (e *easel) sweep(ctx context.Context) error {
	var found []drawing
	err := e.bot.store.View(ctx, func(tx *store.Tx) error {
		tables, err := tx.Lagging(e.platform.Name()+":", swept)
		for _, id := range tables {
			t, err := tx.Table(id)
			if err != nil {
				return err
			}
			found = append(found, drawing{place: chat.Place(t.Place), table: id})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("look for lagging boards: %w", err)
	}
	for _, d := range found {
		e.bot.want(d)
	}
	return nil
}

// rest waits until nothing is left to draw, or ctx ends.
func (e *easel) rest(ctx context.Context) {
	for {
		e.mu.Lock()
		busy, idle := len(e.places), e.idle
		e.mu.Unlock()
		if busy == 0 {
			return
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}

// close takes no more wishes and waits for the goroutines, whose context has
// ended.
func (e *easel) close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.rest(context.Background())
}
