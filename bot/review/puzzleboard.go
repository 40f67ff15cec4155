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
	"knobel/bot/loop"
	"knobel/bot/notice"
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

// updatePuzzles closes old puzzles and starts to draw stale ones. soon is the time until failed draws are due again.
func (b *Reviews) updatePuzzles(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	err = b.closeOldPuzzles(ctx, c)
	soon, drawErr := b.puzzles.Update(ctx, c)
	return soon, errors.Join(err, drawErr)
}

// closeOldPuzzles closes puzzles older than openDuration. It continues after errors and returns them joined.
func (b *Reviews) closeOldPuzzles(ctx context.Context, c *bot.Core) error {
	before := b.Now() - openDuration.Milliseconds()
	var faults []error
	lastID := int64(0)
	for {
		var old []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			old, err = tx.Reviews.OldPuzzles(before, lastID, notice.AtOnce)
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
func (b *Reviews) DrawPuzzles(ctx context.Context, place chat.Place, put notice.PostOrEdit) error {
	return b.puzzles.DrawAt(ctx, place, put)
}

// newPosts returns what posts and edits the messages of puzzles.
func (b *Reviews) newPosts() *notice.Posts {
	return &notice.Posts{Bot: b.Bot, Tasks: loop.NewTasks(b.Clock, b.Sweep), Sort: "puzzle", Scope: store.OfPuzzle,
		Stale: func(tx *store.Tx, prefix string) ([]store.Row, error) {
			return tx.Reviews.LaggingPuzzles(prefix, notice.AtOnce)
		},
		Read: func(tx *store.Tx, id int64) (store.Posted, error) {
			p, err := tx.Reviews.Puzzle(id)
			return p.Posted, err
		},
		Save: func(tx *store.Tx, id int64, posted store.Posted) error {
			p, err := tx.Reviews.Puzzle(id)
			if err != nil {
				return err
			}
			p.Posted = posted
			return tx.Reviews.SavePuzzle(p)
		},
		Render: func(tx *store.Tx, id int64) (*chat.Message, error) { return b.renderPuzzle(tx, id, "") },
	}
}

// renderPuzzle returns the message of a puzzle in the language lang; "" means the language of its table's board.
func (b *Reviews) renderPuzzle(tx *store.Tx, id int64, lang string) (*chat.Message, error) {
	p, err := tx.Reviews.Puzzle(id)
	if err != nil {
		return nil, err
	}
	chat, err := tx.Chats.Chat(p.Chat)
	if err != nil {
		return nil, err
	}
	if lang == "" {
		t, err := tx.Tables.Table(p.Table)
		if err != nil {
			return nil, err
		}
		if lang, err = b.TableLanguage(tx, chat, t); err != nil {
			return nil, err
		}
	}
	v := b.QuietVisit(tx, chat, store.Player{})
	v.Lang = lang
	return b.Visit(v).puzzleMessage(p)
}
