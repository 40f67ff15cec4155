package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// drawing is a wish: the board of a table is to be drawn, in the place of the
// old one or as a new message at the bottom.
type drawing struct {
	place chat.Place
	table int64
	fresh bool
	over  chat.Ref // the board that a fresh one is to replace: it is posted once
}

// join makes one wish of two for the same table, the later of them next.
func (d drawing) join(next drawing) drawing {
	if next.fresh {
		d.fresh, d.over = true, next.over
	}
	return d
}

// Draw draws the newest state of a table through an adapter's own means: the
// answer to the event whose Reply named the table. One board is drawn at a
// time for each table, so the newest state wins. It remembers what was drawn.
func (b *Bot) Draw(ctx context.Context, table int64, fresh bool, by chat.Drawer) error {
	t, lags, err := b.drawOnce(ctx, table, "", fresh, by)
	b.carried.release(table)
	if err != nil {
		// The loops draw what this adapter could not.
		b.wantTable(ctx, table, fresh)
		return err
	}
	if lags && !b.carried.held(table) {
		b.want(drawing{place: chat.Place(t.Place), table: table})
	}
	return nil
}

// drawOnce renders a table under its lock, has it drawn, and remembers the
// message. It returns the table, and whether it has changed meanwhile. A table
// that is not at the place any more is not drawn; "": wherever it is. fresh says that
// by posts the board anew.
func (b *Bot) drawOnce(ctx context.Context, table int64, at chat.Place, fresh bool, by chat.Drawer) (t store.Table, lags bool, err error) {
	unlock, err := b.locks.lock(ctx, table)
	if err != nil {
		return t, false, err
	}
	defer unlock()
	var m chat.Message
	s, known := b.carried.take(table)
	err = b.store.View(ctx, func(tx *store.Tx) (err error) {
		if !known {
			if s, err = b.scene(tx, table); err != nil {
				return err
			}
		}
		m, err = b.board(tx, s)
		return err
	})
	if err != nil {
		return t, false, fmt.Errorf("render table %d: %w", table, err)
	}
	t = s.Table
	if at != "" && chat.Place(t.Place) != at {
		return t, false, nil
	}
	old, place := chat.Ref(t.Board), t.Place
	ref, err := by(ctx, m, old)
	if err != nil {
		return t, false, err
	}
	// What stands in the chat is remembered even when ctx ends now.
	b.carried.drew(table, t.Version, ref)
	drawn, newest, lost := t.Version, t.Version, old
	anew := ref != old || fresh
	if t.Repost && !anew {
		drawn-- // it is still to be posted
	}
	err = b.store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if newest, err = tx.Drawn(table, drawn, place, string(ref)); err != nil || !anew {
			return err
		}
		if t, err = tx.Table(table); err != nil || t.Board != string(ref) {
			lost = ref // the table has moved meanwhile: who moved it has seen to the old board
			return err
		}
		t.Posted, t.Repost = b.now(), false
		return tx.SaveTable(t)
	})
	if err != nil {
		return t, false, fmt.Errorf("remember the board of table %d: %w", table, err)
	}
	if lost != "" && old != ref {
		b.retire(ctx, chat.Place(place), lost)
	}
	return t, drawn < newest, nil
}

// retire takes an old board away. One that stays does no harm: its buttons
// are answered like all others.
func (b *Bot) retire(ctx context.Context, place chat.Place, ref chat.Ref) {
	e := b.easelOf(place)
	if e == nil {
		return
	}
	if err := e.platform.Retire(ctx, place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
		b.log.DebugContext(ctx, "old board stays", "error", err)
	}
}

