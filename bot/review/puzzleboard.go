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
	"knobel/bot/standings"
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
		m.People[i].User = "" // everyone may try it
	}
	args := games.Args{"Table": pos.t.ID, "What": m.Said(), "Seat": pos.choice.Seat, "Best": pos.say(pos.step.Best),
		"Made": pos.say(pos.made)}
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
	found, err := v.finders(p)
	if err != nil {
		return nil, err
	}
	m.Lines = append(m.Lines, v.Say(found))
	board.ExplainSigns(m, pos.match.View().Sheet, v.Say)
	m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.review", nil), fmt.Sprintf("/review %d", pos.t.ID),
		games.Plain)}}
	return m, nil
}

// tryButtons returns buttons for at most maxTries moves: the best, the one played and the cheapest others, in the order
// of the game. Of moves with equal labels, such as keeping either of two equal dice, it takes one.
func (v *visit) tryButtons(p store.Puzzle, pos position) [][]chat.Button {
	type try struct {
		tryMove
		at    int
		label string
	}
	var tries []try
	for at, m := range pos.choice.Moves {
		label := v.Say(pos.say(m.Move))
		same := slices.IndexFunc(tries, func(t try) bool { return t.label == label })
		switch {
		case same < 0:
			tries = append(tries, try{m, at, label})
		case m.Move == pos.made || m.Move == pos.step.Best:
			tries[same].tryMove = m
		}
	}
	slices.SortStableFunc(tries, func(a, b try) int {
		return cmp.Or(bot.TrueFirst(a.Move == pos.made || a.Move == pos.step.Best,
			b.Move == pos.made || b.Move == pos.step.Best),
			cmp.Compare(a.Cost, b.Cost))
	})
	tries = tries[:min(len(tries), maxTries)]
	slices.SortFunc(tries, func(a, b try) int { return cmp.Compare(a.at, b.at) })
	wide := 4
	var row []chat.Button
	for _, t := range tries {
		if utf8.RuneCountInString(t.label) > 14 {
			wide = 2
		}
		row = append(row, chat.Button{
			Label: chat.Shorten(standings.Capital(t.label), chat.MaxButton),
			Press: chat.Press{What: fmt.Sprintf("/puzzle %d %s", p.ID, t.Move)}.String(),
		})
	}
	rows := slices.Collect(slices.Chunk(row, wide))
	end := v.Button(games.Say("bot.button.answer", nil), fmt.Sprintf("/puzzle %d close", p.ID), games.Plain)
	end.For = chat.User(p.Asker)
	return append(rows, []chat.Button{end})
}

// finders returns a line with the players whose first try was right. It counts hidden players without their names.
func (v *visit) finders(p store.Puzzle) (games.Line, error) {
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

// lookPuzzles closes old puzzles and starts to draw stale ones, concurrently, so that one slow place delays no other.
// It returns the time until failed ones are due again.
func (b *Reviews) lookPuzzles(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	err = b.closeOldPuzzles(ctx, c)
	for _, on := range c.Outbox.Platforms() {
		lagging, fault := b.laggingPuzzles(ctx, on.Name()+":")
		err = errors.Join(err, fault)
		for _, at := range lagging {
			draw := func(ctx context.Context, _ int64) error { return b.drawPuzzle(ctx, on, at) }
			b.puzzles.Go(ctx, on.Name(), at.ID, draw, func(err error) {
				b.Log.ErrorContext(ctx, "draw puzzle failed", "puzzle", at.ID, "error", err)
			})
		}
	}
	return b.puzzles.Rested(), err
}

// closeOldPuzzles closes puzzles older than openFor. It continues after errors and returns them joined.
func (b *Reviews) closeOldPuzzles(ctx context.Context, c *bot.Core) error {
	before := b.Now() - openFor.Milliseconds()
	var faults []error
	beyond := int64(0)
	for {
		var old []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			old, err = tx.Reviews.OldPuzzles(before, beyond, maxPuzzles)
			return err
		})
		if err != nil || len(old) == 0 || ctx.Err() != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, c.StepAt(ctx, store.OfPuzzle, old, "close puzzle", bot.At(b.Visit, (*visit).closeOld)))
		beyond = old[len(old)-1].ID
	}
}

// closeOld closes a puzzle. If it is already closed, that is a no-op.
func (v *visit) closeOld(id int64) error {
	p, err := v.Tx.Reviews.Puzzle(id)
	if err != nil || !p.Open {
		return err
	}
	return v.reveal(p)
}

