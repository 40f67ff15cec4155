package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The message of a puzzle and how it is posted.

// puzzleMessage returns the message of a puzzle: the position with buttons for moves or, once closed, the answer.
func (v *visit) puzzleMessage(p store.Puzzle) (*chat.Message, error) {
	pos, err := v.positionOf(p)
	if err != nil {
		return nil, err
	}
	t := pos.t
	t.Board.Page = board.PageGame
	s := v.bot.AsItStood(v.Tx, v.Lang, t, pos.g, pos.match, int(pos.choice.Seat))
	if s.Err != nil {
		return nil, s.Err
	}
	m := &s.Message
	for i := range m.People {
		m.People[i].User = "" // no seat is the reader's: all people may try
	}
	args := games.Args{"Table": pos.t.ID, "What": m.Said(), "Seat": pos.choice.Seat,
		"Best": pos.moveLabel(pos.step.Best), "Made": pos.moveLabel(pos.made)}
	m.Told, m.Puzzle, m.Version = nil, p.ID, p.Version
	if p.Open {
		m.Head = v.Say(games.Say("bot.puzzle.head", args))
		m.Lines = append(m.Lines, v.Say(games.Say("bot.puzzle.rules", nil)))
		m.Buttons = v.tryButtons(p, pos)
		board.ExplainSigns(m, pos.match.View().Sheet, v.Say)
		return m, nil
	}
	m.Head = v.Say(games.Say("bot.puzzle.answer", args))
	args["Cost"] = v.costOf(pos.reviewed, pos.step.Cost)
	args["Worth"] = v.worthOf(pos.reviewed, pos.step.Worth)
	args["Instead"] = v.worthOf(pos.reviewed, pos.step.Worth+pos.step.Cost)
	m.Lines = append(m.Lines, v.Say(games.Say("bot.puzzle.made", args)), v.Say(games.Say("bot.review.better", args)))
	if why, ok := games.Why(pos.match, pos.choice.Seat, pos.step.Best, pos.made); ok {
		m.Lines = append(m.Lines, v.Say(why))
	}
	finders, err := v.findersLine(p)
	if err != nil {
		return nil, err
	}
	m.Lines = append(m.Lines, v.Say(finders))
	board.ExplainSigns(m, pos.match.View().Sheet, v.Say)
	m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.review", nil), fmt.Sprintf("/review %d", pos.t.ID),
		games.Plain)}}
	return m, nil
}

// tryButtons returns buttons for at most maxTries moves: the best, the one played and the cheapest others, in the order
// of the game. Moves with equal labels, such as keeping either of two equal dice, share one button.
func (v *visit) tryButtons(p store.Puzzle, pos position) [][]chat.Button {
	type try struct {
		tryMove
		at    int
		label string
	}
	var tries []try
	for at, m := range pos.choice.Moves {
		label := v.Say(pos.moveLabel(m.Move))
		equal := slices.IndexFunc(tries, func(t try) bool { return t.label == label })
		switch {
		case equal < 0:
			tries = append(tries, try{m, at, label})
		case m.Move == pos.made || m.Move == pos.step.Best:
			tries[equal].tryMove = m
		}
	}
	slices.SortStableFunc(tries, func(a, b try) int {
		return cmp.Or(bot.TrueFirst(a.Move == pos.made || a.Move == pos.step.Best,
			b.Move == pos.made || b.Move == pos.step.Best),
			cmp.Compare(a.Cost, b.Cost))
	})
	tries = tries[:min(len(tries), maxTries)]
	slices.SortFunc(tries, func(a, b try) int { return cmp.Compare(a.at, b.at) })
	perRow := 4
	var row []chat.Button
	for _, t := range tries {
		if utf8.RuneCountInString(t.label) > 14 {
			perRow = 2
		}
		row = append(row, chat.Button{
			Label: chat.Shorten(bot.Capital(t.label), chat.MaxButton),
			Press: chat.Press{What: fmt.Sprintf("/puzzle %d %s", p.ID, t.Move)}.String(),
		})
	}
	rows := slices.Collect(slices.Chunk(row, perRow))
	closeButton := v.Button(games.Say("bot.button.answer", nil), fmt.Sprintf("/puzzle %d close", p.ID), games.Plain)
	closeButton.For = chat.User(p.Asker)
	return append(rows, []chat.Button{closeButton})
}