// Redraw posts the board of a place's table, or of its last one, anew: for a
// platform that keeps its messages in memory and has started empty. A place
// without a table stays as it is.
func (b *Bot) Redraw(ctx context.Context, place chat.Place) error {
	var t store.Table
	err := b.store.View(ctx, func(tx *store.Tx) (err error) {
		if t, err = tx.TableAt(string(place)); errors.Is(err, store.ErrNotFound) {
			t, err = tx.LastTableAt(string(place))
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("redraw %s: %w", place, err)
	}
	b.want(drawing{place: place, table: t.ID, fresh: true, over: chat.Ref(t.Board)})
	return nil
}

// want has a board drawn by the loops of its platform, unless an adapter is
// about to draw it. While nothing runs, the board lags behind and is drawn when
// Run begins.
func (b *Bot) want(d drawing) {
	if b.carried.held(d.table) && !d.fresh {
		return
	}
	if e := b.easelOf(d.place); e != nil {
		e.want(d)
	}
}

// wantTable is want where only the table is known.
func (b *Bot) wantTable(ctx context.Context, table int64, fresh bool) {
	var t store.Table
	err := b.store.View(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		t, err = tx.Table(table)
		return err
	})
	if err == nil {
		b.want(drawing{place: chat.Place(t.Place), table: table, fresh: fresh, over: chat.Ref(t.Board)})
	}
}

// easelOf finds the loops of a place's platform.
func (b *Bot) easelOf(place chat.Place) *easel {
	name := chat.PlatformOf(string(place))
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.easels[name]
}

// keyed are locks by table that one can stop waiting for.
type keyed struct {
	mu   sync.Mutex
	held map[int64]*lock
}

type lock struct {
	token chan struct{}
	users int
}

// lock waits for a table's lock, or for the end of ctx.
func (k *keyed) lock(ctx context.Context, table int64) (unlock func(), err error) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[int64]*lock{}
	}
	l := k.held[table]
	if l == nil {
		l = &lock{token: make(chan struct{}, 1)}
		k.held[table] = l
	}
	l.users++
	k.mu.Unlock()
	leave := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.held, table)
		}
	}
	select {
	case l.token <- struct{}{}:
		return func() { <-l.token; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// carryWithin is how long a board is held for the adapter that has said that
// it draws it.
const carryWithin = 10 * time.Second

// carried are the boards that adapters are about to draw themselves.
type carried struct {
	clock  chat.Clock
	mu     sync.Mutex
	boards map[int64]*carry
}

// carry is a board that is held for adapters.
type carry struct {
	until []time.Time // one for each of them
	// newest is the table as it was committed last by who carries it, nil where
	// that is not known or was drawn: it need not be read again.
	newest *scene
	drawn  int64    // the newest version that was drawn meanwhile
	ref    chat.Ref // the message that was drawn last meanwhile
}

func (c *carried) hold(table int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.boards == nil {
		c.boards = map[int64]*carry{}
	}
	held := c.boards[table]
	if held == nil {
		held = &carry{}
		c.boards[table] = held
	}
	held.until = append(held.until, c.clock.Now().Add(carryWithin))
}

// stands notes how a table whose board is held stands, now that it is committed.
func (c *carried) stands(s *scene) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.boards[s.ID]
	if held != nil && (held.newest == nil || held.newest.Version < s.Version) {
		held.newest = s
		held.check()
	}
}

// take returns how a table stands whose board is about to be drawn; false: that
// has to be read.
func (c *carried) take(table int64) (s scene, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.boards[table]
	if held == nil || held.newest == nil {
		return s, false
	}
	s, held.newest = *held.newest, nil
	return s, true
}

// drew notes that a version was drawn, and in which message.
func (c *carried) drew(table, version int64, ref chat.Ref) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if held := c.boards[table]; held != nil {
		held.drawn, held.ref = max(held.drawn, version), ref
		held.check()
	}
}

// check forgets how a table stands where that was overtaken: no older version is
// drawn over a newer one, and none in a message that is the board no longer.
func (c *carry) check() {
	if c.newest != nil && (c.newest.Version <= c.drawn || c.ref != "" && chat.Ref(c.newest.Board) != c.ref) {
		c.newest = nil
	}
}

func (c *carried) release(table int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if held := c.boards[table]; held != nil && len(held.until) > 1 {
		held.until = held.until[1:]
	} else {
		delete(c.boards, table)
	}
}

func (c *carried) held(table int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.boards[table]
	if held == nil {
		return false
	}
	for len(held.until) > 0 && c.clock.Now().After(held.until[0]) {
		held.until = held.until[1:]
	}
	if len(held.until) == 0 {
		delete(c.boards, table)
		return false
	}
	return true
}