// DrawPuzzles draws the stale puzzles of a place with put, for platforms that draw without Run.
func (b *Reviews) DrawPuzzles(ctx context.Context, at chat.Place, put putting) error {
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

// laggingPuzzles returns the puzzles with a stale message in the places whose names start with prefix.
func (b *Reviews) laggingPuzzles(ctx context.Context, prefix string) (lagging []store.Row, err error) {
	err = b.Due(ctx, func(tx *store.Tx) error {
		lagging, err = tx.Reviews.LaggingPuzzles(prefix, maxPuzzles)
		return err
	})
	return lagging, err
}

// drawPuzzle draws one puzzle on a platform, within its rate limit. It skips chats whose lease another replica holds.
func (b *Reviews) drawPuzzle(ctx context.Context, on chat.Platform, at store.Row) error {
	ctx, cancel := context.WithTimeout(ctx, puzzleWithin)
	defer cancel()
	var p store.Puzzle
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		p, err = tx.Reviews.Puzzle(at.ID)
		return err
	})
	if err != nil || p.Drawn == p.Version { // already drawn meanwhile
		return err
	}
	if err := on.Ready(ctx, chat.Place(p.Place), chat.ToSee); err != nil {
		return err
	}
	of, held := b.Under(store.OfPuzzle(at.ID), at.Chat)
	if !held {
		return nil
	}
	put := func(ctx context.Context, at chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		if ref == "" {
			return on.Post(ctx, at, m)
		}
		return ref, on.Edit(ctx, at, ref, m)
	}
	if err = b.putPuzzle(ctx, of, at.ID, put); b.Leases.Fenced(err) {
		return nil // the replica with the lease draws it
	}
	return err
}

// putting is a function that posts a message if ref is "", else edits the message ref, and returns its reference.
type putting = func(ctx context.Context, at chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error)

// putPuzzle posts or edits the message of a puzzle in its current state, and stores the reference.
func (b *Reviews) putPuzzle(ctx context.Context, of store.Scope, id int64, put putting) error {
	var p store.Puzzle
	var m *chat.Message
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		p, m, err = b.puzzleIn(tx, id, "")
		return err
	})
	if err != nil {
		return err
	}
	ref, fault := chat.Ref(p.Message), chat.ErrGone
	if ref != "" {
		if err := b.StillUnder(ctx, of); err != nil {
			return err
		}
		ref, fault = put(ctx, chat.Place(p.Place), *m, ref)
	}
	claimed := errors.Is(fault, chat.ErrGone)
	if claimed {
		if err := b.claimPuzzle(ctx, of, p); store.Uncertain(err) {
			return errors.Join(err, b.puzzlePut(ctx, of, p, "", err))
		} else if err != nil {
			return err
		}
		posting, cancel := context.WithTimeout(context.WithoutCancel(ctx), puzzleWithin)
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(endWithin, cancel) })()
		ref, fault = put(posting, chat.Place(p.Place), *m, "")
		if errors.Is(fault, chat.ErrUnsure) {
			return fault // it may have been posted, so it is not posted again
		}
	}
	if fault != nil && !claimed && !errors.Is(fault, chat.ErrAway) {
		return fault
	}
	err = b.puzzleNoted(ctx, p, ref, fault)
	if errors.Is(fault, chat.ErrAway) {
		return err
	}
	return errors.Join(fault, err)
}

// claimPuzzle stores that a puzzle is about to be posted: it then counts as drawn, so no replica posts it twice. If the
// process ends before the result is stored, the message may be missing until the answer is posted; users who ask for
// the puzzle see it privately.
func (b *Reviews) claimPuzzle(ctx context.Context, of store.Scope, p store.Puzzle) error {
	return b.Store.UpdateOf(ctx, of, func(tx *store.Tx) error {
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

// puzzleNoted stores the result of posting a puzzle, without the chat's lease: only this process has the result. It
// retries until ctx is done.
func (b *Reviews) puzzleNoted(ctx context.Context, p store.Puzzle, ref chat.Ref, fault error) error {
	for {
		err := b.puzzlePut(context.WithoutCancel(ctx), store.OfPuzzle(p.ID), p, ref, fault)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			return err
		}
		select {
		case <-b.Clock.After(noteAgain):
		case <-ctx.Done():
			return err
		}
	}
}

// puzzlePut stores the result of posting or editing a puzzle's message: ref, or the error fault.
func (b *Reviews) puzzlePut(ctx context.Context, of store.Scope, p store.Puzzle, ref chat.Ref, fault error) error {
	return b.Store.UpdateOf(ctx, of, func(tx *store.Tx) error {
		now, err := tx.Reviews.Puzzle(p.ID)
		if err != nil || now.Place != p.Place || now.Message != "" && now.Message != p.Message {
			return err // it moved with its chat and is drawn there, or has another message now
		}
		switch {
		case fault == nil:
			now.Drawn, now.Message, now.Away = p.Version, string(ref), false
		case errors.Is(fault, chat.ErrAway):
			now.Drawn, now.Away = p.Drawn, true
		case now.Drawn == p.Version:
			now.Drawn = p.Drawn // it was not posted, so it must be drawn again
		}
		return tx.Reviews.SavePuzzle(now)
	})
}

// puzzleIn returns a puzzle and its message in the language lang; "" means the language of its table's board.
func (b *Reviews) puzzleIn(tx *store.Tx, id int64, lang string) (p store.Puzzle, m *chat.Message, err error) {
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