// findersLine returns a line with the players whose first try was right. Hidden players are counted, but not named.
func (v *visit) findersLine(p store.Puzzle) (games.Line, error) {
	guesses, err := v.Tx.Reviews.Guesses(p.ID)
	if err != nil {
		return games.Line{}, err
	}
	unlisted, err := v.Tx.Chats.Unlisted(p.Chat)
	if err != nil {
		return games.Line{}, err
	}
	found := 0
	var finders []string
	var taken chat.TakenNames
	for _, g := range guesses {
		if !g.Found {
			continue
		}
		found++
		if unlisted[g.Player].Hidden || len(finders) == maxFinders {
			continue
		}
		player, err := v.Tx.Chats.Player(g.Player)
		if err != nil {
			return games.Line{}, err
		}
		finders = append(finders, taken.Unlike(v.bot.ShownName(player.Name, v.Lang)))
	}
	args := games.Args{"N": len(guesses), "Found": found, "Names": finders}
	switch {
	case len(guesses) == 0:
		return games.Say("bot.puzzle.nobody-tried", nil), nil
	case found == 0:
		return games.Say("bot.puzzle.nobody-found", nil), nil
	case len(finders) == 0:
		return games.Say("bot.puzzle.so-many", args), nil
	}
	return games.Say("bot.puzzle.these", args), nil
}

// The loop that closes old puzzles and draws stale ones.

// updatePuzzles closes old puzzles and starts to draw stale ones concurrently, so that a slow chat delays no other.
// soon is the time until failed draws are due again.
func (b *Reviews) updatePuzzles(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	err = b.closeOldPuzzles(ctx, c)
	for _, platform := range c.Outbox.Platforms() {
		stale, readErr := b.stalePuzzles(ctx, platform.Name()+":")
		err = errors.Join(err, readErr)
		for _, row := range stale {
			draw := func(ctx context.Context, _ int64) error { return b.drawPuzzle(ctx, platform, row) }
			b.puzzles.Go(ctx, platform.Name(), row.ID, draw, func(err error) {
				b.Log.ErrorContext(ctx, "draw puzzle failed", "puzzle", row.ID, "error", err)
			})
		}
	}
	return b.puzzles.Rested(), err
}

// closeOldPuzzles closes puzzles older than openDuration. It continues after errors and returns them joined.
func (b *Reviews) closeOldPuzzles(ctx context.Context, c *bot.Core) error {
	before := b.Now() - openDuration.Milliseconds()
	var faults []error
	lastID := int64(0)
	for {
		var old []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			old, err = tx.Reviews.OldPuzzles(before, lastID, maxPuzzles)
			return err
		})
		if err != nil || len(old) == 0 || ctx.Err() != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, c.StepAt(ctx, store.OfPuzzle, old, "close puzzle",
			bot.At(b.Visit, (*visit).closeIfOpen)))
		lastID = old[len(old)-1].ID
	}
}

// closeIfOpen closes a puzzle. It is a no-op if the puzzle is closed already.
func (v *visit) closeIfOpen(id int64) error {
	p, err := v.Tx.Reviews.Puzzle(id)
	if err != nil || !p.Open {
		return err
	}
	return v.reveal(p)
}

// DrawPuzzles draws the stale puzzles of a place (channel or thread) with put. Use it if Core.Run does not run.
func (b *Reviews) DrawPuzzles(ctx context.Context, place chat.Place, put postOrEdit) error {
	stale, err := b.stalePuzzles(ctx, string(place))
	if err != nil {
		return err
	}
	for _, row := range stale {
		if err := b.postPuzzle(ctx, store.OfPuzzle(row.ID), row.ID, put); err != nil {
			return fmt.Errorf("puzzle %d: %w", row.ID, err)
		}
	}
	return nil
}

// stalePuzzles returns puzzles whose message is stale, in the places whose ids begin with prefix.
func (b *Reviews) stalePuzzles(ctx context.Context, prefix string) (stale []store.Row, err error) {
	err = b.Due(ctx, func(tx *store.Tx) error {
		stale, err = tx.Reviews.LaggingPuzzles(prefix, maxPuzzles)
		return err
	})
	return stale, err
}

// drawPuzzle draws the puzzle of row within the platform's limits. It skips chats whose lease another replica holds.
func (b *Reviews) drawPuzzle(ctx context.Context, platform chat.Platform, row store.Row) error {
	ctx, cancel := context.WithTimeout(ctx, puzzleWithin)
	defer cancel()
	var p store.Puzzle
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		p, err = tx.Reviews.Puzzle(row.ID)
		return err
	})
	if err != nil || p.Drawn == p.Version { // already drawn meanwhile
		return err
	}
	if err := platform.Ready(ctx, chat.Place(p.Place), chat.ToSee); err != nil {
		return err
	}
	scope, held := b.Under(store.OfPuzzle(row.ID), row.Chat)
	if !held {
		return nil
	}
	put := func(ctx context.Context, row chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		if ref == "" {
			return platform.Post(ctx, row, m)
		}
		return ref, platform.Edit(ctx, row, ref, m)
	}
	if err = b.postPuzzle(ctx, scope, row.ID, put); b.Leases.Fenced(err) {
		return nil // the replica with the lease draws it
	}
	return err
}

// postOrEdit posts m if ref is "", else edits the message ref. It returns the message's reference.
type postOrEdit = func(ctx context.Context, place chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error)

