package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/store"
)

// The loop that closes old puzzles and draws those whose messages lag.

// maxPuzzles is how many puzzles one look draws on a platform, or closes.
const maxPuzzles = 64

// puzzleWithin bounds the drawing of one puzzle, its wait for the platform's
// budget included.
const puzzleWithin = time.Minute

// lookPuzzles closes old puzzles and has the messages of those drawn that have
// changed.
func (b *Reviews) lookPuzzles(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	err = b.closeOldPuzzles(ctx, c)
	for _, p := range c.Outbox.Platforms() {
		err = errors.Join(err, b.drawPuzzles(ctx, p))
	}
	return b.puzzles.Rested(), err
}

// closeOldPuzzles closes those that were asked a day ago. One that cannot be closed
// keeps no other open.
func (b *Reviews) closeOldPuzzles(ctx context.Context, c *bot.Core) error {
	before := b.Now() - openFor.Milliseconds()
	var faults []error
	beyond := int64(0)
	for {
		var old []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			old, err = tx.OldPuzzles(before, beyond, maxPuzzles)
			return err
		})
		if err != nil || len(old) == 0 || ctx.Err() != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, c.StepAt(ctx, store.OfPuzzle, old, "close puzzle", bot.At(b.Visit, (*visit).closeOld)))
		beyond = old[len(old)-1].ID
	}
}

// closeOld closes a puzzle, unless it is closed.
func (v *visit) closeOld(id int64) error {
	p, err := v.Tx.Puzzle(id)
	if err != nil || !p.Open {
		return err
	}
	return v.reveal(p)
}

// DrawPuzzles draws the puzzles of a place whose messages lag behind: for who
// draws boards without Run. put posts a message, or changes the one that is
// there already, and returns its reference.
func (b *Reviews) DrawPuzzles(ctx context.Context, at chat.Place,
	put func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error)) error {
	lagging, err := b.laggingPuzzles(ctx, string(at))
	if err != nil {
		return err
	}
	for _, at := range lagging {
		if err := b.putPuzzle(ctx, store.OfPuzzle(at.ID), at.ID, put); err != nil {
			return fmt.Errorf("puzzle %d: %w", at.ID, err)
		}
	}
	return nil
}

// laggingPuzzles are those whose messages lag behind, where the names of their
// places begin so.
func (b *Reviews) laggingPuzzles(ctx context.Context, prefix string) (lagging []store.Row, err error) {
	err = b.Due(ctx, func(tx *store.Tx) error {
		lagging, err = tx.LaggingPuzzles(prefix, maxPuzzles)
		return err
	})
	return lagging, err
}

// drawPuzzles has the puzzles of a platform drawn whose messages lag behind, beside
// everything else: one slow place delays no other.
func (b *Reviews) drawPuzzles(ctx context.Context, on chat.Platform) error {
	lagging, err := b.laggingPuzzles(ctx, on.Name()+":")
	if err != nil {
		return err
	}
	for _, at := range lagging {
		draw := func(ctx context.Context, _ int64) error { return b.drawPuzzle(ctx, on, at) }
		b.puzzles.Go(ctx, on.Name(), at.ID, draw, func(err error) {
			b.Log.ErrorContext(ctx, "puzzle not drawn", "puzzle", at.ID, "error", err)
		})
	}
	return nil
}

// drawPuzzle draws one puzzle of a platform, when there is room for it.
func (b *Reviews) drawPuzzle(ctx context.Context, on chat.Platform, at store.Row) error {
	ctx, cancel := context.WithTimeout(ctx, puzzleWithin)
	defer cancel()
	var p store.Puzzle
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		p, err = tx.Puzzle(at.ID)
		return err
	})
	if err != nil || p.Drawn == p.Version { // somebody has drawn it since it was looked for
		return err
	}
	if err := on.Ready(ctx, chat.Place(p.Place), chat.ToSee); err != nil {
		return err
	}
	of, held := b.Under(store.OfPuzzle(at.ID), at.Chat)
	if !held {
		return nil
	}
	if err = b.StillUnder(ctx, of); err == nil {
		err = b.putPuzzle(ctx, of, at.ID, putter(on))
	}
	if b.Leases.Fenced(err) {
		return nil
	}
	return err
}

// putter draws puzzles as messages of a platform.
func putter(on chat.Platform) func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error) {
	return func(ctx context.Context, at chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		err := chat.ErrGone
		if ref != "" {
			err = on.Edit(ctx, at, ref, m)
		}
		if errors.Is(err, chat.ErrGone) {
			return on.Post(ctx, at, m)
		}
		return ref, err
	}
}

// putPuzzle draws a puzzle in its present state, and stores its message.
func (b *Reviews) putPuzzle(ctx context.Context, of store.Scope, id int64,
	put func(context.Context, chat.Place, chat.Message, chat.Ref) (chat.Ref, error)) error {
	p, m, err := b.renderPuzzle(ctx, id)
	if err != nil {
		return err
	}
	ref, err := put(ctx, chat.Place(p.Place), *m, chat.Ref(p.Message))
	away := errors.Is(err, chat.ErrAway)
	if err != nil && !away {
		return err
	}
	return b.Store.UpdateOf(context.WithoutCancel(ctx), of, func(tx *store.Tx) error {
		now, err := tx.Puzzle(id)
		if err != nil || now.Place != p.Place {
			return err // it has moved with its chat, and is drawn there
		}
		if now.Away = away; !away {
			now.Drawn, now.Message = p.Version, string(ref)
		}
		return tx.SavePuzzle(now)
	})
}

// renderPuzzle puts a puzzle into the words of its chat, else of its asker.
func (b *Reviews) renderPuzzle(ctx context.Context, id int64) (p store.Puzzle, m *chat.Message, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		p, m, err = b.puzzleIn(tx, id, "")
		return err
	})
	return p, m, err
}

// puzzleIn puts a puzzle into a language, "": that of its chat, else of its asker.
func (b *Reviews) puzzleIn(tx *store.Tx, id int64, lang string) (p store.Puzzle, m *chat.Message, err error) {
	if p, err = tx.Puzzle(id); err != nil {
		return p, nil, err
	}
	chat, err := tx.Chat(p.Chat)
	if err != nil {
		return p, nil, err
	}
	asker, err := tx.Player(p.Asker)
	if err != nil {
		return p, nil, err
	}
	v := b.QuietVisit(tx, chat, asker)
	v.Lang = cmp.Or(lang, v.Lang)
	m, err = b.Visit(v).puzzleMessage(p)
	return p, m, err
}