// postPuzzle renders a puzzle in its current state, posts or edits its message with put, and stores the reference.
func (b *Reviews) postPuzzle(ctx context.Context, scope store.Scope, id int64, put postOrEdit) error {
	var p store.Puzzle
	var m *chat.Message
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		p, m, err = b.renderPuzzle(tx, id, "")
		return err
	})
	if err != nil {
		return err
	}
	ref, postErr := chat.Ref(p.Message), chat.ErrGone
	if ref != "" {
		if err := b.StillUnder(ctx, scope); err != nil {
			return err
		}
		ref, postErr = put(ctx, chat.Place(p.Place), *m, ref)
	}
	isNew := errors.Is(postErr, chat.ErrGone)
	if isNew {
		if err := b.claimPuzzle(ctx, scope, p); store.Uncertain(err) {
			return errors.Join(err, b.storeRef(ctx, scope, p, "", err))
		} else if err != nil {
			return err
		}
		posting, cancel := context.WithTimeout(context.WithoutCancel(ctx), puzzleWithin)
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(shutdownWithin, cancel) })()
		ref, postErr = put(posting, chat.Place(p.Place), *m, "")
		if errors.Is(postErr, chat.ErrUnsure) {
			return postErr // it may have been posted, so it is not posted again
		}
	}
	if postErr != nil && !isNew && !errors.Is(postErr, chat.ErrAway) {
		return postErr
	}
	err = b.storeRefSurely(ctx, p, ref, postErr)
	if errors.Is(postErr, chat.ErrAway) {
		return err
	}
	return errors.Join(postErr, err)
}

// claimPuzzle stores that a puzzle is about to be posted: it counts as drawn, so no replica posts it twice. If the
// process ends before storeRef, the message may be missing until the answer is posted; people who ask see it privately.
func (b *Reviews) claimPuzzle(ctx context.Context, scope store.Scope, p store.Puzzle) error {
	return b.Store.UpdateOf(ctx, scope, func(tx *store.Tx) error {
		now, err := tx.Reviews.Puzzle(p.ID)
		if err != nil {
			return err
		}
		if now.Version != p.Version || now.Drawn != p.Drawn || now.Message != p.Message || now.Place != p.Place {
			return chat.Later{After: time.Second} // it has changed since it was drawn
		}
		now.Drawn, now.Message = now.Version, ""
		return tx.Reviews.SavePuzzle(now)
	})
}

// storeRefSurely retries storeRef until it succeeds, p is gone or ctx ends. It needs no lease: ref is known only here.
func (b *Reviews) storeRefSurely(ctx context.Context, p store.Puzzle, ref chat.Ref, postErr error) error {
	for {
		err := b.storeRef(context.WithoutCancel(ctx), store.OfPuzzle(p.ID), p, ref, postErr)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			return err
		}
		select {
		case <-b.Clock.After(storeRetryPause):
		case <-ctx.Done():
			return err
		}
	}
}

// storeRef stores ref, the message of p, if putErr, the error of posting or editing it, is nil. Otherwise it marks p to
// be drawn again or, for chat.ErrAway, as away.
func (b *Reviews) storeRef(ctx context.Context, scope store.Scope, p store.Puzzle, ref chat.Ref, putErr error) error {
	return b.Store.UpdateOf(ctx, scope, func(tx *store.Tx) error {
		current, err := tx.Reviews.Puzzle(p.ID)
		if err != nil || current.Place != p.Place || current.Message != "" && current.Message != p.Message {
			return err // the chat has a new id, under which p is drawn, or p has another message
		}
		switch {
		case putErr == nil:
			current.Drawn, current.Message, current.Away = p.Version, string(ref), false
		case errors.Is(putErr, chat.ErrAway):
			current.Drawn, current.Away = p.Drawn, true
		case current.Drawn == p.Version:
			current.Drawn = p.Drawn // it was not posted, so it must be drawn again
		}
		return tx.Reviews.SavePuzzle(current)
	})
}

// renderPuzzle returns a puzzle and its message in the language lang; "" means the language of its table's board.
func (b *Reviews) renderPuzzle(tx *store.Tx, id int64, lang string) (p store.Puzzle, m *chat.Message, err error) {
	if p, err = tx.Reviews.Puzzle(id); err != nil {
		return p, nil, err
	}
	chat, err := tx.Chats.Chat(p.Chat)
	if err != nil {
		return p, nil, err
	}
	if lang == "" {
		t, err := tx.Tables.Table(p.Table)
		if err != nil {
			return p, nil, err
		}
		if lang, err = b.TableLanguage(tx, chat, t); err != nil {
			return p, nil, err
		}
	}
	v := b.QuietVisit(tx, chat, store.Player{})
	v.Lang = lang
	m, err = b.Visit(v).puzzleMessage(p)
	return p, m, err
}
